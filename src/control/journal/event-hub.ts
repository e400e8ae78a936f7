import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { clearInterval, setInterval } from '../../basics/real-time.ts'
import type { EventEntry } from '../../contract/journal-entry.ts'
import type { SandboxEvent } from '../../engine/sandbox/index.ts'

/** A reader with more unread bytes is disconnected. */
const MAX_UNREAD_BYTES = 1024 * 1024
const HEARTBEAT_MS = 15_000
const MAX_OPS_PER_EVENT = 100

/** The stream of all sandboxes. No sandbox has this name. */
export const ALL = '*'

/** Sends the events of sandboxes to their readers. */
export class EventHub {
  readonly #streams = new Map<string, Stream>()
  readonly #heartbeatMs: number
  #heartbeat: NodeJS.Timeout | undefined
  /** Called at each heartbeat for every stream with readers: a sandbox, or `ALL`. */
  onBeat: (sandbox: string) => void = () => {}

  constructor({ heartbeatMs = HEARTBEAT_MS } = {}) {
    this.#heartbeatMs = heartbeatMs
  }

  /** Does nothing for a sandbox that never had a reader. */
  publish(event: SandboxEvent) {
    const { sandbox } = event
    this.#streams.get(sandbox)?.publish(event, {})
    // Readers of all sandboxes need its name.
    this.#streams.get(ALL)?.publish(event, { sandbox })
  }

  /** Streams until the reader disconnects. */
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
    this.#streams.get(sandbox)?.end()
    this.#streams.delete(sandbox)
  }

  close() {
    clearInterval(this.#heartbeat)
    for (const stream of this.#streams.values()) stream.end()
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
  #last = 0
  readonly #readers = new Set<ServerResponse>()

  publish(event: SandboxEvent, more: object) {
    this.#last++
    if (this.isRead) this.send(this.#toText(event.type, { ...more, ...summarize(event) }))
  }

  add(res: ServerResponse, lastSeen: string | undefined) {
    // The reader must reload everything.
    if (lastSeen !== undefined && lastSeen !== this.#lastId) res.write(this.#toText('missed', {}))
    this.#readers.add(res)
    res.req.socket.once('close', () => this.#readers.delete(res))
  }

  /** Disconnects slow readers. They can reconnect with the last id they saw. */
  send(text: string) {
    for (const res of this.#readers) {
      if (res.writableLength > MAX_UNREAD_BYTES) res.destroy()
      else res.write(text)
    }
  }

  get isRead(): boolean {
    return this.#readers.size > 0
  }

  end() {
    for (const res of this.#readers) res.end()
    this.#readers.clear()
  }

  get #lastId() {
    return `${this.#streamId}-${this.#last}`
  }

  #toText(type: string, data: object): string {
    return `id: ${this.#lastId}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`
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
