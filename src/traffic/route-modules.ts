import type { Row } from '../schema/index.ts'
import { type Access, type Asker, checkIpModule, type Tables } from '../state/index.ts'
import type { BreakerSettings } from './circuit-breaker.ts'
import { type HeaderRules, type RawHeaders, readRules } from './header-rules.ts'
import { type KeptPatterns, UserAgentFilter } from './user-agent-filter.ts'
import { VERIFIED_PROVIDER, type Webhook } from './webhook-verification.ts'

/** The modules of a route that are set and enabled, besides its request headers and its backend. */
export interface RouteModules {
  /** The route, if it has an IP restriction. */
  restricted: Row | undefined
  userAgents: UserAgentFilter | undefined
  webhook: Webhook | undefined
  /** The module itself: while it is the same object, its circuit is the same. */
  breaker: BreakerSettings | undefined
  responseHeaders: HeaderRules | undefined
  compresses: boolean
  /** Of the modules that are not acted on. */
  warnings: string[]
}

/** Modules that edgesim keeps, and what follows from not acting on them. */
const KEPT = {
  oauth: ['OAuth', 'requests pass without signing in'],
  oidc: ['OIDC', 'requests pass without signing in'],
  saml: ['SAML', 'requests pass without signing in'],
  websocket_tcp_converter: ['websocket TCP converter', 'WebSockets are forwarded as they are'],
  traffic_policy: ['traffic policy', 'requests and answers pass as if there were none'],
} as const

const kept = (id: string, label: string, why: string) =>
  `The ${label} module of ${id} is kept and not acted on: ${why}.`

/** Of TCP and TLS edges; an HTTPS edge has it on its routes. */
export const policyWarning = ({ id, traffic_policy: policy }: Row) =>
  (policy as { enabled: boolean } | undefined)?.enabled
    ? kept(id, 'traffic policy', 'connections pass as if there were none')
    : undefined

/** Undefined if there are none, so that most requests are not asked about any. */
export function readModules(row: Row): RouteModules | undefined {
  const enabled = <T>(key: string) => {
    const module = row[key] as (T & { enabled: boolean }) | undefined
    return module?.enabled ? module : undefined
  }
  const agents = enabled<{ allow: string[]; deny: string[] }>('user_agent_filter')
  const webhook = enabled<{ provider: string; secret: string }>('webhook_verification')
  const isVerified = webhook?.provider === VERIFIED_PROVIDER
  const modules: RouteModules = {
    restricted: enabled('ip_restriction') && row,
    userAgents: agents && new UserAgentFilter(row.id, agents),
    webhook: isVerified ? { route: row.id, secret: webhook.secret } : undefined,
    breaker: enabled('circuit_breaker'),
    responseHeaders: readRules(row.response_headers),
    compresses: enabled('compression') !== undefined,
    warnings: Object.entries(KEPT).flatMap(([key, [label, why]]) => (enabled(key) ? kept(row.id, label, why) : [])),
  }
  if (webhook && !isVerified) {
    const provider = JSON.stringify(webhook.provider)
    modules.warnings.push(
      kept(row.id, 'webhook verification', `of the provider ${provider}, requests pass without a signature`),
    )
  }
  const { warnings, compresses, ...rest } = modules
  const areNone = !compresses && warnings.length === 0 && Object.values(rest).every(module => module === undefined)
  return areNone ? undefined : modules
}

/** Whether the modules of a route let a request pass that the edge lets pass, as far as its head can tell. */
export async function checkRoute(
  tables: Tables,
  { restricted, userAgents, warnings }: RouteModules,
  before: Access,
  { source, headers }: { source: string; headers: RawHeaders },
  asker: Asker,
  kept: KeptPatterns,
): Promise<Access> {
  let access = restricted ? checkIpModule(tables, restricted, before, source, asker) : before
  if (access.passes && userAgents) access = await userAgents.check(access, userAgentIn(headers), kept)
  return access.passes && warnings.length > 0 ? { ...access, warnings: [...access.warnings, ...warnings] } : access
}

/** The first, if there are several. */
function userAgentIn(headers: RawHeaders): string | undefined {
  for (let i = 0; i < headers.length; i += 2) if (headers[i]!.toLowerCase() === 'user-agent') return headers[i + 1]
  return undefined
}
