import { counted } from '../../basics/text.ts'
import { harEntry, harHead } from '../../control/journal/har.ts'
import { version } from '../../engine/files/package.ts'
import type { StoredEntry } from '../../engine/sandbox/index.ts'
import { writeResult } from './result-file.ts'

export const MAX_HAR_BYTES = 64 * 1024 * 1024

interface Entry {
  sandbox: string
  beganAt: number
  /** When it began in real time, because sandboxes have different clocks. */
  order: number
  text: string
}

/**
 * All requests of a run. Each entry is serialized immediately, because an entry retains its sandbox in memory and
 * sandboxes may be dropped during the run. Above the limit, the oldest requests are dropped.
 */
export class HarFile {
  #entries: Entry[] = []
  #bytes = 0
  #dropped = 0

  constructor(
    readonly file: string,
    readonly maxBytes = MAX_HAR_BYTES,
  ) {}

  add(entry: StoredEntry) {
    const text = JSON.stringify(harEntry(entry))
    const { sandbox, beganAt, duration_ms } = entry
    this.#entries.push({ sandbox, beganAt, order: performance.now() - (duration_ms ?? 0), text })
    this.#bytes += Buffer.byteLength(text)
    while (this.#bytes > this.maxBytes) {
      this.#bytes -= Buffer.byteLength(this.#entries.shift()!.text)
      this.#dropped++
    }
  }

  /** Prints the result. Returns false if the file is not writable. */
  write(): boolean {
    const { file } = this
    if (!writeResult(file, this.#pieces())) return false
    const requests = counted(this.#entries.length, 'request')
    console.error(`edgesim: Wrote ${requests} to ${file}. Open it in the network panel of a browser.`)
    return true
  }

  /** One request per line, for line-based tools. */
  *#pieces(): Generator<string> {
    const entries = this.#entries.toSorted((a, b) => a.order - b.order)
    const dropped = `Older requests omitted to limit the file size: ${this.#dropped}`
    const head = JSON.stringify(harHead(entries, version, this.#dropped > 0 ? dropped : undefined))
    yield `{"log":${head.slice(0, -1)},"entries":[`
    for (const [i, { text }] of entries.entries()) yield `${i === 0 ? '' : ','}\n${text}`
    yield '\n]}}\n'
  }
}
