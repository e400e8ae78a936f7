import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { clearInterval, setInterval } from '../../basics/real-time.ts'
import type { SandboxEvent } from '../../sandbox/index.ts'

/** Events that are kept for readers that come back: so many, and so many characters of them. */
export const KEPT = 1_000
export const KEPT_LENGTH = 4 * 1024 * 1024
/** Of all sandboxes together. */
export const ALL_KEPT_LENGTH = 64 * 1024 * 1024
const SLOW_BYTES = 1024 * 1024
const HEARTBEAT_MS = 15_000
const MOST_OPS = 100

/** Hands events of the sandboxes on to whoever listens, and keeps the latest for those that come back. */
export class EventHub {
  readonly #streams = new Map<string, Stream>()
  readonly #heartbeatMs: number
  readonly #mostLength: number
  #length = 0
  #heart: NodeJS.Timeout | undefined

  constructor({ heartbeatMs = HEARTBEAT_MS, mostLength = ALL_KEPT_LENGTH } = {}) {
    this.#heartbeatMs = heartbeatMs
    this.#mostLength = mostLength
  }

  /** Costs next to nothing until somebody listens. */
  publish(event: SandboxEvent) {
    const stream = this.#streams.get(event.sandbox)
    if (!stream) return
    const before = stream.length
    stream.publish(event)
    this.#length += stream.length - before
    if (this.#length > this.#mostLength) this.#forget(stream)
  }

  /** Streams until the reader leaves, beginning after the event it saw last. */
  subscribe(sandbox: string, res: ServerResponse, lastSeen: string | undefined) {
    if (res.req.socket.destroyed) return
    res.writeHead(200, { ...STREAM_HEADERS, Connection: 'close' })
    res.write(': edgesim\n\n')
    this.#streamOf(sandbox).add(res, lastSeen)
    this.#heart ??= setInterval(() => this.#beat(), this.#heartbeatMs).unref()
  }

  /** Whether anybody reads the events of the sandbox. */
  isRead(sandbox: string): boolean {
    return this.#streams.get(sandbox)?.isRead === true
  }

  /** Ends the streams of a sandbox that was dropped; a new one of the same name has its own. */
  drop(sandbox: string) {
    const stream = this.#streams.get(sandbox)
    this.#length -= stream?.length ?? 0
    stream?.end()
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

  /** What is kept for those that come back to other sandboxes, the first that were listened to first. */
  #forget(current: Stream) {
    for (const stream of this.#streams.values()) {
      if (this.#length <= this.#mostLength / 2) break
      if (stream === current) continue
      this.#length -= stream.length
      stream.forget()
    }
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

interface Reader {
  res: ServerResponse
  /** How many bytes may be waiting for the reader. */
  patience: number
}

/** The events of one sandbox. */
class Stream {
  /** Part of every event id, so that ids of a dropped sandbox or an earlier start are not mistaken for these. */
  readonly #born = randomUUID().slice(0, 8)
  /** By number, for readers that come back. */
  readonly #latest = new Map<number, string>()
  /** Of what is kept, in characters. */
  length = 0
  #last = 0
  readonly #readers = new Set<Reader>()

  publish(event: SandboxEvent) {
    this.#last++
    const text = this.#toText(this.#last, event.type, brief(event))
    this.#latest.set(this.#last, text)
    this.length += text.length
    for (const [id, { length }] of this.#latest) {
      if (this.#latest.size <= KEPT && this.length <= KEPT_LENGTH) break
      this.#latest.delete(id)
      this.length -= length
    }
    this.send(text)
  }

  /** A reader that comes back has to load everything again. */
  forget() {
    this.#latest.clear()
    this.length = 0
  }

  add(res: ServerResponse, lastSeen: string | undefined) {
    if (lastSeen !== undefined) this.#replay(res, lastSeen)
    const reader = { res, patience: SLOW_BYTES + res.writableLength }
    this.#readers.add(reader)
    res.req.socket.once('close', () => this.#readers.delete(reader))
  }

  /** Disconnects readers that are too slow; they can reconnect with the last id they saw. */
  send(text: string) {
    for (const { res, patience } of this.#readers) {
      if (res.writableLength > patience) res.destroy()
      else res.write(text)
    }
  }

  get isRead(): boolean {
    return this.#readers.size > 0
  }

  end() {
    for (const { res } of this.#readers) res.end()
    this.#readers.clear()
  }

  #replay(res: ServerResponse, lastSeen: string) {
    const [born, text] = lastSeen.split('-')
    const seen = born === this.#born && /^\d+$/.test(text ?? '') ? Number(text) : Number.NaN
    const [oldest = this.#last + 1] = this.#latest.keys()
    if (seen >= oldest - 1 && seen <= this.#last) {
      for (const [id, event] of this.#latest) if (id > seen) res.write(event)
    }
    // Events were lost in between: the reader must load everything again.
    else res.write(this.#toText(this.#last, 'missed', {}))
  }

  #toText(id: number, type: string, data: object): string {
    return `id: ${this.#born}-${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`
  }
}

/** An event carries what a list shows; headers, bodies and the rest of a long change are asked for by id. */
function brief({ type, data }: SandboxEvent): object {
  if (type === 'change') {
    const { ops } = data
    const left_out = Math.max(0, ops.length - MOST_OPS)
    return { ...data, ops: left_out > 0 ? ops.slice(0, MOST_OPS) : ops, ops_left_out: left_out }
  }
  if (type !== 'request') return data
  const { id, seq, at, sandbox, operation, method, path, query, status, duration_ms, source_ip, caller } = data
  const { rules, assumptions, warnings, explanation, change } = data
  const head = { id, seq, at, sandbox, operation, method, path, query, status, duration_ms, source_ip, caller }
  return { ...head, rules, assumptions, warnings, change: change && { seq: change.seq }, explanation }
}
