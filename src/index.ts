export type { EventBody, EventDelivery } from './contract/event-delivery.ts'
export type { DeliveryExpectation, DeliveryMiss, DeliveryPattern, Difference, Miss } from './contract/expectation.ts'
export type { DefaultRequests, ScenarioReport } from './contract/info.ts'
export type { Lenient } from './contract/lenient.ts'
export { type ErrorCode, SimulatorError } from './contract/simulator-error.ts'
export type { TrafficQuestion } from './contract/traffic.ts'
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
export type {
  Decision,
  Expectation,
  Har,
  HarEntry,
  JournalEntry,
  Pattern,
  TrafficReport,
  TrafficVerdict,
} from './library/wire-types.ts'
export type { Assumed, AssumptionName, AssumptionSet } from './ngrok/assumed.ts'
export type * from './ngrok/shapes.ts'
export type { SimulatorOptions } from './simulator/options/options.ts'
