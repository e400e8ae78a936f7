import { chunkOf, runYielding } from '../../basics/slices.ts'
import { areSequential } from '../state/index.ts'
import type { Stored } from './stored.ts'

/** The format of the file and its log. Other formats are rejected. */
export const FORMAT = 3

/** The text of the file, in chunks: one record per line, and metadata in the last line. */
export async function* serialise(stored: Stored): AsyncGenerator<Buffer> {
  const pieces = piecesOf(stored)
  for (;;) {
    const chunk = await runYielding(chunkOf(pieces))
    if (chunk.length === 0) return
    yield chunk
  }
}

function* piecesOf({ records, order, seq, counters, seeded, written }: Stored): Generator<string> {
  yield '{\n'
  for (const [table, list] of Object.entries(records)) {
    yield `  ${JSON.stringify(table)}: [`
    let before = '\n    '
    for (const row of list) {
      yield before + JSON.stringify(row)
      before = ',\n    '
    }
    yield before === ',\n    ' ? '\n  ],\n' : '],\n'
  }
  const unusual = Object.fromEntries(Object.entries(order).filter(([, numbers]) => !areSequential(numbers)))
  yield `  "_edgesim": ${JSON.stringify({ format: FORMAT, seq, written, seeded, counters, order: unusual })}\n}\n`
}
