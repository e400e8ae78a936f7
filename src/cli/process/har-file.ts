import { counted } from '../../basics/text.ts'
import { harEntry, harHead } from '../../control/journal/har.ts'
import { version } from '../../files/package.ts'
import type { KeptEntry } from '../../sandbox/index.ts'
import { writeResult } from './result-file.ts'

export const MAX_HAR_BYTES = 64 * 1024 * 1024

interface Kept {
  sandbox: string
  beganAt: number
  /** When it began in real time: sandboxes have different clocks. */
  order: number
  text: string
}

/**
 * All requests of a run. Each entry is turned into text at once, because an entry keeps its sandbox in memory and
 * sandboxes may be dropped during the run. Past the limit, the requests that ended first are left out.
 */
export class HarFile {
  #kept: Kept[] = []
  #bytes = 0
  #leftOut = 0

  constructor(
    readonly file: string,
    readonly maxBytes = MAX_HAR_BYTES,
  ) {}

  add(entry: KeptEntry) {
    const text = JSON.stringify(harEntry(entry))
    const { sandbox, beganAt, duration_ms } = entry
    this.#kept.push({ sandbox, beganAt, order: performance.now() - (duration_ms ?? 0), text })
    this.#bytes += Buffer.byteLength(text)
    while (this.#bytes > this.maxBytes) {
      this.#bytes -= Buffer.byteLength(this.#kept.shift()!.text)
      this.#leftOut++
    }
  }

  /** Prints the result; false when the file could not be written. */
  write(): boolean {
    const { file } = this
    if (!writeResult(file, 'the requests', this.#pieces())) return false
    const { length } = this.#kept
    const are = `${counted(length, 'request')} ${length === 1 ? 'is' : 'are'}`
    console.error(`edgesim: ${are} in ${file}; open it in the network panel of a browser.`)
    return true
  }

  /** One request a line, for tools that work line by line. */
  *#pieces(): Generator<string> {
    const entries = this.#kept.toSorted((a, b) => a.order - b.order)
    const leftOut = `Older requests that were left out, as the file would be too large: ${this.#leftOut}`
    const head = JSON.stringify(harHead(entries, version, this.#leftOut > 0 ? leftOut : undefined))
    yield `{"log":${head.slice(0, -1)},"entries":[`
    for (const [i, { text }] of entries.entries()) yield `${i === 0 ? '' : ','}\n${text}`
    yield '\n]}}\n'
  }
}
