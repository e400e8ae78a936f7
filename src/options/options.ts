import { parseDuration, parseDurationRange } from '../basics/duration.ts'
import { didYouMean, nearest } from '../basics/nearest.ts'
import { DEFAULT_VENDOR, vendorAt } from '../contract/names.ts'
import { SimulatorError } from '../contract/simulator-error.ts'
import { parseTime, TIME } from '../schema/time.ts'
import {
  type CheckedAssumed,
  checkAssumed,
  checkHosts,
  checkOrigins,
  checkTarget,
  checkUrl,
  checkVendor,
  choiceError,
  type Kinds,
  kinds,
  mustBe,
  valueError,
  wholeNumber,
} from './values.ts'

export interface Option {
  kind: keyof Kinds
  describe: string
  choices?: readonly string[]
  default?: unknown
  /** The default in the library, if it differs. */
  libraryDefault?: unknown
  /** Only the command line has it. */
  cliOnly?: true
  /** Not shown by --print-config and /_sim/info. */
  secret?: true
  /** Returns the value that the simulator uses; throws an error that says what is wrong. */
  check?(value: never): unknown
}

/**
 * All options. Each is a flag, an environment variable, a key of the config file and, unless `cliOnly`, an option
 * of `startSimulator`. All of these, the help and docs/cli.md follow from its row.
 */
export const options = {
  fixture: {
    kind: 'fixture',
    describe: 'The starting state: a JSON or YAML file, - for stdin, or the name of a fixture',
    default: 'default',
  },
  port: {
    kind: 'number',
    describe: 'Port to listen on; 0 takes any that is free',
    default: 4600,
    libraryDefault: 0,
    check: wholeNumber(0, 65535),
  },
  host: { kind: 'text', describe: 'Address to listen on; by default 127.0.0.1 and ::1' },
  db: { kind: 'text', describe: 'Store the state in this file, and resume from it' },
  fresh: { kind: 'switch', describe: 'Start over: seed the database from the fixture', default: false },
  durability: {
    kind: 'text',
    describe: 'What an answered write survives: kill -9 (log), or power loss too (fsync)',
    choices: ['log', 'fsync'],
    default: 'log',
  },
  scenario: { kind: 'scenario', describe: 'Fail on purpose: the name of a scenario, or a file' },
  delay: {
    kind: 'text',
    describe: 'Delay every answer of the API: 200ms, or 50ms-300ms for a random delay in this range',
    check: mustBe('a duration like 200ms or a range like 50ms-300ms', parseDurationRange),
  },
  scenariosDir: { kind: 'text', describe: 'A folder of scenarios that can be given by name' },
  fixturesDir: { kind: 'text', describe: 'A folder of fixtures that can be given by name' },
  failOnUnused: {
    kind: 'switch',
    describe: 'Exit with 3 when a rule of any scenario that was in use never fired',
    default: false,
    cliOnly: true,
  },
  vendor: {
    kind: 'text',
    describe: 'The word in the version header and the error codes',
    default: DEFAULT_VENDOR,
    check: checkVendor,
  },
  seed: { kind: 'seed', describe: 'Make ids, tokens and draws repeatable' },
  clock: {
    kind: 'text',
    describe: 'Freeze the clock at this RFC 3339 time',
    check: mustBe<string>(TIME, value => parseTime(value) !== undefined),
  },
  assume: {
    kind: 'assumed',
    describe:
      'NAME=VALUE: change an assumption; ngrok: several, to what public sources say of that vendor; evidence.json: to what edgesim probe found',
    check: checkAssumed,
  },
  baseUrl: {
    kind: 'text',
    describe: 'What uris in answers start with, and a Host to accept; by default the Host of the request',
    check: checkUrl,
  },
  cors: { kind: 'list', describe: 'An origin whose pages may call the API', check: checkOrigins },
  trustProxy: {
    kind: 'switch',
    describe: 'Take the source address from X-Forwarded-For, and the scheme from X-Forwarded-Proto',
    default: false,
  },
  allowUpstream: {
    kind: 'list',
    describe: 'A host that edges and --deliver-to may send to although it is not this machine',
  },
  deliverTo: {
    kind: 'text',
    describe: 'Post events of all destinations to this URL on this machine',
    check: checkTarget,
  },
  allowedHost: { kind: 'list', describe: 'Another Host name to accept; .suffix accepts all names below it' },
  operations: {
    kind: 'list',
    describe:
      'An operation that should be called, or several by a * in it; the report of a run names those that were not',
  },
  controlToken: { kind: 'text', describe: 'Require this bearer token on /_sim', secret: true },
  maxSandboxes: {
    kind: 'number',
    describe: 'The highest number of sandboxes',
    default: 10_000,
    check: wholeNumber(1),
  },
  sandboxTtl: {
    kind: 'text',
    describe: 'Drop sandboxes that were not used for this long, such as 1h; the default one stays',
    check: mustBe('a duration like 30m, 1h or 7d, longer than zero', parseDuration),
  },
  as: {
    kind: 'hosts',
    describe: 'Stand in for this host, for programs that have its address built in; alone: the host of --vendor',
    check: checkHosts,
  },
  passThrough: {
    kind: 'switch',
    describe: 'With --as: let programs reach other hosts by our proxy too',
    default: false,
  },
  tls: { kind: 'switch', describe: 'Serve HTTPS, with a self-signed certificate', default: false },
  tlsDir: {
    kind: 'text',
    describe: 'Serve HTTPS, and keep the self-signed certificate in this folder for the next start',
  },
  tlsCert: { kind: 'text', describe: 'Serve HTTPS with the certificate in this PEM file; needs --tls-key' },
  tlsKey: { kind: 'text', describe: 'The PEM file of the private key of --tls-cert' },
  watch: {
    kind: 'switch',
    describe: 'Reload the fixture or scenario file when it changes',
    default: false,
    cliOnly: true,
  },
  open: { kind: 'switch', describe: 'Open the page in a browser', default: false, cliOnly: true },
  printConfig: {
    kind: 'switch',
    describe: 'Print every value and where it came from, and exit',
    default: false,
    cliOnly: true,
  },
  log: {
    kind: 'text',
    describe: 'What to print while running',
    choices: ['pretty', 'json', 'silent'],
    default: 'pretty',
    cliOnly: true,
  },
} as const satisfies Record<string, Option>

type Table = typeof options
export type OptionName = keyof Table
type ValueOf<O> = O extends { choices: readonly (infer C)[] }
  ? C
  : O extends { kind: infer K extends keyof Kinds }
    ? Kinds[K]
    : never
type LibraryName = { [N in OptionName]: Table[N] extends { cliOnly: true } ? never : N }[OptionName]
type WithDefault = { [N in LibraryName]: Table[N] extends { default: unknown } ? N : never }[LibraryName]

/** The options of `startSimulator`. */
export type SimulatorOptions = { [N in LibraryName]?: ValueOf<Table[N]> }
/** The same, with defaults filled in. */
export type CompleteOptions = Checked<SimulatorOptions> & { [N in WithDefault]: ValueOf<Table[N]> }
/** The checked options of the command line. */
export type CliOptions = Checked<{ [N in OptionName]?: ValueOf<Table[N]> }>
type Checked<O> = Omit<O, 'assume' | 'as'> & { assume?: CheckedAssumed; as?: true | string[] }

export const optionNames = Object.keys(options) as OptionName[]
const libraryNames = optionNames.filter(name => !(options[name] as Option).cliOnly)

/** The text of an environment variable as the value that a file would have. */
export const fromText = (name: OptionName, text: string) => kinds[options[name].kind].fromText(text)

/** The checked value, in the form that the simulator uses. Throws an error that says what is wrong. */
export function checkOption(name: OptionName, given: unknown): unknown {
  const { kind, choices, check }: Option = options[name]
  const { noun, is } = kinds[kind]
  // In YAML a text of digits is a number.
  const value = kind === 'text' && Number.isFinite(given) ? String(given) : given
  if (!is(value)) throw valueError(noun, value)
  if (value === '') throw new Error('must not be empty.')
  if (choices && !choices.includes(value as string)) throw choiceError(choices, value as string)
  return check ? check(value as never) : value
}

/** The vendor that `--as` names, where none is given: its clients send its version header. */
export const vendorOf = ({ as }: Pick<CliOptions, 'as'>) => (Array.isArray(as) ? vendorAt(as) : undefined)

/** Whether it serves HTTPS. */
export const wantsTls = ({ tls, tlsDir, tlsCert, tlsKey }: CliOptions) => Boolean(tls || tlsDir || tlsCert || tlsKey)

/** Checks the library's options and fills in defaults. Throws on an unknown option, which would have no effect. */
export function completeOptions(given: SimulatorOptions): CompleteOptions {
  const complete: Record<string, unknown> = {}
  for (const name of libraryNames) {
    const { default: value, libraryDefault = value }: Option = options[name]
    if (libraryDefault !== undefined) complete[name] = libraryDefault
  }
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue
    if (!libraryNames.includes(name as OptionName))
      throw new SimulatorError(
        'INVALID_OPTION',
        `startSimulator has no option ${name}.${didYouMean(nearest(name, libraryNames))}`,
      )
    try {
      complete[name] = checkOption(name as OptionName, value)
    } catch (error) {
      throw new SimulatorError('INVALID_OPTION', `startSimulator: ${name}: ${(error as Error).message}`)
    }
  }
  if (given.vendor === undefined) complete.vendor = vendorOf(complete) ?? complete.vendor
  return complete as CompleteOptions
}

/** The options of the command line without those that only it has. */
export const forSimulator = (given: CliOptions): SimulatorOptions =>
  Object.fromEntries(libraryNames.flatMap(name => (given[name] === undefined ? [] : [[name, given[name]]])))
