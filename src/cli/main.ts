import yargs, { type Arguments, type Argv } from 'yargs'
import { nearest } from '../files/nearest.ts'
import { version } from '../version.ts'
import { printAssumptions } from './assumptions.ts'
import { COMMANDS } from './commands.ts'
import { exec, readExecution } from './exec.ts'
import { init, type Runner } from './init.ts'
import { printOpenapi } from './openapi.ts'
import { repairFile } from './repair.ts'
import { printConfig, resolve } from './resolve.ts'
import { settings, toFlag, UsageError } from './settings.ts'
import { start } from './start.ts'
import { validate } from './validate.ts'
import { vary } from './vary.ts'

/** Runs the command line and says how the process should end. */
export async function main(argv: string[], env: NodeJS.ProcessEnv): Promise<number> {
  // Whoever reads what is printed may leave; the server goes on.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  let exit: number
  try {
    exit = await run(argv, env)
  } catch (error) {
    console.error(`edgesim: ${error instanceof UsageError ? error.message : ((error as Error)?.stack ?? error)}`)
    exit = error instanceof UsageError ? 2 : 1
  }
  // Where pipes are asynchronous, leaving now would cut the output short.
  await new Promise(resolve => process.stdout.write('', resolve))
  return exit
}

async function run(argv: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const cli = yargs(argv)
    .scriptName('edgesim')
    .usage('$0 [start] [FIXTURE]\n\nA local simulator of a management API.')
    .example('$0', 'serve the default fixture on 127.0.0.1:4600')
    .example('$0 my-fixture.json --port 0', 'serve a fixture of your own on any free port')
    .example('$0 --assume missing_version=accept', 'do without the version header')
    .version(version)
    .detectLocale(false)
    .help()
    .alias('help', 'h')
    .parserConfiguration({ 'camel-case-expansion': true, 'boolean-negation': true, 'populate--': true })
    .options(flags())
    .strictOptions()
    .exitProcess(false)
    .showHelpOnFail(false)
    .fail((message, error) => {
      if (error && error.name !== 'YError') throw error
      throw new UsageError(inOurWords(message))
    })
  let exit = 0
  const given = (args: Arguments) => {
    refuseMore(args)
    return resolve(args, env)
  }
  cli
    .command(['start [fixture]', '$0 [fixture]'], 'Start the simulator', positional('fixture'), async args => {
      const resolved = await given(args)
      if (resolved.values.printConfig) return printConfig(resolved)
      exit = await start(resolved, args.fixture as string | undefined)
    })
    .command('exec [fixture]', 'Run a command against a simulator of its own', execOptions, async args => {
      const command = ((args['--'] ?? []) as unknown[]).map(String)
      const execution = readExecution(await given(args), args.fixture, command, (args.env ?? []) as string[])
      exit = args.vary === undefined ? await exec(execution) : await vary(execution, args.vary as string[])
    })
    .command('validate <files..>', 'Check fixtures and scenarios', positional('files'), async args => {
      const { values } = await resolve(args, env)
      exit = await validate(args.files as unknown as string[], values.fixturesDir as string | undefined)
    })
    .command('init', 'Write a fixture, a scenario, a configuration and a test to start from', initOptions, args => {
      exit = init(args.runner as Runner)
    })
    .command('repair <file>', 'Save what can be saved of a damaged database file', positional('file'), async args => {
      exit = await repairFile(args.file as string)
    })
    .command('assumptions', 'List what the API document leaves open, and what is assumed', {}, async args => {
      printAssumptions(await given(args))
    })
    .command('openapi', 'Print the OpenAPI document of the simulated API', {}, async args => {
      printOpenapi(await given(args))
    })
    .completion('completion', 'Print a script that completes edgesim in your shell')
  await cli.parseAsync()
  return exit
}

const execOptions = (cli: Argv) =>
  cli
    .positional('fixture', { type: 'string' })
    .option('env', { type: 'string', array: true, nargs: 1, describe: 'NAME=url or NAME=token: one more variable for the command' })
    .option('vary', { type: 'string', array: true, describe: 'Run once for each other guess (of these assumptions, or all)' })
    .example('$0 exec -- npm test', 'EDGESIM_URL and EDGESIM_TOKEN tell the tests where to go')
    .example('$0 exec --vary -- npm test', 'which guesses do the tests depend on?')

const initOptions = (cli: Argv) =>
  cli.option('runner', { choices: ['vitest', 'playwright'], default: 'vitest', describe: 'What runs the test' })

const positional = (name: string) => (cli: Argv) => cli.positional(name, { type: 'string' })

/** Without defaults: what is not given may still come from the environment. */
function flags() {
  return Object.fromEntries(
    Object.entries(settings).map(([name, setting]) => {
      const { type, describe } = setting
      const fallback = 'default' in setting ? ` [default: ${setting.default}]` : ''
      const choices = 'choices' in setting ? ` (${setting.choices.join(', ')})` : ''
      const shape =
        type === 'list'
          ? { type: 'string' as const, array: true, nargs: 1 }
          : { type, nargs: type === 'boolean' ? undefined : 1 }
      return [toFlag(name), { ...shape, describe: `${describe}${choices}${fallback}` }]
    }),
  )
}

/** yargs lets words pass that no command has a place for. */
function refuseMore({ _: words }: Arguments) {
  const extra = words[COMMANDS.includes(String(words[0])) ? 1 : 0]
  if (extra !== undefined)
    throw new UsageError(`"${extra}" is one word too many. edgesim --help shows what goes where.`)
}

/** yargs' complaint with what to do about it. */
function inOurWords(message: string): string {
  const unknown = /Unknown arguments?: ([\w-]+)/.exec(message)?.[1]
  const bare = /Not enough arguments following: ([\w-]+)/.exec(message)?.[1]
  if (bare) return `--${bare} needs a value. edgesim --help lists the options.`
  if (/Not enough non-option arguments/.test(message))
    return 'the name of a file is missing. edgesim --help shows what goes where.'
  if (!unknown) return `${message}. edgesim --help shows what goes where.`
  const close = nearest(unknown, Object.keys(settings).map(toFlag))
  return `there is no option --${unknown}.${close ? ` Did you mean --${close}?` : ''} edgesim --help lists them.`
}
