import type { SimulatorOptions } from '../simulator/options/options.ts'
import { runSimulator } from '../simulator/simulator.ts'
import { ControlClient } from './control-client.ts'
import { SimulatorHandle } from './simulator-handle.ts'

/** Starts a simulator in this process, by default on any free port. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<SimulatorHandle> {
  const { url, certificate, fingerprint, token, environment, close } = await runSimulator(options)
  const access = { url, controlToken: options.controlToken, ca: certificate, fingerprint }
  return new SimulatorHandle(new ControlClient(access), token, close, () => environment.forProgram)
}

export interface ConnectOptions {
  controlToken?: string
  /** The PEM certificate of an HTTPS simulator. */
  ca?: string
}

/** Connects to a running simulator. Closing the handle does not stop it. */
export async function connect(url: string, options: ConnectOptions = {}): Promise<SimulatorHandle> {
  const control = new ControlClient({ ...options, url: url.replace(/\/+$/, ''), remote: true })
  const { tokens } = await control.call<{ tokens: { token: string; admin: boolean }[] }>('GET', '/info')
  const best = tokens.find(({ admin }) => admin) ?? tokens[0]
  return new SimulatorHandle(control, best?.token ?? null, async () => {})
}
