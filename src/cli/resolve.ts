import { printable } from '../basics/text.ts'
import { readConfigFile } from '../options/config-file.ts'
import { describeUnknownVerdicts } from '../options/evidence-file.ts'
import {
  type CliOptions,
  checkOption,
  fromText,
  type Option,
  type OptionName,
  options,
  vendorOf,
  wantsTls,
} from '../options/options.ts'
import { checkUrl } from '../options/values.ts'
import { UsageError } from './process/exit-code.ts'

/** `maxSandboxes` is `--max-sandboxes` and `EDGESIM_MAX_SANDBOXES`. */
export const toFlag = (name: string) => name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
export const toVariable = (name: string) => `EDGESIM_${toFlag(name).replaceAll('-', '_').toUpperCase()}`

export interface Resolved {
  values: CliOptions
  /** Where each value came from: a flag, a variable, the file, the default. */
  sources: Record<string, string>
}

/** Kinds of options that can be given more than once. */
export const REPEATABLE = ['list', 'assumed', 'hosts']

/** The value of a flag without one. */
const alone = (kind: Option['kind']) => (kind === 'hosts' ? true : '')

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
    const [value, source] = find(name, flags, env, file) ?? []
    if (source === undefined) continue
    values[name] = value
    sources[name] = source
  }
  const vendor = vendorOf(values)
  if (vendor !== undefined && sources.vendor === 'default') {
    values.vendor = vendor
    sources.vendor = sources.as!
  }
  reportUnknownVerdicts(values)
  return { values, sources }
}

/** Not by a log: `exec` has none unless it is asked for. */
function reportUnknownVerdicts({ assume }: CliOptions) {
  const skipped = assume?.probed && describeUnknownVerdicts(assume.probed)
  if (skipped) console.error(`edgesim: ${printable(skipped)}`)
}

type ConfigFile = Awaited<ReturnType<typeof readConfigFile>>
type Found = [value: unknown, source: string] | undefined

function find(name: OptionName, flags: Values, env: NodeJS.ProcessEnv, file: ConfigFile): Found {
  const { kind, default: value }: Option = options[name]
  const given = flags[name]
  // If a flag is given twice, the last one counts.
  const flag = Array.isArray(given) && !REPEATABLE.includes(kind) ? given.at(-1) : given
  if (flag !== undefined)
    return accept(
      name,
      kind === 'number' ? fromText(name, String(flag)) : flag === '' ? alone(kind) : flag,
      `--${toFlag(name)}`,
    )
  const variable = toVariable(name)
  const text = env[variable]
  // Kubernetes sets EDGESIM_PORT=tcp://… for a service of that name.
  if (text && !(name === 'port' && text.startsWith('tcp://'))) return accept(name, fromText(name, text), variable)
  const written = file?.values[name]
  if (written !== undefined) return [written, file!.file]
  return value === undefined ? undefined : [value, 'default']
}

const accept = (name: OptionName, value: unknown, source: string): Found => [
  check(source, () => checkOption(name, value)),
  source,
]

/** What `read` returns; its error names what gave the value. */
export function check<T>(source: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new UsageError(`${source}: ${(error as Error).message}`)
  }
}

/** The value of a command's own option: if it is given twice, the last one counts. */
export const lastOf = (given: string | string[] | undefined) => [given].flat().at(-1)

/** An address, and what gave it. */
export const readUrl = (url: string, source = '--url') => check(source, () => checkUrl(url))

/** Where a simulator runs that a command talks to: --url, or EDGESIM_URL, or this machine at the port. */
export function urlOfRunning({ values, sources }: Resolved, url: string | undefined, env: NodeJS.ProcessEnv): string {
  if (url !== undefined) return readUrl(url)
  if (sources.port !== '--port' && env.EDGESIM_URL) return readUrl(env.EDGESIM_URL, 'EDGESIM_URL')
  return `${wantsTls(values) ? 'https' : 'http'}://127.0.0.1:${values.port}`
}

/** For commands that may run side by side: an address from the file or the environment is ignored. */
export const ownAddress = ({ values, sources }: Resolved) => ({
  port: sources.port === '--port' ? values.port : 0,
  host: sources.host === '--host' ? values.host : undefined,
})
