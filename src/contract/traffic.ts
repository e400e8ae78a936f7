/** An IP policy rule, with the field names of the API. */
export interface PolicyRule {
  id: string
  ip_policy_id: string
  action: 'allow' | 'deny'
  cidr: string
}

/**
 * The outcome of a connection to a TCP or TLS edge, or of a request to an HTTPS edge. A connection to an HTTPS edge has
 * one only if its TLS handshake was rejected.
 */
export interface Decision<Assumption extends string = string> {
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
  /** The deciding IP policy rule. */
  rule: PolicyRule | null
  /** The id of an IP restriction, the name of an edge module (`ip_restriction`, `mutual_tls`), or `nothing`. */
  decided_by: string
  /** The address it was forwarded to. Null if it was not forwarded. */
  upstream: string | null
  /** Why it was not forwarded although allowed. */
  failure: string | null
  /** Null for a connection, and for a request without a response. */
  status: number | null
  /** Headers added and removed before the request was forwarded. */
  headers: { added: Record<string, string>; removed: string[] } | null
  rules: { name: string; fired: boolean; effect: string }[]
  assumptions: { name: Assumption; value: string }[]
  warnings: string[]
  explanation: { section: string; text: string }
}

interface EdgeAddress {
  edge: string
  kind: Decision['kind']
  /** One of the edge's `hostports`. */
  hostport: string
}

/** An address that an edge listens on, with its traffic. */
export interface Listening extends EdgeAddress, TrafficCounts {
  error?: undefined
  url: string
  host: string
  port: number
}

/** An edge address: listening, or the reason why not. */
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

/** The edge listeners and decisions of a sandbox. */
export interface TrafficReport<Assumption extends string = string> {
  listeners: ListenerReport[]
  /** Newest first. */
  decisions: Decision<Assumption>[]
  /** The PEM that clients of TLS and HTTPS edges trust. */
  certificate: string | null
}

export interface TrafficQuestion {
  edge?: string
  /** Instead of an edge: checks the IP restrictions of this type. */
  type?: 'dashboard' | 'api' | 'agent' | 'endpoints'
  source_ip?: string
  path?: string
  headers?: Record<string, string>
}

/** The predicted decision. The optional fields are only for requests to HTTPS edges. */
export interface TrafficVerdict<Assumption extends string = string>
  extends Pick<Decision<Assumption>, 'verdict' | 'rule' | 'decided_by' | 'assumptions' | 'warnings' | 'explanation'> {
  route?: string | null
  upstream?: string | null
  /** The headers that the upstream receives. */
  headers?: Record<string, string | string[]>
  added?: Record<string, string>
  removed?: string[]
}
