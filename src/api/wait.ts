import type { Socket } from 'node:net'

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
