import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The longest delay of a timer, 24 days. With a longer one it would fire at once. */
const LONGEST_MS = 2 ** 31 - 1

const sleepers = new WeakMap<AbortSignal, Set<() => void>>()

/** All waits in a sandbox, which a reset ends. They share one listener: one each would cost more than the wait. */
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

/** Resolves after that long in real time, or as soon as the client leaves or the sandbox is reset. */
export function wait(ms: number, socket: Socket, life: AbortSignal): Promise<void> {
  const asleep = sleepersOf(life)
  return new Promise(resolve => {
    const done = () => {
      clearTimeout(timer)
      socket.off('close', done)
      asleep.delete(done)
      resolve()
    }
    const timer = Number.isFinite(ms) ? setTimeout(done, Math.min(ms, LONGEST_MS)) : undefined
    socket.once('close', done)
    asleep.add(done)
    if (socket.destroyed || life.aborted) done()
  })
}

/** Resolves when the answers before this one on the connection are sent: clients may send requests ahead. */
export function turn(res: ServerResponse, socket: Socket): Promise<void> | undefined {
  if (res.socket || socket.destroyed) return undefined
  return new Promise(resolve => {
    const done = () => {
      res.off('socket', done)
      socket.off('close', done)
      resolve()
    }
    res.once('socket', done)
    socket.once('close', done)
  })
}
