import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { clearInterval, setInterval } from '../../basics/real-time.ts'
import type { EventEntry } from '../../contract/journal-entry.ts'
import type { SandboxEvent } from '../../engine/sandbox/index.ts'

/** Per sandbox, for readers that reconnect. */
export const MAX_BUFFERED_EVENTS = 1_000
export const MAX_BUFFERED_EVENT_CHARACTERS = 4 * 1024 * 1024
/** For all sandboxes together. */
export const MAX_ALL_BUFFERED_EVENT_CHARACTERS = 64 * 1024 * 1024
/** A reader with more unread bytes is disconnected. */
const MAX_UNREAD_BYTES = 1024 * 1024
const HEARTBEAT_MS = 15_000
const MAX_OPS_PER_EVENT = 100

/** The stream of all sandboxes. No sandbox has this name. */
export const ALL = '*'

/** Sends the events of sandboxes to their readers, and buffers the latest for readers that reconnect. */
export class EventHub {
  readonly #streams = new Map<string, Stream>()
  readonly #heartbeatMs: number
  readonly #maxCharacters: number
  #length = 0
  #heartbeat: NodeJS.Timeout | undefined
  /** Called at each heartbeat for every stream with readers: a sandbox, or `ALL`. */
  onBeat: (sandbox: string) => void = () => {}

  constructor({ heartbeatMs = HEARTBEAT_MS, maxCharacters = MAX_ALL_BUFFERED_EVENT_CHARACTERS } = {}) {
    this.#heartbeatMs = heartbeatMs
    this.#maxCharacters = maxCharacters
  }

  /** Does nothing for a sandbox that never had a reader. */
  publish(event: SandboxEvent) {
    const { sandbox } = event
    this.#publishOn(this.#streams.get(sandbox), event)
    // Readers of all sandboxes need its name.
    this.#publishOn(this.#streams.get(ALL), event, { sandbox })
  }

  #publishOn(stream: Stream | undefined, event: SandboxEvent, more: object = {}) {
    if (!stream) return
    const before = stream.length
    stream.publish(event, more)
    this.#length += stream.length - before
    if (this.#length > this.#maxCharacters) this.#clearOthers(stream)
  }

  /** Streams until the reader disconnects, starting after its last event. */
  subscribe(sandbox: string, res: ServerResponse, lastSeen: string | undefined) {
    if (res.req.socket.destroyed) return
    res.writeHead(200, { ...STREAM_HEADERS, Connection: 'close' })
    res.write(': edgesim\n\n')
    const stream = this.#streams.get(sandbox) ?? new Stream()
    this.#streams.set(sandbox, stream)
    stream.add(res, lastSeen)
    this.#heartbeat ??= setInterval(() => {
      for (const [name, each] of this.#streams) {
        if (each.isRead) this.onBeat(name)
        each.send(': still here\n\n')
      }
    }, this.#heartbeatMs).unref()
  }

  /** Whether the sandbox's events have a reader. */
  isRead(sandbox: string): boolean {
    return this.#streams.get(sandbox)?.isRead === true
  }

  /** Ends the stream of a dropped sandbox. A new sandbox of the same name gets a new stream. */
  drop(sandbox: string) {
    const stream = this.#streams.get(sandbox)
    this.#length -= stream?.length ?? 0
    stream?.end()
    this.#streams.delete(sandbox)
  }

  close() {
    clearInterval(this.#heartbeat)
    for (const stream of this.#streams.values()) stream.end()
  }

  /** Clears the buffers of other sandboxes, the oldest streams first. */
  #clearOthers(current: Stream) {
    for (const stream of this.#streams.values()) {
      if (this.#length <= this.#maxCharacters / 2) break
      if (stream === current) continue
      this.#length -= stream.length
      stream.clear()
    }
  }
}

export const STREAM_HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store',
  'X-Accel-Buffering': 'no',
}

/** The events of one sandbox. */
class Stream {
  /** Part of every event id, to distinguish it from ids of a dropped sandbox or an earlier run. */
  readonly #streamId = randomUUID().slice(0, 8)
  /** By number, for readers that reconnect. */
  readonly #buffered = new Map<number, string>()
  /** Characters of the buffered events. */
  length = 0
  #last = 0
  /** The maximum number of unread bytes, by reader. */
  readonly #readers = new Map<ServerResponse, number>()

  publish(event: SandboxEvent, more: object) {
    this.#last++
    const text = this.#toText(this.#last, event.type, { ...more, ...summarize(event) })
    this.#buffered.set(this.#last, text)
    this.length += text.length
    for (const [id, { length }] of this.#buffered) {
      if (this.#buffered.size <= MAX_BUFFERED_EVENTS && this.length <= MAX_BUFFERED_EVENT_CHARACTERS) break
      this.#buffered.delete(id)
      this.length -= length
    }
    this.send(text)
  }

  /** Readers that reconnect must reload everything. */
  clear() {
    this.#buffered.clear()
    this.length = 0
  }

  add(res: ServerResponse, lastSeen: string | undefined) {
    if (lastSeen !== undefined) this.#replay(res, lastSeen)
    // The replayed events do not count as unread.
    this.#readers.set(res, MAX_UNREAD_BYTES + res.writableLength)
    res.req.socket.once('close', () => this.#readers.delete(res))
  }

  /** Disconnects slow readers. They can reconnect with the last id they saw. */
  send(text: string) {
    for (const [res, maxUnreadBytes] of this.#readers) {
      if (res.writableLength > maxUnreadBytes) res.destroy()
      else res.write(text)
    }
  }

  get isRead(): boolean {
    return this.#readers.size > 0
  }

  end() {
    for (const res of this.#readers.keys()) res.end()
    this.#readers.clear()
  }

  #replay(res: ServerResponse, lastSeen: string) {
    const [streamId, text] = lastSeen.split('-')
    const seen = streamId === this.#streamId && /^\d+$/.test(text ?? '') ? Number(text) : Number.NaN
    const [oldest = this.#last + 1] = this.#buffered.keys()
    if (seen >= oldest - 1 && seen <= this.#last) {
      for (const [id, event] of this.#buffered) if (id > seen) res.write(event)
    }
    // The reader missed events and must reload everything.
    else res.write(this.#toText(this.#last, 'missed', {}))
  }

  #toText(id: number, type: string, data: object): string {
    return `id: ${this.#streamId}-${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`
  }
}

/** Events contain what lists show. Headers, bodies and the rest of a long change are available by id. */
function summarize(event: SandboxEvent): object {
  const { type, data } = event
  if (type === 'change') {
    const { ops } = data
    const left_out = Math.max(0, ops.length - MAX_OPS_PER_EVENT)
    return { ...data, ops: left_out > 0 ? ops.slice(0, MAX_OPS_PER_EVENT) : ops, ops_left_out: left_out }
  }
  if (type === 'delivery') {
    const { body: _body, ...rest } = data
    return rest
  }
  if (type !== 'request') return data
  const { id, seq, at, sandbox, operation, method, path, query, status, duration_ms, source_ip, caller } = data
  const { rules, assumptions, warnings, explanation } = data
  const head = { id, seq, at, sandbox, operation, method, path, query, status, duration_ms, source_ip, caller }
  const change = data.change && { seq: data.change.seq }
  return {
    ...head,
    rules,
    assumptions,
    warnings,
    change,
    explanation,
    oldest_seq: event.oldestSeq,
  } satisfies EventEntry
}
