import type { ServerResponse } from 'node:http'
import type { SandboxEvent } from '../sandbox/index.ts'

interface Numbered {
  id: number
  event: SandboxEvent
}

const KEPT = 2_000
const SLOW_BYTES = 1024 * 1024
const HEARTBEAT_MS = 15_000
const MOST_OPS = 100

/** Hands events of the sandboxes on to whoever listens, and keeps the latest for those that come back. */
export class EventHub {
  #latest: Numbered[] = []
  #last = 0
  readonly #readers = new Set<{ sandbox: string; res: ServerResponse }>()
  #heart: NodeJS.Timeout | undefined

  publish(event: SandboxEvent) {
    const numbered = { id: ++this.#last, event }
    this.#latest.push(numbered)
    if (this.#latest.length > KEPT * 2) this.#latest = this.#latest.slice(-KEPT)
    for (const reader of this.#readers) if (reader.sandbox === event.sandbox) this.#write(reader.res, toText(numbered))
  }

  /** Streams until the reader leaves, beginning after the event it saw last. */
  subscribe(sandbox: string, res: ServerResponse, lastSeen: number | undefined) {
    res.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' })
    res.write(': edgesim\n\n')
    if (lastSeen !== undefined) this.#replay(sandbox, res, lastSeen)
    const reader = { sandbox, res }
    this.#readers.add(reader)
    this.#heart ??= setInterval(() => this.#beat(), HEARTBEAT_MS).unref()
    res.on('close', () => {
      this.#readers.delete(reader)
      if (this.#readers.size === 0) this.#stopHeart()
    })
  }

  close() {
    this.#stopHeart()
    for (const { res } of this.#readers) res.end()
    this.#readers.clear()
  }

  #replay(sandbox: string, res: ServerResponse, lastSeen: number) {
    const oldest = this.#latest[0]?.id ?? this.#last + 1
    // The one who was away too long, or before our last start, must look at everything anew.
    if (lastSeen + 1 < oldest || lastSeen > this.#last) res.write(`id: ${this.#last}\nevent: missed\ndata: {}\n\n`)
    else
      for (const kept of this.#latest) if (kept.id > lastSeen && kept.event.sandbox === sandbox) res.write(toText(kept))
  }

  /** Who does not read is let go, and may come back with the id it saw last. */
  #write(res: ServerResponse, text: string) {
    if (res.writableLength > SLOW_BYTES) res.destroy()
    else res.write(text)
  }

  #beat() {
    for (const { res } of this.#readers) this.#write(res, ': still here\n\n')
  }

  #stopHeart() {
    clearInterval(this.#heart)
    this.#heart = undefined
  }
}

/** Written out only for those who listen: most of the time nobody does. */
const toText = ({ id, event }: Numbered) => `id: ${id}\nevent: ${event.type}\ndata: ${JSON.stringify(brief(event))}\n\n`

/** An event carries what a list shows; headers, bodies and the rest of a long change are asked for by id. */
function brief(event: SandboxEvent): object {
  if (event.type === 'change') {
    const { ops, ...change } = event.data
    return { ...change, ops: ops.slice(0, MOST_OPS), ops_left_out: Math.max(0, ops.length - MOST_OPS) }
  }
  if (event.type !== 'request') return event.data
  const { request: _request, response: _response, change, ...entry } = event.data
  return { ...entry, change: change && { seq: change.seq } }
}
