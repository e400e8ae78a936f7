/** A token in plain text in a fixture. */
export interface LaunchToken {
  token: string
  key_id: string
  owner_id: string
  admin: boolean
}

/** The simulated API, as its clients need to know it. */
export interface ApiInfo {
  name: string
  /** Whether callers need a token. */
  tokens: boolean
  /** Headers of every request, except for the token. */
  headers: Record<string, string>
  /** A first request. */
  first: { operation: string; method: string; path: string }
}

export interface Info {
  url: string
  version: string
  vendor: string
  instance: string
  started_at: string
  fixture: string
  scenario: string | null
  /** The file of `--db`. */
  database: string | null
  tokens: readonly LaunchToken[]
  sandboxes: { count: number; most: number; expired: number }
  options: Record<string, unknown>
  api: ApiInfo
  /** Requests that were rejected before they could be recorded in a journal. */
  refused: { at: string; msg: string }[]
}

/** Requests to the sandbox `default` with one key. The token is null if only its hash is known. */
export interface DefaultRequests {
  token: string | null
  /** Null without a valid token. */
  key_id: string | null
  requests: number
}

export interface SandboxInfo {
  name: string
  url: string
  /** Null if only token hashes are known. */
  token: string | null
  requests: number
  /** The requests with an error or without a response. */
  errors: number
  seq: number
  /** In real time. A reset does not change it. */
  created_at: string
  /** Whether a test runner has reported that its test failed. */
  failed: boolean
}

export type Latency = string | { min: string; max: string } | { p50: string; p95: string; p99: string }

/** A scenario rule with its match counts. */
export interface RuleReport {
  name: string
  matched: number
  fired: number
  when?: Record<string, unknown>
  probability?: number
  times?: number
  latency?: Latency
  fault?: { type: string; [member: string]: unknown }
  rate_limit?: { requests: number; per: string; window?: string }
  [member: string]: unknown
}

/** The active scenario: its file, with the match counts of its rules. */
export interface ScenarioReport {
  name: string | null
  description: string
  fixture?: string
  state?: Record<string, unknown>
  clock?: { now: string; frozen?: boolean }
  seed?: string | number
  /** Where the seed comes from. `sandbox`: from its creation or from `--seed`, which both override the scenario. */
  seed_source?: 'scenario' | 'sandbox' | 'generated'
  assume?: Record<string, string>
  rules: RuleReport[]
  [member: string]: unknown
}
