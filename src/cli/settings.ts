import { optionChecks, readAssumed } from '../handle/option-checks.ts'

/** Wrong use: said in one line, exit code 2. */
export class UsageError extends Error {
  override name = 'UsageError'
}

export interface Setting {
  type: 'string' | 'number' | 'boolean' | 'list'
  describe: string
  default?: unknown
  choices?: readonly string[]
  /** A list of NAME=VALUE, which a file may also write as an object. */
  pairs?: true
  /** The value as the simulator takes it; throws with what is wrong. */
  check?(value: unknown): unknown
}

/** Every option: a flag, an environment variable, a key of the configuration file. */
export const settings = {
  fixture: { type: 'string', describe: 'The starting state: a JSON or YAML file, or the name of a fixture' },
  port: {
    type: 'number',
    describe: 'Port to listen on; 0 takes any that is free',
    default: 4600,
    check: optionChecks.port,
  },
  host: { type: 'string', describe: 'Address to listen on; by default 127.0.0.1 and ::1' },
  db: { type: 'string', describe: 'Keep the state in this file, and resume from it' },
  fresh: { type: 'boolean', describe: 'Seed the database anew from the fixture', default: false },
  durability: {
    type: 'string',
    describe: 'What an answered write survives: kill -9 (log), or power loss too (fsync)',
    choices: ['log', 'fsync'],
    default: 'log',
  },
  scenario: { type: 'string', describe: 'Go wrong on purpose: a scenario by name, or a file' },
  scenariosDir: { type: 'string', describe: 'A folder of scenarios that can be asked for by name' },
  fixturesDir: { type: 'string', describe: 'A folder of fixtures that can be asked for by name' },
  failOnUnused: { type: 'boolean', describe: 'Exit with 3 when a rule of a scenario never fired', default: false },
  vendor: {
    type: 'string',
    describe: 'The word in the version header and the error codes',
    default: 'service',
    check: optionChecks.vendor,
  },
  seed: { type: 'string', describe: 'Makes ids, tokens and draws repeatable' },
  clock: { type: 'string', describe: 'Freeze the clock at this RFC 3339 time', check: optionChecks.clock },
  assume: { type: 'list', pairs: true, describe: 'NAME=VALUE: flip an assumption', check: readAssumed },
  baseUrl: {
    type: 'string',
    describe: 'What uris in answers start with; by default the Host of the request',
    check: optionChecks.baseUrl,
  },
  cors: { type: 'list', describe: 'An origin whose pages may use the API' },
  trustProxy: { type: 'boolean', describe: 'Take the source address from X-Forwarded-For', default: false },
  allowedHost: { type: 'list', describe: 'A Host name to answer to; .suffix takes all names below it' },
  controlToken: { type: 'string', describe: 'Ask for this bearer token on /_sim' },
  maxSandboxes: {
    type: 'number',
    describe: 'How many sandboxes there may be',
    default: 10_000,
    check: optionChecks.maxSandboxes,
  },
  tls: { type: 'boolean', describe: 'Serve HTTPS, with a certificate of its own making', default: false },
  watch: { type: 'boolean', describe: 'Take up a scenario or fixture file when it changes', default: false },
  open: { type: 'boolean', describe: 'Open the page in a browser', default: false },
  printConfig: { type: 'boolean', describe: 'Print every value and where it came from, and exit', default: false },
  log: {
    type: 'string',
    describe: 'What to print while running',
    choices: ['pretty', 'json', 'silent'],
    default: 'pretty',
  },
} satisfies Record<string, Setting>

export type SettingName = keyof typeof settings

export const toFlag = (name: string) => name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
export const toVariable = (name: string) => `EDGESIM_${toFlag(name).replaceAll('-', '_').toUpperCase()}`
