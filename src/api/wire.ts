import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Call } from '../sandbox/index.ts'
import type { Answer, Wire } from '../scenarios/index.ts'

/** A wire that remembers what went over it, for the journal. */
export interface RecordedWire extends Wire {
  /** The answer whose head was sent; null while nothing was, and after bytes that are no answer. */
  readonly sent: Answer | null
}

/** What timers can count up to, 24 days; with more they would not wait at all. */
const LONGEST_MS = 2 ** 31 - 1

const sleepers = new WeakMap<AbortSignal, Set<() => void>>()

/** Whoever waits in a sandbox, to be woken when that is reset. One listener for all: each of their own costs more than the wait. */
function sleepersOf(life: AbortSignal): Set<() => void> {
  let all = sleepers.get(life)
  if (!all) {
    const asleep = new Set<() => void>()
    life.addEventListener('abort', () => asleep.forEach(wake => void wake()), { once: true })
    sleepers.set(life, asleep)
    all = asleep
  }
  return all
}

/** The connection of one request. `rawSocket` is what lies below TLS: only that can be reset. */
export function createWire(req: IncomingMessage, res: ServerResponse, call: Call, rawSocket: Socket): RecordedWire {
  let sent: Answer | null = null
  const left = () => req.socket.destroyed
  const gone = () => left() || call.life.aborted
  // To a client that has left nothing is sent, and the journal says so.
  const note = (answer: Answer) => {
    sent = left() ? null : answer
  }
  return {
    get sent() {
      return sent
    },
    get over() {
      return gone()
    },
    send(answer) {
      note(answer)
      res.writeHead(answer.status, answer.headers).end(answer.body)
    },
    head(answer) {
      note(answer)
      res.writeHead(answer.status, answer.headers)
      res.flushHeaders()
    },
    write: bytes => void res.write(bytes),
    end: () => void res.end(),
    raw(bytes) {
      sent = null
      req.socket.write(bytes)
    },
    // What was written before still leaves.
    cut: () => void req.socket.destroySoon(),
    reset: () => void rawSocket.resetAndDestroy(),
    wait(ms) {
      const sleepers = sleepersOf(call.life)
      return new Promise(resolve => {
        const done = () => {
          clearTimeout(timer)
          req.socket.off('close', done)
          sleepers.delete(done)
          resolve()
        }
        const timer = Number.isFinite(ms) ? setTimeout(done, Math.min(ms, LONGEST_MS)) : undefined
        req.socket.once('close', done)
        sleepers.add(done)
        if (gone()) done()
      })
    },
  }
}
