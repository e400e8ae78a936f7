// Made of the declarations by `npm run generate`.
import type { Assumed } from './assumptions.ts'

export type Duration = `${number}${'ms' | 's' | 'm' | 'h'}`

export type OperationName =
  | 'create_api_key'
  | 'list_api_keys'
  | 'get_api_key'
  | 'update_api_key'
  | 'delete_api_key'
  | 'create_ip_restriction'
  | 'list_ip_restrictions'
  | 'get_ip_restriction'
  | 'update_ip_restriction'
  | 'delete_ip_restriction'
  | 'replace_tcp_edge_ip_restriction_module'
  | 'get_tcp_edge_ip_restriction_module'
  | 'delete_tcp_edge_ip_restriction_module'
  | 'replace_https_edge_route_request_headers_module'
  | 'get_https_edge_route_request_headers_module'
  | 'delete_https_edge_route_request_headers_module'

/** One user of a fixture. */
export interface User {
  id: `usr_${string}`
  created_at?: string
  name?: string
  admin?: boolean
}

/** One bot of a fixture. */
export interface Bot {
  id: `bot_${string}`
  created_at?: string
  name?: string
  admin?: boolean
}

/** One API key of a fixture. */
export interface ApiKey {
  id: `ak_${string}`
  created_at?: string
  description?: string
  metadata?: string
  owner_id?: `usr_${string}` | `bot_${string}`
  token?: string
  token_sha256?: string
}

/** One IP policy of a fixture. */
export interface IpPolicy {
  id: `ipp_${string}`
  created_at?: string
  description?: string
  metadata?: string
  rules?: {
    action: 'allow' | 'deny'
    cidr: string
    description?: string
  }[]
}

/** One IP restriction of a fixture. */
export interface IpRestriction {
  id: `ipx_${string}`
  created_at?: string
  description?: string
  metadata?: string
  enforced?: boolean
  type: 'dashboard' | 'api' | 'agent' | 'endpoints'
  ip_policy_ids?: `ipp_${string}`[]
}

/** One TCP edge of a fixture. */
export interface TcpEdge {
  id: `edgtcp_${string}`
  created_at?: string
  description?: string
  metadata?: string
  listen?: string
  upstream?: string
  ip_restriction?: {
    enabled?: boolean
    ip_policy_ids?: `ipp_${string}`[]
  }
}

/** One HTTPS edge of a fixture. */
export interface HttpsEdge {
  id: `edghts_${string}`
  created_at?: string
  description?: string
  metadata?: string
  listen?: string
  routes?: {
    id: `edghtsrt_${string}`
    match_type?: 'exact_path' | 'path_prefix'
    match?: string
    upstream?: string
    request_headers?: {
      enabled?: boolean
      add?: Record<string, string>
      remove?: string[]
    }
  }[]
}

/** Records by table. */
export interface Tables {
  users: User[]
  bots: Bot[]
  api_keys: ApiKey[]
  ip_policies: IpPolicy[]
  ip_restrictions: IpRestriction[]
  tcp_edges: TcpEdge[]
  https_edges: HttpsEdge[]
}

export type TableName = keyof Tables

/** The state a sandbox starts with. */
export interface Fixture extends Partial<Tables> {
  $schema?: string
  _edgesim?: Record<string, unknown>
}

/** What goes wrong, and for which calls. */
export interface Rule {
  name?: string
  when?: {
    operation?: OperationName | OperationName[]
    method?: 'POST' | 'GET' | 'PATCH' | 'DELETE' | 'PUT' | ('POST' | 'GET' | 'PATCH' | 'DELETE' | 'PUT')[]
    path?: string | string[]
    owner?: string | string[]
    source_ip?: string | string[]
    calls?: number | string
    between?: string[]
  }
  probability?: number
  times?: number
  latency?: Duration | {
    min: Duration
    max: Duration
    after?: boolean
  } | {
    p50: Duration
    p95: Duration
    p99: Duration
    after?: boolean
  }
  fault?: {
    type: 'error'
    status: number
    code?: number
    msg?: string
    retry_after?: Duration
  } | {
    type: 'reset'
  } | {
    type: 'lost-reply'
  } | {
    type: 'hang'
    for?: Duration
  } | {
    type: 'truncate'
    after?: number
  } | {
    type: 'garbage'
    what?: 'json' | 'http'
  } | {
    type: 'slow-body'
    bytes_per_second?: number
  } | {
    type: 'stale-reads'
    delay: Duration
  }
  rate_limit?: {
    requests: number
    per: Duration
  }
}

/** What goes wrong in a sandbox, and when. */
export interface Scenario {
  $schema?: string
  name?: string
  description?: string
  fixture?: string
  /** Where the clock of the sandbox stands, and whether it stands still. */
  clock?: {
    now: string
    frozen?: boolean
  }
  /** Makes the draws of probabilities and latencies repeatable. */
  seed?: string | number
  /** Laid over the fixture: of a known id the given fields win, a new id is added. */
  state?: { [T in TableName]?: (Partial<Tables[T][number]> & Pick<Tables[T][number], 'id'>)[] }
  /** Assumptions to change. */
  assume?: Assumed
  /** Tried in order. All latencies add up; the first fault wins. */
  rules?: Rule[]
}
