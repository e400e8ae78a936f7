import type { AssumptionName } from './assumptions.ts'

/** A rule of an IP policy, with the field names of the API. */
export interface PolicyRule {
  id: string
  ip_policy_id: string
  action: 'allow' | 'deny'
  cidr: string
}

/**
 * What became of one connection to a TCP or TLS edge, or of one request to an HTTPS edge. A connection to an HTTPS edge
 * has one of its own only if its TLS was refused.
 */
export interface Decision {
  id: string
  seq: number
  at: string
  sandbox: string
  edge: string
  kind: 'tcp' | 'tls' | 'https'
  verdict: 'allow' | 'refuse'
  source_ip: string
  /** These three are null for a connection. */
  method: string | null
  path: string | null
  route: string | null
  /** The rule of an IP policy that decided. */
  rule: PolicyRule | null
  /** The id of an IP restriction, the name of a module of the edge (`ip_restriction`, `mutual_tls`), or `nothing`. */
  decided_by: string
  /** Where it was forwarded to; null if it was not forwarded. */
  upstream: string | null
  /** Why it could not be forwarded, although it was allowed. */
  failure: string | null
  /** Null for a connection, and for a request without an answer. */
  status: number | null
  /** Headers that were added and removed before the request was forwarded. */
  headers: { added: Record<string, string>; removed: string[] } | null
  rules: { name: string; fired: boolean; effect: string }[]
  assumptions: { name: AssumptionName; value: string }[]
  warnings: string[]
  explanation: { section: string; text: string }
}

interface EdgeAddress {
  edge: string
  kind: Decision['kind']
  /** One of the edge's `hostports`. */
  hostport: string
}

/** An address that an edge listens on, and what came in there. */
export interface Listening extends EdgeAddress, TrafficCounts {
  error?: undefined
  url: string
  host: string
  port: number
}

/** An address of an edge: the edge listens there, or the reason why not. */
export type ListenerReport = Listening | (EdgeAddress & { error: string; url?: undefined })

export interface TrafficCounts {
  connections: number
  open: number
  allowed: number
  refused: number
  failed: number
  bytes_in: number
  bytes_out: number
}

/** The listeners of a sandbox's edges, and what was decided. */
export interface TrafficReport {
  listeners: ListenerReport[]
  /** Newest first. */
  decisions: Decision[]
  /** The PEM that clients of TLS and HTTPS edges trust. */
  certificate: string | null
}

export interface TrafficQuestion {
  edge?: string
  /** Instead of an edge: asks what the IP restrictions of this type decide. */
  type?: 'dashboard' | 'api' | 'agent' | 'endpoints'
  source_ip?: string
  path?: string
  headers?: Record<string, string>
}

/** What would be decided. The optional members are there for a request to an HTTPS edge. */
export interface TrafficVerdict
  extends Pick<Decision, 'verdict' | 'rule' | 'decided_by' | 'assumptions' | 'warnings' | 'explanation'> {
  route?: string | null
  upstream?: string | null
  /** The headers that the upstream would get. */
  headers?: Record<string, string | string[]>
  added?: Record<string, string>
  removed?: string[]
}
