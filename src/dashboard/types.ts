import type { listAssumptions } from '../engine/assumptions.ts'
import type { describeResources } from '../engine/describe/for-dashboard.ts'

export type { Har } from '../contract/har.ts'
export type { Info, Latency, RuleReport, SandboxInfo, ScenarioReport } from '../contract/info.ts'
export type { EventEntry, ListedEntry, Op, Row } from '../contract/journal-entry.ts'
export type { Report } from '../contract/report.ts'
export type { Decision, Listening, TrafficReport, TrafficVerdict } from '../contract/traffic.ts'
export type { TextProblem as Problem } from '../engine/files/file-error.ts'
export type { SnapshotInfo } from '../engine/sandbox/snapshots.ts'

/** A JSON object of the control API. */
export type Json = Record<string, unknown>

export type Resources = ReturnType<typeof describeResources>
export type Kind = Resources['kinds'][number]
export type FieldInfo = Kind['fields'][number]
export type ModuleInfo = Resources['modules'][number]

export interface ClockInfo {
  now: string
  frozen: boolean
  real: boolean
}

export type AssumptionInfo = ReturnType<typeof listAssumptions>[number]
