import { type ConfigFile, readConfigFile } from '../options/config-file.ts'
import {
  type CliOptions,
  checkOption,
  fromText,
  type Option,
  type OptionName,
  options,
  shown,
} from '../options/options.ts'
import { toFlag, toVariable } from './flags.ts'
import { UsageError } from './usage-error.ts'

export interface Resolved {
  values: CliOptions
  /** Where each value came from: a flag, a variable, the file, the default. */
  sources: Record<string, string>
}

type Values = Record<string, unknown>

/** Flag beats environment beats file beats default. */
export async function resolve(
  names: OptionName[],
  flags: Values,
  env: NodeJS.ProcessEnv,
  folder = process.cwd(),
): Promise<Resolved> {
  const file = names.length > 0 ? await readConfigFile(folder, console.error) : undefined
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

async function find(name: OptionName, flags: Values, env: NodeJS.ProcessEnv, file?: ConfigFile): Promise<Found> {
  const { kind, default: value }: Option = options[name]
  const given = flags[name]
  // If a flag is given twice, the last one counts.
  const flag = Array.isArray(given) && kind !== 'list' && kind !== 'assumed' ? given.at(-1) : given
  if (flag !== undefined)
    return accept(name, kind === 'number' ? fromText(name, String(flag)) : flag, `--${toFlag(name)}`)
  const variable = toVariable(name)
  const text = env[variable]
  // Kubernetes sets EDGESIM_PORT=tcp://… for a service of that name.
  if (text && !(name === 'port' && text.startsWith('tcp://'))) return accept(name, fromText(name, text), variable)
  const written = await file?.read(name)
  if (written !== undefined) return [written, file!.name]
  return value === undefined ? undefined : [value, 'default']
}

function accept(name: OptionName, value: unknown, source: string): Found {
  try {
    return [checkOption(name, value), source]
  } catch (error) {
    throw new UsageError(`${source}: ${(error as Error).message}`)
  }
}

/** Of an option of a command's own: if it is given twice, the last one counts. */
export const lastOf = (given: string | string[] | undefined) => [given].flat().at(-1)

/** Several may run side by side, so a port from the file or the environment is ignored. */
export const portOfItsOwn = ({ values, sources }: Resolved) => (sources.port === '--port' ? values.port : 0)

/** Every value and where it came from. */
export function printConfig({ values, sources }: Resolved): number {
  for (const [name, source] of Object.entries(sources)) {
    if (name !== 'printConfig') console.log(`${name} = ${show(name as OptionName, values)}  (${source})`)
  }
  return 0
}

function show(name: OptionName, values: CliOptions): string {
  const value = shown(name, values[name])
  return value === values[name] ? JSON.stringify(value) : String(value)
}
