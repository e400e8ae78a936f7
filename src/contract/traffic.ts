import type { AssumptionName } from './assumptions.ts'

/** A rule of an IP policy, as the API has it. */
export interface PolicyRule {
  id: string
  ip_policy_id: string
  action: 'allow' | 'deny'
  cidr: string
}

/** What became of one connection to a TCP edge, or of one request to an HTTPS edge. */
export interface Decision {
  id: string
  seq: number
  at: string
  sandbox: string
  edge: string
  kind: 'tcp' | 'https'
  verdict: 'allow' | 'refuse'
  source_ip: string
  /** Of a request. */
  method: string | null
  path: string | null
  route: string | null
  /** The rule of an IP policy that decided, and the IP restriction or module that has the policy. */
  rule: PolicyRule | null
  decided_by: string
  /** Where it was taken to; null when it went nowhere. */
  upstream: string | null
  /** Why it could not be taken anywhere, although it might pass. */
  failure: string | null
  /** Of a request that was forwarded or answered. */
  status: number | null
  /** Headers as they were changed on the way. */
  headers: { added: Record<string, string>; removed: string[] } | null
  rules: { name: string; fired: boolean; effect: string }[]
  assumptions: { name: AssumptionName; value: string }[]
  warnings: string[]
  explanation: { section: string; text: string }
}

interface Place {
  edge: string
  kind: Decision['kind']
  /** As the edge has it. */
  hostport: string
}

/** Where an edge listens, and what went through. */
export interface Listening extends Place, Carried {
  error?: undefined
  url: string
  host: string
  port: number
}

/** What an edge tells of one of its addresses: that it listens there, or why not. */
export type ListenerReport = Listening | (Place & { error: string; url?: undefined })

export interface Carried {
  connections: number
  open: number
  allowed: number
  refused: number
  failed: number
  bytes_in: number
  bytes_out: number
}

/** What edges of a sandbox carry. */
export interface TrafficReport {
  listeners: ListenerReport[]
  /** Newest first. */
  decisions: Decision[]
  /** The PEM that clients of HTTPS edges trust. */
  certificate: string | null
}

export interface TrafficQuestion {
  edge?: string
  /** Instead of an edge: what IP restrictions of a type say. */
  type?: 'dashboard' | 'api' | 'agent' | 'endpoints'
  source_ip?: string
  path?: string
  headers?: Record<string, string>
}

/** What would be decided about a connection; about a request there is more to say. */
export interface TrafficVerdict
  extends Pick<Decision, 'verdict' | 'rule' | 'decided_by' | 'assumptions' | 'warnings' | 'explanation'> {
  route?: string | null
  upstream?: string | null
  /** As the upstream would get them. */
  headers?: Record<string, string | string[]>
  added?: Record<string, string>
  removed?: string[]
}
