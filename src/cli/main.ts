import { FileError } from '../files/file-error.ts'
import { commands } from './commands.ts'
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
    if (error instanceof FileError) console.error(error.message)
    else console.error(`edgesim: ${error instanceof UsageError ? error.message : ((error as Error)?.stack ?? error)}`)
    exit = error instanceof UsageError || error instanceof FileError ? 2 : 1
  }
  // On some platforms pipes are asynchronous: exiting now would cut off the output.
  await new Promise(resolve => process.stdout.write('', resolve))
  return exit
}

const ignore = () => {}

async function run(argv: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const plain = readPlainStart(argv)
  if (plain) return startOrPrint(await resolve(commands.start.options, plain, env))
  return (await import('./full-command-line.ts')).runCommand(argv, env)
}
