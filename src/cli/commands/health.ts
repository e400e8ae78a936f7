import { isLocalHost } from '../../basics/cidr.ts'
import { SimulatorError } from '../../contract/simulator-error.ts'
import { distribution } from '../../engine/files/package.ts'
import { ControlClient } from '../../library/control-client.ts'
import { textOf } from '../../simulator/stand-in/environment.ts'
import { lastOf, type Resolved, urlOfRunning } from '../resolve.ts'

/** This command's options, as parsed by yargs. */
export interface HealthOptions {
  url?: string | string[]
}

const TIMEOUT_MS = 3000

/** Checks that a running simulator is ready. Sends no control token, because none is needed. */
export async function health(resolved: Resolved, own: HealthOptions, env: NodeJS.ProcessEnv): Promise<number> {
  const url = urlOfRunning(resolved, lastOf(own.url), env)
  const anyCertificate = isLocalHost(new URL(url).hostname)
  const control = new ControlClient({ url, ca: textOf(env.EDGESIM_CERTIFICATE), anyCertificate })
  const version = await control.checkHealth(TIMEOUT_MS).catch(error => {
    if (!(error instanceof SimulatorError)) throw error
    throw unhealthy(url, error.message.replace(/\.$/, ''))
  })
  console.log(`ok: edgesim ${version} at ${url}`)
  return 0
}

const unhealthy = (url: string, why: string) =>
  new SimulatorError(
    'UNREACHABLE',
    `GET ${url}/_sim/health failed. ${why}. Start it with ${distribution.command}, or set --url to its address.`,
  )
