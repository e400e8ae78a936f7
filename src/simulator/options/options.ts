import { parseDuration, parseDurationRange } from '../../basics/duration.ts'
import { didYouMean, nearest } from '../../basics/nearest.ts'
import { DEFAULT_VENDOR } from '../../contract/names.ts'
import { SimulatorError } from '../../contract/simulator-error.ts'
import type { Assumptions } from '../../engine/assumptions.ts'
import { parseTime, TIME } from '../../engine/language/time.ts'
import { ngrokAssumptions } from '../../ngrok/questions.ts'
import { vendorAt } from '../../ngrok/vendor.ts'
import {
  type CheckedAssumed,
  checkAssumed,
  checkHosts,
  checkOrigins,
  checkTarget,
  checkUrl,
  checkVendor,
  choiceError,
  integer,
  type Kinds,
  kinds,
  mustBe,
  valueError,
} from './values.ts'

export interface Option {
  kind: keyof Kinds
  describe: string
  choices?: readonly string[]
  default?: unknown
  /** The default in the library, if it differs. */
  libraryDefault?: unknown
  /** Not an option of the library. */
  cliOnly?: true
  /** Not shown by --print-config and /_sim/info. */
  secret?: true
  /** Returns the value that the simulator uses, or throws an error that describes the problem. */
  check?(value: never, api: Assumptions): unknown
}

/**
 * Each option is a flag, an environment variable, a key of the config file and, unless `cliOnly`, an option of
 * `startSimulator`. Help and docs/cli.md are generated from this table.
 */
export const options = {
  fixture: {
    kind: 'fixture',
    describe: 'Initial state: a fixture name, a JSON or YAML file, or - for stdin',
    default: 'default',
  },
  port: {
    kind: 'number',
    describe: 'Port of the simulator (0: any free port)',
    default: 4600,
    libraryDefault: 0,
    check: integer(0, 65535),
  },
  host: { kind: 'text', describe: 'Address to listen on [default: 127.0.0.1 and ::1]' },
  db: { kind: 'text', describe: 'Store the state in FILE and resume from it' },
  fresh: { kind: 'switch', describe: 'Replace the state in --db with the fixture', default: false },
  durability: {
    kind: 'text',
    describe: 'Durability of writes: log survives kill -9, fsync also survives power loss',
    choices: ['log', 'fsync'],
    default: 'log',
  },
  scenario: { kind: 'scenario', describe: 'Inject faults from a scenario (name or file)' },
  delay: {
    kind: 'text',
    describe: 'Delay every API response (200ms, or 50ms-300ms for a random delay)',
    check: mustBe('a duration like 200ms or a range like 50ms-300ms', parseDurationRange),
  },
  scenariosDir: { kind: 'text', describe: 'Directory of scenarios to use by name' },
  fixturesDir: { kind: 'text', describe: 'Directory of fixtures to use by name' },
  failOnUnused: {
    kind: 'switch',
    describe: 'Exit with code 3 if a rule of any active scenario never fired',
    default: false,
    cliOnly: true,
  },
  vendor: {
    kind: 'text',
    describe: 'Vendor name in the version header and error codes',
    default: DEFAULT_VENDOR,
    check: checkVendor,
  },
  seed: { kind: 'seed', describe: 'Make IDs, tokens and random choices repeatable' },
  clock: {
    kind: 'text',
    describe: 'Freeze the clock at TIME (RFC 3339)',
    check: mustBe<string>(TIME, value => parseTime(value) !== undefined),
  },
  assume: {
    kind: 'assumed',
    describe:
      'Set an assumption (NAME=VALUE), a preset (ngrok), or the results of edgesim probe (evidence.json); repeatable',
    check: checkAssumed,
  },
  baseUrl: {
    kind: 'text',
    describe: 'Public URL of the API, used in uri fields and accepted as Host [default: the Host header]',
    check: checkUrl,
  },
  cors: { kind: 'list', describe: 'Origin that may call the API from a browser (repeatable)', check: checkOrigins },
  trustProxy: {
    kind: 'switch',
    describe: 'Trust X-Forwarded-For (source address) and X-Forwarded-Proto (scheme)',
    default: false,
  },
  allowUpstream: {
    kind: 'list',
    describe: 'Remote host that edges and --deliver-to may send to (repeatable)',
  },
  deliverTo: {
    kind: 'text',
    describe: 'Send the events of all destinations to URL (loopback, or a host in --allow-upstream)',
    check: checkTarget,
  },
  allowedHost: {
    kind: 'list',
    describe: 'Additional Host name to accept; .example.com accepts all subdomains (repeatable)',
  },
  operations: {
    kind: 'list',
    describe: 'Operation that counts towards coverage; * matches any characters (repeatable)',
  },
  controlToken: { kind: 'text', describe: 'Bearer token required by /_sim', secret: true },
  maxSandboxes: {
    kind: 'number',
    describe: 'Maximum number of sandboxes',
    default: 10_000,
    check: integer(1),
  },
  sandboxTtl: {
    kind: 'text',
    describe: 'Drop sandboxes unused for DURATION, such as 1h (except the default sandbox)',
    check: mustBe('a duration like 30m, 1h or 7d, longer than zero', parseDuration),
  },
  as: {
    kind: 'hosts',
    describe: 'Redirect a hard-coded HOST to the simulator (repeatable; no value: the API host of --vendor)',
    check: checkHosts,
  },
  passThrough: {
    kind: 'switch',
    describe: 'With --as: let clients reach other hosts through the proxy',
    default: false,
  },
  tls: { kind: 'switch', describe: 'Serve HTTPS with a self-signed certificate', default: false },
  tlsDir: {
    kind: 'text',
    describe: 'Serve HTTPS with a self-signed certificate stored in DIR, and reuse it on the next run',
  },
  tlsCert: { kind: 'text', describe: 'Serve HTTPS with the certificate in FILE (PEM, requires --tls-key)' },
  tlsKey: { kind: 'text', describe: 'Private key of --tls-cert, in FILE (PEM)' },
  stopGrace: {
    kind: 'text',
    describe: 'Time for open requests at shutdown, such as 5s',
    default: '1s',
    check: mustBe('a duration like 500ms or 5s', text => parseDuration(text) !== undefined),
  },
  watch: {
    kind: 'switch',
    describe: 'Reload the fixture or scenario file when it changes',
    default: false,
    cliOnly: true,
  },
  open: { kind: 'switch', describe: 'Open the dashboard in a browser', default: false, cliOnly: true },
  printConfig: {
    kind: 'switch',
    describe: 'Print every option with its value and source, and exit',
    default: false,
    cliOnly: true,
  },
  log: {
    kind: 'text',
    describe: 'Log format',
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

/** Parses an environment variable to the value that a config file would have. */
export const fromText = (name: OptionName, text: string) => kinds[options[name].kind].fromText(text)

/** The checked value, as the simulator uses it. Throws an error that describes the problem. */
export function checkOption(name: OptionName, given: unknown, api: Assumptions = ngrokAssumptions): unknown {
  const { kind, choices, check }: Option = options[name]
  const { noun, is } = kinds[kind]
  // YAML reads digits as a number.
  const value = kind === 'text' && Number.isFinite(given) ? String(given) : given
  if (!is(value)) throw valueError(noun, value)
  if (value === '') throw new Error('must not be empty.')
  if (choices && !choices.includes(value as string)) throw choiceError(choices, value as string)
  return check ? check(value as never, api) : value
}

/** The vendor of the `--as` host, for a start without `--vendor`. Clients of that host send this vendor's version header. */
export const vendorOf = ({ as }: Pick<CliOptions, 'as'>) => (Array.isArray(as) ? vendorAt(as) : undefined)

export const wantsTls = ({ tls, tlsDir, tlsCert, tlsKey }: CliOptions) => Boolean(tls || tlsDir || tlsCert || tlsKey)

/** Checks the library's options and fills in defaults. Throws on an unknown option. */
export function completeOptions(given: SimulatorOptions, api?: Assumptions): CompleteOptions {
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
        `Unknown option "${name}" of startSimulator.${didYouMean(nearest(name, libraryNames))}`,
      )
    try {
      complete[name] = checkOption(name as OptionName, value, api)
    } catch (error) {
      throw new SimulatorError('INVALID_OPTION', `startSimulator: ${name}: ${(error as Error).message}`)
    }
  }
  if (given.vendor === undefined) complete.vendor = vendorOf(complete) ?? complete.vendor
  return complete as CompleteOptions
}

/** The command line's options that the library also has. */
export const forSimulator = (given: CliOptions): SimulatorOptions =>
  Object.fromEntries(libraryNames.flatMap(name => (given[name] === undefined ? [] : [[name, given[name]]])))
