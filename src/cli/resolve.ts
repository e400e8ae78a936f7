import { nearest } from '../words/nearest.ts'
import { type ConfigFile, readConfigFile } from './config-file.ts'
import { type Setting, type SettingName, settings, toFlag, toVariable, UsageError } from './settings.ts'

export interface Resolved {
  values: Record<string, unknown>
  /** Where each value came from: a flag, a variable, the file, the default. */
  sources: Record<string, string>
}

type Values = Record<string, unknown>

/** Flag beats environment beats file beats default. */
export async function resolve(
  names: SettingName[],
  flags: Values,
  env: NodeJS.ProcessEnv,
  folder = process.cwd(),
): Promise<Resolved> {
  const file = names.length > 0 ? await readConfigFile(folder) : undefined
  const values: Values = {}
  const sources: Record<string, string> = {}
  for (const name of names) {
    const [value, source] = (await find(name, flags, env, file)) ?? []
    if (source === undefined) continue
    values[name] = value
    sources[name] = source
  }
  return { values, sources }
}

type Found = [value: unknown, source: string] | undefined

async function find(name: SettingName, flags: Values, env: NodeJS.ProcessEnv, file?: ConfigFile): Promise<Found> {
  const setting: Setting = settings[name]
  const given = flags[name]
  // Given twice, as when a script's own options are added to: the last one counts.
  const flag = Array.isArray(given) && setting.type !== 'list' ? given.at(-1) : given
  if (flag !== undefined) return accept(`--${toFlag(name)}`, () => check(flag, setting))
  const variable = toVariable(name)
  const text = env[variable]
  // Kubernetes makes EDGESIM_PORT=tcp://… for a service of that name.
  if (text && !(name === 'port' && text.startsWith('tcp://')))
    return accept(variable, () => check(fromText(text, setting), setting))
  const written = file?.values[name]
  if (written !== undefined) {
    try {
      return [check(fromFile(written, setting), setting), file!.name]
    } catch (error) {
      return file!.refuse(name, (error as Error).message)
    }
  }
  return setting.default === undefined ? undefined : [setting.default, 'default']
}

function accept(source: string, read: () => unknown): Found {
  try {
    return [read(), source]
  } catch (error) {
    throw new UsageError(`${source}: ${(error as Error).message}`)
  }
}

function fromText(text: string, { type }: Setting): unknown {
  if (type === 'list')
    return text
      .split(',')
      .map(part => part.trim())
      .filter(Boolean)
  if (type === 'number') return Number(text)
  if (type !== 'boolean') return text
  if (/^(true|1|yes)$/i.test(text)) return true
  if (/^(false|0|no)$/i.test(text)) return false
  throw new Error(`must be true or false; it is ${JSON.stringify(text)}.`)
}

function fromFile(value: unknown, { type, pairs }: Setting): unknown {
  if (type === 'list' && pairs && typeof value === 'object' && value !== null && !Array.isArray(value))
    return Object.entries(value).map(([name, chosen]) => `${name}=${chosen}`)
  if (type === 'string' && typeof value === 'number') return String(value)
  const fits =
    type === 'list' ? Array.isArray(value) && value.every(item => typeof item === 'string') : typeof value === type
  if (!fits) throw new Error(`must be a ${type === 'list' ? 'list of strings' : type}; it is ${JSON.stringify(value)}.`)
  return value
}

function check(value: unknown, setting: Setting): unknown {
  if (setting.type === 'number' && !Number.isFinite(value)) throw new Error('must be a number.')
  if (value === '') throw new Error('must not be empty.')
  if (setting.choices && !setting.choices.includes(value as string)) {
    const close = nearest(String(value), setting.choices)
    const hint = close ? ` Did you mean ${close}?` : ''
    throw new Error(`must be one of ${setting.choices.join(', ')}; it is ${JSON.stringify(value)}.${hint}`)
  }
  return setting.check ? setting.check(value) : value
}

/** Every value and where it came from. */
export function printConfig({ values, sources }: Resolved): number {
  for (const [name, source] of Object.entries(sources)) {
    if (name === 'printConfig') continue
    const shown = name === 'controlToken' ? '[set]' : JSON.stringify(values[name])
    console.log(`${name} = ${shown}  (${source})`)
  }
  return 0
}
