import yargs, { type Arguments, type Argv, type Options } from 'yargs'
import { didYouMean, nearest } from '../basics/nearest.ts'
import { changeable, valuesOf } from '../engine/assumptions.ts'
import { STDIN } from '../engine/files/document.ts'
import { NamedFiles } from '../engine/files/named-files.ts'
import { version } from '../engine/files/package.ts'
import { ngrokAssumptions } from '../ngrok/questions.ts'
import { type Option, type OptionName, optionNames, options } from '../simulator/options/options.ts'
import { COMMANDS, type Command, type CommandName, commands, SHELLS } from './commands/commands.ts'
import type { EnvOptions } from './commands/env.ts'
import type { OwnOptions } from './commands/exec.ts'
import type { HealthOptions } from './commands/health.ts'
import type { ImportArguments } from './commands/import.ts'
import type { InitOptions } from './commands/init.ts'
import type { McpOptions } from './commands/mcp.ts'
import type { ProbeOptions } from './commands/probe.ts'
import { checkFirstWord } from './named.ts'
import { startOrPrint } from './plain-start.ts'
import { UsageError } from './process/exit-code.ts'
import { type Resolved, resolve, toFlag } from './resolve.ts'

type Handler = (
  args: Arguments,
  resolved: Resolved,
  given: { argv: string[]; cli: Argv; env: NodeJS.ProcessEnv },
) => number | Promise<number>

/** Each handler loads its own modules, so help and completion start without the simulator. */
const handlers: Record<CommandName, Handler> = {
  start: (_, resolved) => startOrPrint(resolved),
  async exec(args, resolved) {
    const { exec, readExecution } = await import('./commands/exec.ts')
    const execution = readExecution(resolved, args as OwnOptions)
    const ended =
      args.vary === undefined
        ? await exec(execution)
        : await (await import('./commands/vary.ts')).vary(execution, args as OwnOptions)
    return (await import('./process/report-file.ts')).report(execution, ended)
  },
  env: async (args, resolved, { env }) =>
    (await import('./commands/env.ts')).printEnvironment(resolved, args as EnvOptions, env),
  health: async (args, resolved, { env }) =>
    (await import('./commands/health.ts')).health(resolved, args as HealthOptions, env),
  async validate({ files, json }, resolved, { argv }) {
    // yargs drops a - between other words.
    const all = [...(files as string[]), ...argv.filter(word => word === STDIN)]
    if (all.length === 0) throw new UsageError(`No files to check. Use edgesim ${commands.validate.usage}`)
    return (await import('./commands/validate.ts')).validate(all, resolved, json as boolean | undefined)
  },
  import: async (args, _, { env }) =>
    (await import('./commands/import.ts')).importFixture(args as ImportArguments, env),
  init: async args => (await import('./commands/init.ts')).init(args as InitOptions),
  assumptions: async (_, resolved) => (await import('./commands/print.ts')).printAssumptions(resolved),
  openapi: async (_, resolved) => (await import('./commands/print.ts')).printOpenapi(resolved),
  probe: async (args, _, { env }) => (await import('./commands/probe.ts')).probeCommand(args as ProbeOptions, env),
  mcp: async (args, resolved) => (await import('./commands/mcp.ts')).mcp(resolved, args as McpOptions),
  completion(_args, _resolved, { cli }) {
    cli.showCompletionScript()
    return 0
  },
}

/** yargs chooses the script by these variables, which it reads when it is created. */
function useShell(shell: string) {
  if (!SHELLS.includes(shell)) throw new UsageError(`No completion for "${shell}". Use one of ${SHELLS.join(', ')}.`)
  process.env.SHELL = shell
  process.env.ZSH_NAME = ''
}

/** The full command line: every command, help, completion and usage errors. */
export async function runCommand(given: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const argv = given[0] === 'help' ? [...given.slice(1), '--help'] : given
  if (argv[0] === 'completion' && /^\w/.test(argv[1] ?? '')) useShell(argv[1]!)
  let exit = 0
  const cli = yargs(argv)
    .scriptName('edgesim')
    .usage('A local simulator of an ngrok-style management API.')
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
  const purpose = purposeOf(argv)
  // Without a command, complete the options of start.
  if (purpose === 'complete') cli.options(optionsOf(commands.start, purpose))
  for (const [name, command] of Object.entries(commands) as [CommandName, Command][]) {
    cli.command(wordsOf(name, command), command.describe, withOptions(command, purpose), async args => {
      const resolved = await resolve(command.options, args, env)
      checkFirstWord(argv[0], resolved)
      checkSurplus(args, name)
      exit = await handlers[name](args, resolved, { argv, cli, env })
    })
  }
  await cli.parseAsync()
  return exit
}

/** A command and its arguments, in yargs notation. */
function wordsOf(name: CommandName, { positional }: Command): string[] {
  const rest = positional ? ` [${positional.name}${positional.many ? '..' : ''}]` : ''
  return name === 'start' ? [name + rest, `$0${rest}`] : [name + rest]
}

/** Why yargs reads the options. It formats the help at every run, and hidden options save time. */
type Purpose = 'run' | 'help' | 'complete'

const purposeOf = (argv: string[]): Purpose =>
  argv[0] === '--get-yargs-completions' ? 'complete' : argv.some(word => /^(-h|--help)$/.test(word)) ? 'help' : 'run'

const withOptions = (command: Command, purpose: Purpose) => (cli: Argv) => {
  const { usage, describe, positional, examples } = command
  cli.options(optionsOf(command, purpose))
  if (positional) cli.positional(positional.name, { type: 'string', describe: positional.describe })
  for (const [line, what] of purpose === 'help' ? examples : []) cli.example(`$0 ${line}`.trim(), what)
  return cli.usage(`edgesim ${usage}\n\n${describe}`)
}

function optionsOf({ options: names, own = {}, defaults = {} }: Command, purpose: Purpose): Record<string, Options> {
  const flags = names.map(name => [toFlag(name), flag(name, defaults[name], purpose)] as const)
  const all = Object.entries({ ...Object.fromEntries(flags), ...own })
  return Object.fromEntries(all.map(([name, option]) => [name, { ...option, hidden: purpose === 'run' }]))
}

/** Sets no default in yargs: the value may come from the environment. */
function flag(name: OptionName, own: unknown, purpose: Purpose): Options {
  const { kind, describe, choices, default: shared }: Option = options[name]
  const value = own ?? shared
  const described = `${describe}${choices ? ` (${choices.join(', ')})` : ''}${value === undefined || value === false ? '' : ` [default: ${value}]`}`
  if (kind === 'switch') return { type: 'boolean', describe: described }
  return {
    // Numbers are parsed later: yargs would accept 80. and 0x50.
    type: kind === 'number' && purpose === 'help' ? 'number' : 'string',
    array: kind === 'list' || kind === 'assumed',
    nargs: kind === 'hosts' ? undefined : 1,
    describe: described,
    alias: name === 'port' ? 'p' : undefined,
    // Only for completion: values are checked later, and the message suggests the closest one.
    choices: purpose === 'complete' ? completionsFor(name) : undefined,
  }
}

function completionsFor(name: OptionName): readonly string[] | undefined {
  const { kind, choices }: Option = options[name]
  if (kind === 'fixture') return new NamedFiles('fixtures', undefined).names()
  if (kind === 'scenario') return new NamedFiles('scenarios', undefined).names()
  if (kind !== 'assumed') return choices
  const pairs = changeable(ngrokAssumptions).flatMap(assumption =>
    valuesOf(ngrokAssumptions, assumption).map(value => `${assumption}=${value}`),
  )
  return [...Object.keys(ngrokAssumptions.presets), ...pairs]
}

/** yargs ignores surplus words. */
function checkSurplus({ _: words, fixture }: Arguments, command: CommandName) {
  const extra = words.slice(COMMANDS.includes(String(words[0])) ? 1 : 0)
  if (extra.length === 0) return
  const hint = command === 'exec' ? `Put -- before the command: edgesim exec -- ${[fixture, ...extra].join(' ')}` : ''
  throw new UsageError(`Unexpected argument "${extra[0]}". ${hint || 'See edgesim --help.'}`)
}

const flagsOfAll = [
  ...optionNames.map(toFlag),
  ...(Object.values(commands) as Command[]).flatMap(({ own = {} }) => Object.keys(own)),
  'help',
  'version',
]

/**
 * Replaces messages of yargs. For an unknown option the message is only its name, to find the closest option.
 */
const UNKNOWN = 'unknown option: '
const anyCount = (text: string) => ({ one: text, other: text }) as unknown as string
const STRINGS = {
  'Unknown argument: %s': anyCount(`${UNKNOWN}%s`),
  'Not enough arguments following: %s': 'Option --%s requires a value',
}

function plainMessage(message: string): string {
  if (!message.startsWith(UNKNOWN)) return `${message.split('\n').join(' ').trim()}. See edgesim --help.`
  const [unknown] = message.slice(UNKNOWN.length).split(', ') as [string]
  if (flagsOfAll.includes(unknown)) return `This command has no option --${unknown}. See edgesim COMMAND --help.`
  const closest = nearest(unknown, flagsOfAll)
  return `Unknown option --${unknown}.${didYouMean(closest && `--${closest}`)} See edgesim --help.`
}
