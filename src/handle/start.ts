import type { SimulatorOptions } from '../options.ts'
import { runSimulator } from '../simulator.ts'
import { SimulatorHandle } from './simulator-handle.ts'

/** Starts a simulator in this process, on any free port unless one is given. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<SimulatorHandle> {
  const { url, certificate, fingerprint, token, close } = await runSimulator(options)
  return new SimulatorHandle({ url, controlToken: options.controlToken, ca: certificate, fingerprint }, token, close)
}
