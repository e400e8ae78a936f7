export type { Assumed, AssumptionName, AssumptionSet } from './assumptions.ts'
export type { Difference, Expectation, Miss, Pattern } from './control/expectation.ts'
export { FileError } from './files/file-error.ts'
export { ControlError } from './handle/control-client.ts'
export type { SandboxEvent } from './handle/event-reader.ts'
export type {
  EdgeAddress,
  RecordsHandle,
  RequestFilter,
  SandboxHandle,
  ScenarioReport,
  State,
} from './handle/sandbox-handle.ts'
export {
  type ConnectOptions,
  connect,
  type Refusal,
  type SandboxRecipe,
  type SimulatorHandle,
} from './handle/simulator-handle.ts'
export { startSimulator } from './handle/start.ts'
export { VerifyError } from './handle/verify-error.ts'
export type { Har, HarEntry } from './har.ts'
export type { SimulatorOptions } from './options.ts'
export type { Decision, TrafficQuestion, TrafficReport, TrafficVerdict } from './sandbox/decisions.ts'
export type { Entry as JournalEntry } from './sandbox/journal.ts'
export type * from './shapes.ts'
export { type ErrorCode, SimulatorError } from './simulator-error.ts'
export type { Lenient } from './words/lenient.ts'
