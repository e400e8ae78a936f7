import { format } from 'node:util'
import { vi } from 'vitest'
import { main } from '../../src/cli/main.ts'
import { cleanEnvironment, type SpawnOptions } from './cli.ts'

let turn: Promise<unknown> = Promise.resolve()

/**
 * A command that runs to its end, in this process: a hundred times as quick as in one of its own. Not for those that
 * serve, nor for what a process has but one of (signals, locale, exit).
 */
export function edgesimHere(args: string[], options: Omit<SpawnOptions, 'command'> = {}) {
  // One at a time: the folder and the console are the same for all.
  const result = turn.then(() => run(args, options))
  turn = result.catch(() => {})
  return result
}

async function run(args: string[], { env = {}, cwd = process.cwd() }: SpawnOptions) {
  const before = process.cwd()
  const printed = { out: '', err: '' }
  const log = vi.spyOn(console, 'log').mockImplementation((...words) => {
    printed.out += `${format(...words)}\n`
  })
  const error = vi.spyOn(console, 'error').mockImplementation((...words) => {
    printed.err += `${format(...words)}\n`
  })
  process.chdir(cwd)
  try {
    return { code: await main(args, { ...cleanEnvironment(), ...env }), ...printed }
  } finally {
    process.chdir(before)
    log.mockRestore()
    error.mockRestore()
  }
}
