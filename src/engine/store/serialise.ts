import { areSequential } from '../state/index.ts'
import type { Stored } from './stored.ts'

/** The format of the file and its log. Other formats are rejected. */
export const FORMAT = 3

/** In characters. The whole text could be longer than a string can be. */
const CHUNK_LENGTH = 1024 * 1024

/** The text of the file, in chunks: one record per line, and metadata in the last line. */
export function* serialise(stored: Stored): Generator<Buffer> {
  let text = ''
  for (const piece of piecesOf(stored)) {
    text += piece
    if (text.length < CHUNK_LENGTH) continue
    yield Buffer.from(text)
    text = ''
  }
  yield Buffer.from(text)
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
