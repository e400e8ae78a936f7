import { commands } from './commands/commands.ts'
import { checkFirstWord } from './named.ts'
import { readPlainStart, startOrPrint } from './plain-start.ts'
import { reportError } from './process/exit-code.ts'
import { endOnSignals } from './process/signals.ts'
import { resolve } from './resolve.ts'

/** Runs the command line and returns the exit code. */
export async function main(argv: string[], env: NodeJS.ProcessEnv): Promise<number> {
  endOnSignals()
  // The reader of stdout or stderr may exit, and the server continues.
  for (const stream of [process.stdout, process.stderr]) stream.off('error', ignore).on('error', ignore)
  process.once('beforeExit', failUnfinished)
  try {
    const exit = await run(argv, env).catch(reportError)
    await flushed(process.stdout)
    return exit
  } finally {
    process.off('beforeExit', failUnfinished)
  }
}

/** The event loop is empty, and the command has no result. */
function failUnfinished() {
  console.error('edgesim: Internal error: the command stopped before it was done. Please report it.')
  process.exit(1)
}

const STALLED_MS = 1000

/** Waits for the output to be written, because pipes may be asynchronous. Gives up if nothing is read for a second. */
function flushed(output: NodeJS.WriteStream): Promise<void> {
  return new Promise(resolve => {
    let left = output.writableLength
    const timer = setInterval(() => {
      if (output.writableLength === left) done()
      left = output.writableLength
    }, STALLED_MS)
    const done = () => {
      clearInterval(timer)
      resolve()
    }
    output.write('', done)
  })
}

const ignore = () => {}

async function run(argv: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const plain = readPlainStart(argv)
  if (plain) {
    const resolved = await resolve(commands.start.options, plain, env)
    checkFirstWord(argv[0], resolved)
    return startOrPrint(resolved)
  }
  return (await import('./full-command-line.ts')).runCommand(argv, env)
}
