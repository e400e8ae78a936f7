import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { SandboxEvent } from '../sandbox/index.ts'

const KEPT = 1_000
const SLOW_BYTES = 1024 * 1024
const HEARTBEAT_MS = 15_000
const MOST_OPS = 100

/** Hands events of the sandboxes on to whoever listens, and keeps the latest for those that come back. */
export class EventHub {
  readonly #streams = new Map<string, Stream>()
  readonly #heartbeatMs: number
  #heart: NodeJS.Timeout | undefined

  constructor({ heartbeatMs = HEARTBEAT_MS } = {}) {
    this.#heartbeatMs = heartbeatMs
  }

  publish(event: SandboxEvent) {
    this.#streamOf(event.sandbox).publish(event)
  }

  /** Streams until the reader leaves, beginning after the event it saw last. */
  subscribe(sandbox: string, res: ServerResponse, lastSeen: string | undefined) {
    res.writeHead(200, { ...STREAM_HEADERS, Connection: 'close' })
    res.write(': edgesim\n\n')
    this.#streamOf(sandbox).add(res, lastSeen)
    this.#heart ??= setInterval(() => this.#beat(), this.#heartbeatMs).unref()
  }

  /** Ends the streams of a sandbox that was dropped; a new one of the same name has its own. */
  drop(sandbox: string) {
    this.#streams.get(sandbox)?.end()
    this.#streams.delete(sandbox)
  }

  close() {
    clearInterval(this.#heart)
    for (const stream of this.#streams.values()) stream.end()
  }

  #streamOf(sandbox: string): Stream {
    const stream = this.#streams.get(sandbox) ?? new Stream()
    this.#streams.set(sandbox, stream)
    return stream
  }

  #beat() {
    for (const stream of this.#streams.values()) stream.send(': still here\n\n')
  }
}

export const STREAM_HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store',
  'X-Accel-Buffering': 'no',
}

interface Numbered {
  id: number
  type: string
  data: object
}

interface Reader {
  res: ServerResponse
  /** How many bytes may be waiting for the reader. */
  patience: number
}

/** The events of one sandbox. */
class Stream {
  /** Part of every event id, so that ids of a dropped sandbox or an earlier start are not mistaken for these. */
  readonly #born = randomUUID().slice(0, 8)
  #latest: Numbered[] = []
  #last = 0
  readonly #readers = new Set<Reader>()

  publish(event: SandboxEvent) {
    const kept = { id: ++this.#last, type: event.type, data: brief(event) }
    this.#latest.push(kept)
    if (this.#latest.length > KEPT * 2) this.#latest = this.#latest.slice(-KEPT)
    // Written out only for those who listen: most of the time nobody does.
    if (this.#readers.size > 0) this.send(this.#toText(kept))
  }

  add(res: ServerResponse, lastSeen: string | undefined) {
    if (lastSeen !== undefined) this.#replay(res, lastSeen)
    const reader = { res, patience: SLOW_BYTES + res.writableLength }
    this.#readers.add(reader)
    res.on('close', () => this.#readers.delete(reader))
  }

  /** Disconnects readers that are too slow; they can reconnect with the last id they saw. */
  send(text: string) {
    for (const { res, patience } of this.#readers) {
      if (res.writableLength > patience) res.destroy()
      else res.write(text)
    }
  }

  end() {
    for (const { res } of this.#readers) res.end()
    this.#readers.clear()
  }

  #replay(res: ServerResponse, lastSeen: string) {
    const [born, text] = lastSeen.split('-')
    const seen = born === this.#born && /^\d+$/.test(text ?? '') ? Number(text) : Number.NaN
    const oldest = this.#latest[0]?.id ?? this.#last + 1
    if (seen >= oldest - 1 && seen <= this.#last) {
      for (const event of this.#latest) if (event.id > seen) res.write(this.#toText(event))
    }
    // Events were lost in between: the reader must load everything again.
    else res.write(this.#toText({ id: this.#last, type: 'missed', data: {} }))
  }

  #toText = ({ id, type, data }: Numbered) =>
    `id: ${this.#born}-${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`
}

/** An event carries what a list shows; headers, bodies and the rest of a long change are asked for by id. */
function brief({ type, data }: SandboxEvent): object {
  if (type === 'change') {
    const left_out = Math.max(0, data.ops.length - MOST_OPS)
    return { ...data, ops: left_out > 0 ? data.ops.slice(0, MOST_OPS) : data.ops, ops_left_out: left_out }
  }
  if (type !== 'request') return data
  // What is undefined is not written; leaving it out of the copy would take many times longer.
  return { ...data, request: undefined, response: undefined, change: data.change && { seq: data.change.seq } }
}
