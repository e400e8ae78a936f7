import { type Assumed, type AssumptionName, assumptions, isAssumption, valuesOf } from '../assumptions.ts'
import { nearest } from '../files/nearest.ts'
import { parseTime } from '../schema/index.ts'

/** Wrong use: said in one line, exit code 2. */
export class UsageError extends Error {
  override name = 'UsageError'
}

interface Setting {
  type: 'string' | 'number' | 'boolean' | 'list'
  describe: string
  default?: unknown
  choices?: readonly string[]
  /** The value as the simulator takes it, or a UsageError. */
  check?(value: unknown): unknown
}

/** Every option: a flag, an environment variable, a key of the configuration file. */
export const settings = {
  port: { type: 'number', describe: 'Port to listen on; 0 takes any that is free', default: 4600, check: checkPort },
  host: { type: 'string', describe: 'Address to listen on; by default 127.0.0.1 and ::1' },
  db: { type: 'string', describe: 'Keep the state in this file, and resume from it' },
  fresh: { type: 'boolean', describe: 'Seed the database anew from the fixture', default: false },
  durability: {
    type: 'string',
    describe: 'What an answered write survives: kill -9 (log), or power loss too (fsync)',
    choices: ['log', 'fsync'],
    default: 'log',
  },
  vendor: {
    type: 'string',
    describe: 'The word in the version header and the error codes',
    default: 'service',
    check: checkVendor,
  },
  seed: { type: 'string', describe: 'Makes ids, tokens and draws repeatable' },
  clock: { type: 'string', describe: 'Freeze the clock at this RFC 3339 time', check: checkTime },
  assume: { type: 'list', describe: 'NAME=VALUE: flip an assumption', check: readAssumed },
  baseUrl: {
    type: 'string',
    describe: 'What uris in answers start with; by default the Host of the request',
    check: checkUrl,
  },
  cors: { type: 'list', describe: 'An origin whose pages may use the API' },
  trustProxy: { type: 'boolean', describe: 'Take the source address from X-Forwarded-For', default: false },
  allowedHost: { type: 'list', describe: 'A Host name to answer to; .suffix takes all names below it' },
  controlToken: { type: 'string', describe: 'Ask for this bearer token on /_sim' },
  maxSandboxes: { type: 'number', describe: 'How many sandboxes there may be', default: 10_000 },
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

export interface Resolved {
  values: Record<string, unknown>
  /** Where each value came from: a flag, a variable, the default. */
  sources: Record<string, string>
}

/** Flag beats environment beats default. */
export function resolve(flags: Record<string, unknown>, env: NodeJS.ProcessEnv): Resolved {
  const values: Record<string, unknown> = {}
  const sources: Record<string, string> = {}
  for (const [name, setting] of Object.entries(settings) as [string, Setting][]) {
    const [raw, source] = find(name, setting, flags, env)
    if (raw === undefined) continue
    values[name] = check(raw, setting, source)
    sources[name] = source
  }
  return { values, sources }
}

function find(
  name: string,
  setting: Setting,
  flags: Record<string, unknown>,
  env: NodeJS.ProcessEnv,
): [unknown, string] {
  const flag = flags[name]
  // Given twice, as when a script's own options are added to: the last one counts.
  const last = Array.isArray(flag) && setting.type !== 'list' ? flag.at(-1) : flag
  if (last !== undefined) return [last, `--${toFlag(name)}`]
  const variable = toVariable(name)
  const text = env[variable]
  // Kubernetes makes EDGESIM_PORT=tcp://… for a service of that name.
  if (text !== undefined && text !== '' && !(name === 'port' && text.startsWith('tcp://')))
    return [fromText(text, setting, variable), variable]
  return [setting.default, 'default']
}

function fromText(text: string, setting: Setting, variable: string): unknown {
  if (setting.type === 'list')
    return text
      .split(',')
      .map(part => part.trim())
      .filter(Boolean)
  if (setting.type === 'number') return Number(text)
  if (setting.type !== 'boolean') return text
  if (/^(true|1|yes)$/i.test(text)) return true
  if (/^(false|0|no)$/i.test(text)) return false
  throw new UsageError(`${variable} must be true or false; it is ${JSON.stringify(text)}.`)
}

function check(value: unknown, setting: Setting, source: string): unknown {
  if (setting.type === 'number' && !Number.isFinite(value)) throw new UsageError(`${source} must be a number.`)
  if (value === '') throw new UsageError(`${source} must not be empty.`)
  if (setting.choices && !setting.choices.includes(value as string))
    throw new UsageError(`${source} must be one of ${setting.choices.join(', ')}; it is ${JSON.stringify(value)}.`)
  try {
    return setting.check ? setting.check(value) : value
  } catch (error) {
    throw new UsageError(`${source}: ${(error as Error).message}`)
  }
}

function checkPort(value: unknown) {
  if (!Number.isInteger(value) || (value as number) < 0 || (value as number) > 65535)
    throw new Error(`a port is a whole number from 0 to 65535, not ${value}.`)
  return value
}

function checkVendor(value: unknown) {
  if (!/^[a-z][a-z0-9_]{0,31}$/i.test(value as string))
    throw new Error(`a vendor word is a letter and then letters, digits or _, not ${JSON.stringify(value)}.`)
  return (value as string).toLowerCase()
}

function checkTime(value: unknown) {
  if (parseTime(value as string) === undefined)
    throw new Error(`must be an RFC 3339 time like 2026-01-01T00:00:00Z, not ${JSON.stringify(value)}.`)
  return value
}

function checkUrl(value: unknown) {
  if (!URL.canParse(value as string) || !/^https?:/.test(value as string))
    throw new Error(`must be a URL like https://api.example.test, not ${JSON.stringify(value)}.`)
  return (value as string).replace(/\/+$/, '')
}

export function readAssumed(value: unknown): Assumed {
  const assumed: Assumed = {}
  for (const text of value as string[]) {
    const [name = '', chosen] = text.split('=')
    if (!isAssumption(name)) {
      const close = nearest(name, Object.keys(assumptions))
      throw new Error(
        `there is no assumption "${name}".${close ? ` Did you mean ${close}?` : ''} edgesim assumptions lists them.`,
      )
    }
    checkAssumed(name, chosen)
    assumed[name] = chosen!
  }
  return assumed
}

function checkAssumed(name: AssumptionName, value: string | undefined) {
  const allowed = valuesOf(name)
  if (allowed.length === 1) throw new Error(`${name} cannot be flipped; it is always ${allowed[0]}.`)
  if (value === undefined || !allowed.includes(value))
    throw new Error(
      `${name} is one of ${allowed.join(', ')}${value === undefined ? '; write NAME=VALUE' : `, not ${JSON.stringify(value)}`}.`,
    )
}
