import yargs, { type Argv } from 'yargs'
import { nearest } from '../files/nearest.ts'
import { version } from '../version.ts'
import { printAssumptions } from './assumptions.ts'
import { printOpenapi } from './openapi.ts'
import { resolve, settings, toFlag, UsageError } from './settings.ts'
import { start } from './start.ts'
import { validate } from './validate.ts'

/** Runs the command line and says how the process should end. */
export async function main(argv: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const cli = yargs(argv)
    .scriptName('edgesim')
    .usage('$0 [start] [FIXTURE]\n\nA local simulator of a management API.')
    .example('$0', 'serve the default fixture on 127.0.0.1:4600')
    .example('$0 my-fixture.json --port 0', 'serve a fixture of your own on any free port')
    .example('$0 --assume missing_version=accept', 'do without the version header')
    .version(version)
    .help()
    .alias('help', 'h')
    .parserConfiguration({ 'camel-case-expansion': true, 'boolean-negation': true, 'populate--': true })
    .options(flags())
    .strictOptions()
    .exitProcess(false)
    .showHelpOnFail(false)
    .fail((message, error) => {
      throw error ?? new UsageError(withNearest(message))
    })
  let exit = 0
  const given = (args: Record<string, unknown>) => resolve(args, env)
  cli
    .command(['start [fixture]', '$0 [fixture]'], 'Start the simulator', positional('fixture'), async args => {
      exit = await start(given(args), args.fixture as string | undefined)
    })
    .command('validate <files..>', 'Check fixtures', positional('files'), async args => {
      exit = await validate(args.files as unknown as string[])
    })
    .command('assumptions', 'List what the API document leaves open, and what is assumed', {}, args => {
      printAssumptions(given(args))
    })
    .command('openapi', 'Print the OpenAPI document of the simulated API', {}, args => {
      printOpenapi(given(args))
    })
  try {
    await cli.parseAsync()
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    console.error(`edgesim: ${error.message}`)
    return 2
  }
  return exit
}

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

function withNearest(message: string): string {
  const unknown = /Unknown arguments?: ([\w-]+)/.exec(message)?.[1]
  if (!unknown) return `${message}. edgesim --help lists the options.`
  const close = nearest(unknown, Object.keys(settings).map(toFlag))
  return `there is no option --${unknown}.${close ? ` Did you mean --${close}?` : ''} edgesim --help lists them.`
}
