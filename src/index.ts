export type { EventBody, EventDelivery } from './contract/event-delivery.ts'
export type {
  DeliveryExpectation,
  DeliveryMiss,
  DeliveryPattern,
  Difference,
  Expectation,
  Miss,
  Pattern,
} from './contract/expectation.ts'
export type { Har, HarEntry } from './contract/har.ts'
export type { DefaultRequests, ScenarioReport } from './contract/info.ts'
export type { JournalEntry } from './contract/journal-entry.ts'
export type { Lenient } from './contract/lenient.ts'
export { type ErrorCode, SimulatorError } from './contract/simulator-error.ts'
export type { Decision, TrafficQuestion, TrafficReport, TrafficVerdict } from './contract/traffic.ts'
export { FileError } from './engine/files/file-error.ts'
export { ControlError, VerifyError } from './library/errors.ts'
export type { SandboxEvent } from './library/event-reader.ts'
export type {
  DeliveryFilter,
  EdgeAddress,
  RecordsHandle,
  RequestFilter,
  State,
} from './library/handle-types.ts'
export type { SandboxHandle } from './library/sandbox-handle.ts'
export type { Refusal, SandboxRecipe, SimulatorHandle } from './library/simulator-handle.ts'
export { type ConnectOptions, connect, startSimulator } from './library/start.ts'
export type { Assumed, AssumptionName, AssumptionSet } from './ngrok/questions.ts'
export type * from './ngrok/shapes.ts'
export type { SimulatorOptions } from './simulator/options/options.ts'
