import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { afterwards } from '../../support/afterwards.ts'

export interface Seen {
  /** Of the slowest answer to a health check, in milliseconds. */
  longest: number
  /** How many health checks were answered. */
  answered: number
}

/** Asks a simulator for its health all the time, and returns the longest wait during an action. */
export function watchHealth(port: number) {
  const asker = new Worker(new URL('health-asker.js', import.meta.url), { workerData: { port } })
  afterwards(() => asker.terminate())

  async function take(): Promise<Seen> {
    asker.postMessage('take')
    // Rejects when the asker fails: health was not answered.
    const [seen] = await once(asker, 'message')
    return seen
  }

  return {
    async during(act: () => unknown): Promise<Seen> {
      await take()
      await act()
      return take()
    },
  }
}
