import { shellExport } from '../../basics/text.ts'
import { SimulatorError } from '../../contract/simulator-error.ts'
import { distribution } from '../../engine/files/package.ts'
import { ControlClient } from '../../library/control-client.ts'
import { overlay, textOf } from '../../simulator/stand-in/environment.ts'
import { lastOf, type Resolved, urlOfRunning } from '../resolve.ts'

/** This command's options, as parsed by yargs. */
export interface EnvOptions {
  url?: string | string[]
  json?: boolean
}

/** Prints the variables for clients of a running simulator, merged with those of this shell. */
export async function printEnvironment(resolved: Resolved, own: EnvOptions, env: NodeJS.ProcessEnv): Promise<number> {
  const { controlToken } = resolved.values
  const url = urlOfRunning(resolved, lastOf(own.url), env)
  const control = new ControlClient({ url, controlToken, ca: textOf(env.EDGESIM_CERTIFICATE) })
  const request = async () => {
    await control.checkHealth()
    return control.call<{ variables: Record<string, string> }>('GET', '/env')
  }
  const { variables } = await request().catch(error => {
    if (!(error instanceof SimulatorError) || error.code !== 'UNREACHABLE') throw error
    const advice = `Start it with ${distribution.command} --as HOST, or set --url to its address.`
    throw new SimulatorError(error.code, `${error.message.replace(/\.$/, '')}. ${advice}`)
  })
  const all = overlay(variables, env)
  if (own.json) console.log(JSON.stringify(all, null, 2))
  else for (const [name, value] of Object.entries(all)) console.log(shellExport(name, value))
  return 0
}
