import { SimulatorHandle } from './handle/simulator-handle.ts'
import type { SimulatorOptions } from './options.ts'
import { startSimulator as start } from './simulator.ts'

/** Starts a simulator in this process, on any free port unless one is given. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<SimulatorHandle> {
  const simulator = await start(options)
  const { controlToken } = options
  return new SimulatorHandle({ url: simulator.url, controlToken, ca: simulator.certificate }, simulator.token, () => simulator.close())
}

export type { Difference, Expectation, Miss, Pattern } from './control/expectation.ts'
export { ControlError } from './handle/control-client.ts'
export { type RequestFilter, type SandboxHandle, type State, VerifyError } from './handle/sandbox-handle.ts'
export { connect, type SimulatorHandle } from './handle/simulator-handle.ts'
export type { SimulatorOptions } from './options.ts'
export type { Entry as JournalEntry } from './sandbox/journal.ts'
