import type { SimulatorOptions } from '../options.ts'
import { nearest } from '../words/nearest.ts'
import { checkAssumed, optionChecks } from './option-checks.ts'

/** Every option and what it must be; a name that is missing here does not compile. */
const TYPES: Record<keyof SimulatorOptions, string> = {
  fixture: 'string or object',
  scenario: 'string or object',
  fixturesDir: 'string',
  scenariosDir: 'string',
  port: 'number',
  host: 'string',
  db: 'string',
  fresh: 'boolean',
  durability: 'string',
  vendor: 'string',
  seed: 'string or number',
  clock: 'string',
  assume: 'object',
  baseUrl: 'string',
  cors: 'list of strings',
  trustProxy: 'boolean',
  allowedHost: 'list of strings',
  controlToken: 'string',
  maxSandboxes: 'number',
  tls: 'boolean',
}

/** An option that is misspelt, or not what it should be, would silently do nothing. */
export function checkOptions(options: SimulatorOptions): SimulatorOptions {
  const checked: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue
    checked[name] = checkOption(name, value)
  }
  return checked
}

function checkOption(name: string, value: unknown): unknown {
  const type = Object.hasOwn(TYPES, name) ? TYPES[name as keyof SimulatorOptions] : undefined
  if (!type) {
    const close = nearest(name, Object.keys(TYPES))
    throw new TypeError(`startSimulator has no option ${name}.${close ? ` Did you mean ${close}?` : ''}`)
  }
  if (!type.split(' or ').includes(kindOf(value)))
    throw new TypeError(`startSimulator: ${name} must be a ${type}, not ${JSON.stringify(value)}.`)
  if (name === 'durability' && value !== 'log' && value !== 'fsync')
    throw new TypeError(`startSimulator: durability is log or fsync, not ${JSON.stringify(value)}.`)
  const check = name === 'assume' ? checkAssumed : optionChecks[name]
  try {
    return check ? check(value) : value
  } catch (error) {
    throw new TypeError(`startSimulator: ${name}: ${(error as Error).message}`)
  }
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return value.every(item => typeof item === 'string') ? 'list of strings' : 'list'
  return value === null ? 'null' : typeof value
}
