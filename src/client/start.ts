import type { SimulatorOptions } from '../options/options.ts'
import { runSimulator } from '../simulator/simulator.ts'
import { ControlClient } from './control-client.ts'
import { SimulatorHandle } from './simulator-handle.ts'

/** Starts a simulator in this process, on any free port unless one is given. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<SimulatorHandle> {
  const { url, certificate, fingerprint, token, close } = await runSimulator(options)
  const access = { url, controlToken: options.controlToken, ca: certificate, fingerprint }
  return new SimulatorHandle(new ControlClient(access), token, close)
}
