import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describeFlaw, readDocument } from '../files/document.ts'
import { nearest } from '../files/nearest.ts'
import { type Setting, settings, toFlag, toVariable, UsageError } from './settings.ts'

export interface Resolved {
  values: Record<string, unknown>
  /** Where each value came from: a flag, a variable, the file, the default. */
  sources: Record<string, string>
}

type Values = Record<string, unknown>

const FILES = ['edgesim.config.json', 'edgesim.config.yaml', 'edgesim.config.yml']

/** Flag beats environment beats file beats default. */
export async function resolve(flags: Values, env: NodeJS.ProcessEnv, folder = process.cwd()): Promise<Resolved> {
  const file = await readConfig(folder)
  const values: Values = {}
  const sources: Record<string, string> = {}
  for (const [name, setting] of Object.entries(settings) as [string, Setting][]) {
    const [raw, source] = find(name, setting, flags, env, file)
    if (raw === undefined) continue
    values[name] = check(raw, setting, source)
    sources[name] = source
  }
  return { values, sources }
}

interface Config {
  file: string
  values: Values
}

async function readConfig(folder: string): Promise<Config | undefined> {
  const file = FILES.map(name => join(folder, name)).find(path => existsSync(path))
  if (!file) return undefined
  const document = await readDocument(file)
  const { value } = document
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return document.refuse([{ path: [], message: 'must be an object of options' }])
  const known = ['$schema', ...Object.keys(settings)]
  const unknown = Object.keys(value).filter(name => !known.includes(name))
  if (unknown.length > 0)
    return document.refuse(
      unknown.map(name => ({
        path: [name],
        message: describeFlaw({ path: [name], expected: '', received: '', unknown: { name, allowed: known } }),
      })),
    )
  return { file, values: value as Values }
}

function find(name: string, setting: Setting, flags: Values, env: NodeJS.ProcessEnv, config?: Config): [unknown, string] {
  const flag = flags[name]
  // Given twice, as when a script's own options are added to: the last one counts.
  const last = Array.isArray(flag) && setting.type !== 'list' ? flag.at(-1) : flag
  if (last !== undefined) return [last, `--${toFlag(name)}`]
  const variable = toVariable(name)
  const text = env[variable]
  // Kubernetes makes EDGESIM_PORT=tcp://… for a service of that name.
  if (text !== undefined && text !== '' && !(name === 'port' && text.startsWith('tcp://')))
    return [fromText(text, setting, variable), variable]
  const written = config?.values[name]
  if (written !== undefined) return [fromFile(written, setting, `${config!.file}: ${name}`), config!.file]
  return [setting.default, 'default']
}

function fromText(text: string, setting: Setting, variable: string): unknown {
  if (setting.type === 'list') return text.split(',').map(part => part.trim()).filter(Boolean)
  if (setting.type === 'number') return Number(text)
  if (setting.type !== 'boolean') return text
  if (/^(true|1|yes)$/i.test(text)) return true
  if (/^(false|0|no)$/i.test(text)) return false
  throw new UsageError(`${variable} must be true or false; it is ${JSON.stringify(text)}.`)
}

function fromFile(value: unknown, setting: Setting, where: string): unknown {
  const list = Array.isArray(value) && value.every(item => typeof item === 'string')
  const record = setting.pairs && typeof value === 'object' && value !== null && !Array.isArray(value)
  if (setting.type === 'list' && record) return Object.entries(value).map(([name, chosen]) => `${name}=${chosen}`)
  const kind = setting.type === 'list' ? list : setting.type === 'string' && typeof value === 'number' ? true : typeof value === setting.type
  if (!kind) throw new UsageError(`${where} must be a ${setting.type}; it is ${JSON.stringify(value)}.`)
  return setting.type === 'string' ? String(value) : value
}

function check(value: unknown, setting: Setting, source: string): unknown {
  if (setting.type === 'number' && !Number.isFinite(value)) throw new UsageError(`${source} must be a number.`)
  if (value === '') throw new UsageError(`${source} must not be empty.`)
  if (setting.choices && !setting.choices.includes(value as string)) {
    const close = nearest(String(value), setting.choices)
    throw new UsageError(
      `${source} must be one of ${setting.choices.join(', ')}; it is ${JSON.stringify(value)}.${close ? ` Did you mean ${close}?` : ''}`,
    )
  }
  try {
    return setting.check ? setting.check(value) : value
  } catch (error) {
    throw new UsageError(`${source}: ${(error as Error).message}`)
  }
}

/** Every value and where it came from. */
export function printConfig({ values, sources }: Resolved) {
  for (const [name, source] of Object.entries(sources)) {
    if (name === 'printConfig') continue
    const shown = name === 'controlToken' ? '[set]' : JSON.stringify(values[name])
    console.log(`${name} = ${shown}  (${source})`)
  }
}
