import type { Socket } from 'node:net'
import { clearTimeout, setTimeout } from '../words/real-time.ts'
import type { Life } from './life.ts'

/** The longest delay of a timer, 24 days. With a longer one it would fire at once. */
const LONGEST_MS = 2 ** 31 - 1

/** Resolves after that long in real time, or as soon as the client leaves or the sandbox is reset. */
export function wait(ms: number, socket: Socket, life: Life): Promise<void> {
  return new Promise(resolve => {
    const done = () => {
      clearTimeout(timer)
      socket.off('close', done)
      life.letSleep(done)
      resolve()
    }
    const timer = Number.isFinite(ms) ? setTimeout(done, Math.min(ms, LONGEST_MS)) : undefined
    socket.once('close', done)
    life.wake(done)
    if (socket.destroyed || life.over) done()
  })
}
