import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { bin, startEdgesim } from '../../support/as-process.ts'
import { clientOf } from './client.ts'

const turns = fileURLToPath(new URL('turns.js', import.meta.url))

/** A simulator that measures its event loop turns. */
export async function startWatched(args: string[] = []) {
  const { ready, printed, child } = await startEdgesim(args, { command: [process.execPath, '--import', turns, bin] })
  const port = Number(new URL(ready.url).port)

  /** The longest turn since the last call, in CPU milliseconds. */
  async function longestTurn(): Promise<number> {
    printed.err = ''
    child.kill('SIGUSR2')
    await expect.poll(() => printed.err, { interval: 2 }).toMatch(/longest turn: .*\n/)
    return Number(/longest turn: (.*)\n/.exec(printed.err)![1])
  }

  return {
    port,
    send: clientOf(port),
    /** The longest turn during an action. No request waits longer, except for other load on the machine. */
    async during(act: () => unknown): Promise<number> {
      await longestTurn()
      await act()
      return longestTurn()
    },
  }
}
