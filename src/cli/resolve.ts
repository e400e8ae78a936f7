import { printable } from '../basics/text.ts'
import { ngrokAssumptions } from '../ngrok/questions.ts'
import { readConfigFile } from '../simulator/options/config-file.ts'
import { describeUnknownVerdicts } from '../simulator/options/evidence-file.ts'
import {
  type CliOptions,
  checkOption,
  fromText,
  type Option,
  type OptionName,
  options,
  vendorOf,
  wantsTls,
} from '../simulator/options/options.ts'
import { checkUrl } from '../simulator/options/values.ts'
import { UsageError } from './process/exit-code.ts'

/** `maxSandboxes` is `--max-sandboxes` and `EDGESIM_MAX_SANDBOXES`. */
export const toFlag = (name: string) => name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
export const toVariable = (name: string) => `EDGESIM_${toFlag(name).replaceAll('-', '_').toUpperCase()}`

export interface Resolved {
  values: CliOptions
  /** The source of each value: a flag, a variable, the file or `default`. */
  sources: Record<string, string>
}

/** Kinds of repeatable options. */
export const REPEATABLE = ['list', 'assumed', 'hosts']

/** The value of a flag without a value. */
const emptyValue = (kind: Option['kind']) => (kind === 'hosts' ? true : '')

type Values = Record<string, unknown>

/** Precedence: flag, environment, file, default. */
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

/** Prints directly, because `exec` has no log by default. */
function reportUnknownVerdicts({ assume }: CliOptions) {
  const skipped = assume?.probed && describeUnknownVerdicts(ngrokAssumptions, assume.probed)
  if (skipped) console.error(`edgesim: ${printable(skipped)}`)
}

type ConfigFile = Awaited<ReturnType<typeof readConfigFile>>
type Found = [value: unknown, source: string] | undefined

function find(name: OptionName, flags: Values, env: NodeJS.ProcessEnv, file: ConfigFile): Found {
  const { kind, default: value }: Option = options[name]
  const given = flags[name]
  // The last of several values counts.
  const flag = Array.isArray(given) && !REPEATABLE.includes(kind) ? given.at(-1) : given
  if (flag !== undefined)
    return accept(
      name,
      kind === 'number' ? fromText(name, String(flag)) : flag === '' ? emptyValue(kind) : flag,
      `--${toFlag(name)}`,
    )
  const variable = toVariable(name)
  const text = env[variable]
  // Kubernetes sets EDGESIM_PORT=tcp://… for a service named edgesim.
  if (text && !(name === 'port' && text.startsWith('tcp://'))) return accept(name, fromText(name, text), variable)
  const written = file?.values[name]
  if (written !== undefined) return [written, file!.file]
  return value === undefined ? undefined : [value, 'default']
}

const accept = (name: OptionName, value: unknown, source: string): Found => [
  check(source, () => checkOption(name, value)),
  source,
]

/** Calls `read`, and names the source in its error. */
export function check<T>(source: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new UsageError(`${source}: ${(error as Error).message}`)
  }
}

/** The last of several values counts. */
export const lastOf = (given: string | string[] | undefined) => [given].flat().at(-1)

export const readUrl = (url: string, source = '--url') => check(source, () => checkUrl(url))

/** The URL of a running simulator: --url, or --port, or EDGESIM_URL, or the default port on this machine. */
export function urlOfRunning({ values, sources }: Resolved, url: string | undefined, env: NodeJS.ProcessEnv): string {
  if (url !== undefined) return readUrl(url)
  if (sources.port !== '--port' && env.EDGESIM_URL) return readUrl(env.EDGESIM_URL, 'EDGESIM_URL')
  return `${wantsTls(values) ? 'https' : 'http'}://127.0.0.1:${values.port}`
}

/** For commands that may run in parallel: ignores an address from the file or the environment. */
export const ownAddress = ({ values, sources }: Resolved) => ({
  port: sources.port === '--port' ? values.port : 0,
  host: sources.host === '--host' ? values.host : undefined,
})
