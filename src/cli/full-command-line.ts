import yargs, { type Arguments, type Argv } from 'yargs'
import { didYouMean, nearest } from '../basics/nearest.ts'
import { STDIN } from '../files/document.ts'
import { version } from '../files/package.ts'
import { type Option, type OptionName, optionNames, options } from '../options/options.ts'
import { COMMANDS, COMPLETE, type Command, type CommandName, commands } from './commands/commands.ts'
import type { OwnOptions } from './commands/exec.ts'
import type { Runner } from './commands/init.ts'
import type { McpOptions } from './commands/mcp.ts'
import { checkFirstWord } from './named.ts'
import { startOrPrint } from './plain-start.ts'
import { UsageError } from './process/exit-code.ts'
import { type Resolved, resolve, toFlag } from './resolve.ts'

type Handler = (
  args: Arguments,
  resolved: Resolved,
  given: { argv: string[]; env: NodeJS.ProcessEnv },
) => number | Promise<number>

/** Each handler loads what it needs, so that help and completion start without the simulator. */
const handlers: Record<CommandName, Handler> = {
  start: (_, resolved) => startOrPrint(resolved),
  async exec(args, resolved) {
    const [{ exec, readExecution }, { vary }] = await Promise.all([
      import('./commands/exec.ts'),
      import('./commands/vary.ts'),
    ])
    const command = ((args['--'] ?? []) as unknown[]).map(String)
    const execution = readExecution(resolved, command, args as OwnOptions)
    return args.vary === undefined ? exec(execution) : vary(execution, args.vary as string[], args.failOnVary === true)
  },
  async validate({ files, json }, resolved, { argv }) {
    // yargs drops a - among several words.
    const all = [...(files as string[]), ...argv.filter(word => word === STDIN)]
    return (await import('./commands/validate.ts')).validate(
      required(all, 'validate'),
      resolved,
      json as boolean | undefined,
    )
  },
  init: async ({ runner }) => (await import('./commands/init.ts')).init(runner as Runner),
  assumptions: async (_, resolved) => (await import('./commands/print.ts')).printAssumptions(resolved),
  openapi: async (_, resolved) => (await import('./commands/print.ts')).printOpenapi(resolved),
  mcp: async (args, resolved) => (await import('./commands/mcp.ts')).mcp(resolved, args as McpOptions),
  completion: async ({ shell }, _resolved, { env }) =>
    (await import('./commands/completion.ts')).printScript(shell as string | undefined, env),
}

function required<T>(file: unknown, command: CommandName): T {
  if ([file ?? []].flat().length > 0) return file as T
  throw new UsageError(`${command} needs a file: edgesim ${commands[command].usage}`)
}

/** The whole command line: every command, help, completion, and messages for wrong use. */
export async function runCommand(given: string[], env: NodeJS.ProcessEnv): Promise<number> {
  if (given[0] === COMPLETE) {
    const { complete } = await import('./commands/completion.ts')
    for (const word of complete(given.slice(1))) console.log(word)
    return 0
  }
  const argv = given[0] === 'help' ? [...given.slice(1), '--help'] : given
  let exit = 0
  const cli = yargs(argv)
    .scriptName('edgesim')
    .usage('A local simulator of a management API.')
    .version(version)
    .detectLocale(false)
    .help()
    .alias({ help: 'h', version: 'v' })
    .parserConfiguration({ 'camel-case-expansion': true, 'boolean-negation': true, 'populate--': true })
    .strictOptions()
    .exitProcess(false)
    .showHelpOnFail(false)
    .updateStrings(STRINGS)
    .fail((message, error) => {
      if (error && error.name !== 'YError') throw error
      throw new UsageError(plainMessage(message ?? ''))
    })
  const helped = argv.some(word => /^(-h|--help)$/.test(word))
  for (const [name, command] of Object.entries(commands) as [CommandName, Command][]) {
    cli.command(command.takes, command.describe, withOptions(command, helped), async args => {
      const resolved = await resolve(command.options, args, env)
      checkFirstWord(argv[0], resolved)
      checkSurplus(args, name)
      exit = await handlers[name](args, resolved, { argv, env })
    })
  }
  await cli.parseAsync()
  return exit
}

/** yargs formats the help at every run; hidden options take no time. */
const withOptions =
  ({ usage, describe, positional, options: names, own = {}, defaults = {}, examples }: Command, helped: boolean) =>
  (cli: Argv): Argv => {
    const all = { ...Object.fromEntries(names.map(name => [toFlag(name), flag(name, defaults[name], helped)])), ...own }
    for (const [name, option] of Object.entries(all)) cli.option(name, { ...option, hidden: !helped })
    if (positional) cli.positional(positional.name, { type: 'string', describe: positional.describe })
    for (const [command, what] of helped ? examples : []) cli.example(`$0 ${command}`.trim(), what)
    return cli.usage(`edgesim ${usage}\n\n${describe}`)
  }

/** Without a default: what is not given may still come from the environment. */
function flag(name: OptionName, own: unknown, helped: boolean) {
  const { kind, describe, choices, default: usual }: Option = options[name]
  const value = own ?? usual
  const described = `${describe}${choices ? ` (${choices.join(', ')})` : ''}${value === undefined ? '' : ` [default: ${value}]`}`
  if (kind === 'switch') return { type: 'boolean' as const, describe: described }
  const array = kind === 'list' || kind === 'assumed'
  // Numbers are read by us: yargs would take 80. and 0x50 for some.
  const type = kind === 'number' && helped ? ('number' as const) : ('string' as const)
  return { type, array, nargs: 1, describe: described, alias: name === 'port' ? 'p' : undefined }
}

/** yargs ignores surplus words; we reject them. */
function checkSurplus({ _: words, fixture }: Arguments, command: CommandName) {
  const extra = words.slice(COMMANDS.includes(String(words[0])) ? 1 : 0)
  if (extra.length === 0) return
  const hint = command === 'exec' ? `Put -- before the command: edgesim exec -- ${[fixture, ...extra].join(' ')}` : ''
  throw new UsageError(`unexpected argument "${extra[0]}". ${hint || 'See edgesim --help.'}`)
}

const flagsOfAll = [
  ...optionNames.map(toFlag),
  ...(Object.values(commands) as Command[]).flatMap(({ own = {} }) => Object.keys(own)),
  'help',
  'version',
]

/**
 * Our texts for yargs' messages. For an unknown option the message is only its name, so that the nearest can be found.
 */
const UNKNOWN = 'unknown option: '
const counted = (text: string) => ({ one: text, other: text }) as unknown as string
const STRINGS = {
  'Unknown argument: %s': counted(`${UNKNOWN}%s`),
  'Not enough arguments following: %s': '--%s needs a value',
}

function plainMessage(message: string): string {
  if (!message.startsWith(UNKNOWN)) return `${message.split('\n').join(' ').trim()}. See edgesim --help.`
  const [unknown] = message.slice(UNKNOWN.length).split(', ') as [string]
  if (flagsOfAll.includes(unknown)) return `--${unknown} is not an option of this command. See edgesim COMMAND --help.`
  const close = nearest(unknown, flagsOfAll)
  return `there is no option --${unknown}.${didYouMean(close && `--${close}`)} See edgesim --help.`
}
