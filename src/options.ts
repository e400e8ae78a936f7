import { type Assumed, assumptions, isAssumption, valuesOf } from './assumptions.ts'
import { parseTime, TIME } from './schema/time.ts'
import { parseDurationRange } from './words/duration.ts'
import { didYouMean, nearest } from './words/nearest.ts'

/** The values an option can have, by its kind. */
interface Kinds {
  text: string
  number: number
  switch: boolean
  list: string[]
  /** A file, a name on the shelf, or the thing itself. */
  source: string | Record<string, unknown>
  seed: string | number
  assumed: Assumed
}

export interface Option {
  kind: keyof Kinds
  describe: string
  choices?: readonly string[]
  default?: unknown
  /** The default in the library, if it differs. */
  libraryDefault?: unknown
  /** Has a meaning for the command line only. */
  cliOnly?: true
  /** Never shown, neither by --print-config nor by /_sim/info. */
  secret?: true
  /** The value as the simulator takes it; throws with what is wrong. */
  check?(value: never): unknown
}

/**
 * Every option there is: a flag, an environment variable, a key of the configuration file and, unless it is for the
 * command line only, an option of `startSimulator`. All of that, the help and docs/cli.md follow from its row.
 */
export const options = {
  fixture: {
    kind: 'source',
    describe: 'The starting state: a JSON or YAML file, or the name of a fixture',
    default: 'default',
  },
  port: {
    kind: 'number',
    describe: 'Port to listen on; 0 takes any that is free',
    default: 4600,
    libraryDefault: 0,
    check: (value: number) => whole(value, 0, 65535),
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
  scenario: { kind: 'source', describe: 'Fail on purpose: the name of a scenario, or a file' },
  delay: {
    kind: 'text',
    describe: 'Delay every answer of the API: 200ms, or 50ms-300ms for anything in between',
    check: checkDelay,
  },
  scenariosDir: { kind: 'text', describe: 'A folder of scenarios that can be given by name' },
  fixturesDir: { kind: 'text', describe: 'A folder of fixtures that can be given by name' },
  failOnUnused: {
    kind: 'switch',
    describe: 'Exit with 3 when a rule of a scenario never fired',
    default: false,
    cliOnly: true,
  },
  vendor: {
    kind: 'text',
    describe: 'The word in the version header and the error codes',
    default: 'service',
    check: checkVendor,
  },
  seed: { kind: 'seed', describe: 'Make ids, tokens and draws repeatable' },
  clock: { kind: 'text', describe: 'Freeze the clock at this RFC 3339 time', check: checkTime },
  assume: { kind: 'assumed', describe: 'NAME=VALUE: change an assumption', check: checkAssumed },
  baseUrl: {
    kind: 'text',
    describe: 'What uris in answers start with; by default the Host of the request',
    check: checkUrl,
  },
  cors: { kind: 'list', describe: 'An origin whose pages may call the API', check: checkOrigins },
  trustProxy: { kind: 'switch', describe: 'Take the source address from X-Forwarded-For', default: false },
  allowedHost: { kind: 'list', describe: 'Another Host name to accept; .suffix accepts all names below it' },
  controlToken: { kind: 'text', describe: 'Require this bearer token on /_sim', secret: true },
  maxSandboxes: {
    kind: 'number',
    describe: 'The highest number of sandboxes',
    default: 10_000,
    check: (value: number) => whole(value, 1),
  },
  tls: { kind: 'switch', describe: 'Serve HTTPS, with a self-signed certificate', default: false },
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

/** What a simulator can be started with. */
export type SimulatorOptions = { [N in LibraryName]?: ValueOf<Table[N]> }
/** The same, with defaults filled in. */
export type CompleteOptions = SimulatorOptions & { [N in WithDefault]: ValueOf<Table[N]> }
/** What the command line can be given. */
export type CliOptions = { [N in OptionName]?: ValueOf<Table[N]> }

export const optionNames = Object.keys(options) as OptionName[]
const libraryNames = optionNames.filter(name => !(options[name] as Option).cliOnly)

interface Kind {
  /** What a value must be, in words. */
  noun: string
  is(value: unknown): boolean
  /** Reads the text of an environment variable. */
  fromText(text: string): unknown
  /** The same for editors. */
  schema: Record<string, unknown>
}

const isText = (value: unknown) => typeof value === 'string'
const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)
const isList = (value: unknown) => Array.isArray(value) && value.every(isText)
const same = (text: string) => text
const split = (text: string) =>
  text
    .split(',')
    .map(part => part.trim())
    .filter(Boolean)

const TEXT = { type: 'string' }
const OBJECT = { type: 'object' }

const KINDS: Record<keyof Kinds, Kind> = {
  text: { noun: 'a string', is: isText, fromText: same, schema: TEXT },
  number: { noun: 'a number', is: Number.isFinite, fromText: Number, schema: { type: 'number' } },
  switch: {
    noun: 'true or false',
    is: value => typeof value === 'boolean',
    fromText: readSwitch,
    schema: { type: 'boolean' },
  },
  list: { noun: 'a list of strings', is: isList, fromText: split, schema: { type: 'array', items: TEXT } },
  source: {
    noun: 'a string or an object',
    is: value => isText(value) || isObject(value),
    fromText: same,
    schema: { anyOf: [TEXT, OBJECT] },
  },
  seed: {
    noun: 'a string or a number',
    is: value => isText(value) || Number.isFinite(value),
    fromText: same,
    schema: { type: ['string', 'number'] },
  },
  assumed: {
    noun: 'an object of names and values',
    is: value => isList(value) || isObject(value),
    fromText: split,
    schema: { type: 'object', properties: assumedProperties(), additionalProperties: false },
  },
}

function assumedProperties() {
  const names = Object.keys(assumptions).filter(isAssumption)
  return Object.fromEntries(
    names.map(name => [name, { description: assumptions[name].question, enum: valuesOf(name) }]),
  )
}

/** JSON Schema of the configuration file. */
export function configSchema() {
  const properties = Object.entries<Option>(options).map(([name, { kind, describe, choices, default: value }]) => [
    name,
    { description: describe, ...KINDS[kind].schema, ...(choices && { enum: choices }), default: value },
  ])
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'edgesim configuration',
    description: 'Options of edgesim, in edgesim.config.json or edgesim.config.yaml.',
    type: 'object',
    properties: { $schema: TEXT, ...Object.fromEntries(properties) },
    additionalProperties: false,
  }
}

function readSwitch(text: string): unknown {
  if (/^(true|1|yes)$/i.test(text)) return true
  return /^(false|0|no)$/i.test(text) ? false : text
}

/** The value of an environment variable, as it would be in a file. */
export const fromText = (name: OptionName, text: string) => KINDS[options[name].kind].fromText(text)

/** The checked value, in the form that the simulator uses. Throws with what is wrong. */
export function checkOption(name: OptionName, given: unknown): unknown {
  const { kind, choices, check }: Option = options[name]
  const { noun, is } = KINDS[kind]
  // In YAML, a text of digits is a number.
  const value = kind === 'text' && Number.isFinite(given) ? String(given) : given
  if (!is(value)) throw wrong(noun, value)
  if (value === '') throw new Error('must not be empty.')
  if (choices && !choices.includes(value as string)) {
    const hint = didYouMean(nearest(value as string, choices))
    throw new Error(wrong(`one of ${choices.join(', ')}`, value).message + hint)
  }
  return check ? check(value as never) : value
}

/** Checks the library's options and fills in defaults. An unknown or invalid option throws: it would have no effect. */
export function completeOptions(given: SimulatorOptions): CompleteOptions {
  const complete: Record<string, unknown> = {}
  for (const name of libraryNames) {
    const { default: value, libraryDefault = value }: Option = options[name]
    if (libraryDefault !== undefined) complete[name] = libraryDefault
  }
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue
    if (!libraryNames.includes(name as OptionName))
      throw new TypeError(`startSimulator has no option ${name}.${didYouMean(nearest(name, libraryNames))}`)
    try {
      complete[name] = checkOption(name as OptionName, value)
    } catch (error) {
      throw new TypeError(`startSimulator: ${name}: ${(error as Error).message}`)
    }
  }
  return complete as CompleteOptions
}

/** The command line's options without those that only it uses. */
export const forSimulator = (given: CliOptions): SimulatorOptions =>
  Object.fromEntries(libraryNames.map(name => [name, given[name]]))

/** A value without secrets and without inline documents. */
export function shown(name: OptionName, value: unknown): unknown {
  const { kind, secret }: Option = options[name]
  if (secret) return '[set]'
  return kind === 'source' && isObject(value) ? 'inline' : value
}

export const shownOptions = (given: SimulatorOptions) =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [name, shown(name as OptionName, value)]))

function wrong(expected: string, value: unknown): Error {
  return new Error(`must be ${expected}${Number.isNaN(value) ? '' : `; it is ${JSON.stringify(value)}`}.`)
}

function whole(value: number, from: number, to?: number): number {
  if (Number.isInteger(value) && value >= from && value <= (to ?? value)) return value
  throw wrong(`a whole number from ${from}${to === undefined ? '' : ` to ${to}`}`, value)
}

function checkVendor(value: string): string {
  if (!/^[a-z][a-z0-9_]{0,31}$/i.test(value))
    throw wrong('a letter and then up to 31 letters, digits or underscores', value)
  return value.toLowerCase()
}

function checkTime(value: string): string {
  if (parseTime(value) === undefined) throw wrong(TIME, value)
  return value
}

function checkUrl(value: string): string {
  if (!URL.canParse(value) || !/^https?:/.test(value)) throw wrong('a URL like https://api.example.test', value)
  return value.replace(/\/+$/, '')
}

function checkDelay(value: string): string {
  if (!parseDurationRange(value)) throw wrong('a duration like 200ms or a range like 50ms-300ms', value)
  return value
}

function checkOrigins(values: string[]): string[] {
  for (const value of values) {
    if (value !== 'null' && !(URL.canParse(value) && new URL(value).origin === value))
      throw wrong('origins like http://localhost:5173, with a scheme and without a path', value)
  }
  return values
}

/** Assumptions by name, or as a list of NAME=VALUE. */
function checkAssumed(given: string[] | Record<string, string | undefined>): Assumed {
  const assumed = Array.isArray(given) ? Object.fromEntries(given.map(splitPair)) : given
  for (const [name, value] of Object.entries(assumed)) {
    if (!isAssumption(name)) {
      const hint = didYouMean(nearest(name, Object.keys(assumptions)))
      throw new Error(`there is no assumption "${name}".${hint} edgesim assumptions lists them.`)
    }
    const allowed = valuesOf(name)
    if (allowed.length === 1) throw new Error(`${name} cannot be changed: it is always ${allowed[0]}.`)
    if (value === undefined) throw new Error(`write ${name}=VALUE, with one of ${allowed.join(', ')}.`)
    if (!allowed.includes(value)) throw new Error(`${name} ${wrong(`one of ${allowed.join(', ')}`, value).message}`)
  }
  return assumed as Assumed
}

function splitPair(text: string): [name: string, value: string | undefined] {
  const at = text.indexOf('=')
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)]
}
