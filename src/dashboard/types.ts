/** What comes over the wire, as far as the page reads it. */
export type Json = Record<string, unknown>

export interface LaunchToken {
  token: string
  key_id: string
  owner_id: string
  admin: boolean
}

export interface Info {
  url: string
  version: string
  vendor: string
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

export interface Op {
  table: string
  id: string
  before: Json | null
  after: Json | null
}

export interface Change {
  seq: number
  at: string
  cause: { kind: string; id?: string }
  ops: Op[]
  ops_left_out?: number
}

export interface Entry {
  id: string
  seq: number
  at: string
  operation: string | null
  method: string
  path: string
  query: Record<string, string>
  status: number | null
  duration_ms: number | null
  source_ip: string
  caller: { id: string; key_id: string } | null
  /** Left out of events: what they carry is what a list shows. */
  request?: { headers: Record<string, string>; body: unknown }
  response?: { headers: Record<string, string>; body: unknown } | null
  rules: { name: string; fired: boolean; effect: string }[]
  assumptions: { name: string; value: string }[]
  warnings: string[]
  change: { seq: number; ops?: Op[] } | null
  explanation: { decided_by: string; section: string; text: string; nearest: string | null } | null
}

export interface FieldInfo {
  name: string
  schema: Json
  create_only: boolean
  required: boolean
  default: unknown
  refers_to: string[] | null
  shown_as: string | null
}

export interface Kind {
  name: string
  table: string
  label: string
  prefix: string
  section: string
  /** Null for kinds that the API has no routes for. */
  path: string | null
  list_as: string | null
  fields: FieldInfo[]
  parts: { list: string; name: string; label: string; prefix: string; fields: FieldInfo[] }[]
}

export interface ModuleInfo {
  name: string
  label: string
  path: string
  section: string
  of: { table: string; part?: string; key: string }
  fields: FieldInfo[]
}

export interface Resources {
  kinds: Kind[]
  modules: ModuleInfo[]
  operations: { id: string; method: string; path: string; kind: string; section: string }[]
}

export type Row = Json & { id: string }

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
  rate_limit?: { requests: number; per: string }
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

export interface AssumptionInfo {
  name: string
  section: string
  question: string
  default: string
  why: string
  alternatives: string[]
  value: string
  flag: string | null
}

export interface SnapshotInfo {
  name: string
  at: string | null
  seq: number | null
}
