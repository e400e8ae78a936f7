import type { listAssumptions } from '../contract/assumptions.ts'
import type { Entry as JournalEntry } from '../contract/journal-entry.ts'
import type { LaunchToken } from '../fixtures/owners.ts'
import type { describeResources } from '../resources/for-page.ts'
import type { Change as StateChange } from '../state/change.ts'

export type { Har } from '../contract/har.ts'
export type { Op, Row } from '../contract/journal-entry.ts'
export type { Report } from '../contract/report.ts'
export type { Decision, Listening, TrafficReport, TrafficVerdict } from '../contract/traffic.ts'
export type { SnapshotInfo } from '../sandbox/snapshots.ts'

/** What comes over the wire, as far as the page reads it. */
export type Json = Record<string, unknown>

export interface Info {
  url: string
  version: string
  vendor: string
  instance: string
  started_at: string
  database: string | null
  fixture: string
  scenario: string | null
  tokens: LaunchToken[]
  options: Json
}

export interface SandboxInfo {
  name: string
  url: string
  token: string | null
  requests: number
  seq: number
}

export type Change = StateChange & { ops_left_out?: number }

/** An event leaves out what only a single entry shows. */
export type Entry = Omit<JournalEntry, 'request' | 'response' | 'change'> &
  Partial<Pick<JournalEntry, 'request' | 'response'>> & {
    change: { seq: number; ops?: StateChange['ops'] } | null
  }

export type Resources = ReturnType<typeof describeResources>
export type Kind = Resources['kinds'][number]
export type FieldInfo = Kind['fields'][number]
export type ModuleInfo = Resources['modules'][number]

export type Latency = string | { min: string; max: string } | { p50: string; p95: string; p99: string }

export interface RuleReport {
  name: string
  matched: number
  fired: number
  when?: Json
  probability?: number
  times?: number
  latency?: Latency
  fault?: Json & { type: string }
  rate_limit?: { requests: number; per: string; window?: string }
}

export interface ScenarioReport {
  name: string | null
  description: string
  fixture?: string
  state?: Json
  clock?: { now: string; frozen?: boolean }
  seed?: string | number
  assume?: Record<string, string>
  rules: RuleReport[]
}

export interface Problem {
  line: number
  column: number
  message: string
}

export interface ClockInfo {
  now: string
  frozen: boolean
  real: boolean
}

export type AssumptionInfo = ReturnType<typeof listAssumptions>[number]
