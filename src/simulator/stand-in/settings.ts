import { SimulatorError } from '../../contract/simulator-error.ts'
import type { Api } from '../../engine/api.ts'
import type { CompleteOptions } from '../options/options.ts'

export interface StandInSettings {
  hosts: string[]
  /** The proxies that were set before, by scheme; undefined if other hosts are blocked. */
  passThrough: { http?: URL; https?: URL } | undefined
}

/** Settings from `--as` and `--pass-through`. */
export function standInSettings(
  options: CompleteOptions,
  { host }: Pick<Api, 'host'>,
  env = process.env,
): StandInSettings | undefined {
  const { as, vendor, passThrough } = options
  if (as === undefined) {
    if (passThrough) throw wrongUse('--pass-through requires --as HOST.')
    return undefined
  }
  const hosts = as === true ? [host?.(vendor)] : as
  if (hosts[0] === undefined)
    throw wrongUse(`--as: unknown API host of the vendor "${vendor}". Use --as HOST, or --vendor ngrok.`)
  return { hosts: hosts as string[], passThrough: passThrough ? proxiesBefore(env) : undefined }
}

const wrongUse = (message: string) => new SimulatorError('INVALID_OPTION', message)

function proxiesBefore(env: NodeJS.ProcessEnv): StandInSettings['passThrough'] {
  const read = (...names: string[]): URL | undefined => {
    const name = names.find(each => env[each])
    if (name === undefined) return undefined
    const text = env[name]!
    const url = /^\w+:\/\//.test(text) ? text : `http://${text}`
    if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return new URL(url)
    throw wrongUse(`--pass-through: ${name} must be an http or https proxy URL, such as http://127.0.0.1:3128.`)
  }
  return { http: read('http_proxy', 'HTTP_PROXY'), https: read('https_proxy', 'HTTPS_PROXY') }
}
