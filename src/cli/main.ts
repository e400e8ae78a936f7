import { printableLines } from '../basics/text.ts'
import { FileError } from '../files/file-error.ts'
import { commands } from './commands/commands.ts'
import { refuseUnknownCommand } from './named.ts'
import { readPlainStart, startOrPrint } from './plain-start.ts'
import { resolve } from './resolve.ts'
import { UsageError } from './usage-error.ts'

/** Runs the command line and returns the exit code. */
export async function main(argv: string[], env: NodeJS.ProcessEnv): Promise<number> {
  // A reader of our output may exit; the server goes on.
  for (const stream of [process.stdout, process.stderr]) stream.off('error', ignore).on('error', ignore)
  let exit: number
  try {
    exit = await run(argv, env)
  } catch (error) {
    if (error instanceof FileError) console.error(printableLines(error.message))
    else console.error(`edgesim: ${error instanceof UsageError ? error.message : ((error as Error)?.stack ?? error)}`)
    exit = error instanceof UsageError || error instanceof FileError ? 2 : 1
  }
  await printed(process.stdout)
  return exit
}

const PATIENCE_MS = 1000

/** Pipes may be asynchronous: exiting at once would cut off the output. But who never reads must not keep us. */
function printed(output: NodeJS.WriteStream): Promise<void> {
  return new Promise(resolve => {
    let left = output.writableLength
    const timer = setInterval(() => {
      if (output.writableLength === left) done()
      left = output.writableLength
    }, PATIENCE_MS)
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
    refuseUnknownCommand(argv[0], resolved)
    return startOrPrint(resolved)
  }
  return (await import('./full-command-line.ts')).runCommand(argv, env)
}
