import type { Row } from '../../engine/language/index.ts'
import type { Tables } from '../../engine/state/index.ts'
import type { RawHeaders } from '../../server/proxy/header-fields.ts'
import { type Access, type Asker, checkIpModule } from '../access/restrictions.ts'
import type { BreakerSettings } from './circuit-breaker.ts'
import { type HeaderRules, readRules } from './header-rules.ts'
import { type PatternCache, UserAgentFilter } from './user-agent-filter.ts'
import { VERIFIED_PROVIDER, type Webhook } from './webhook-verification.ts'

/** The enabled modules of a route, except request headers and backend. */
export interface RouteModules {
  /** The route, if it has an IP restriction. */
  restricted: Row | undefined
  userAgents: UserAgentFilter | undefined
  webhook: Webhook | undefined
  /** The stored module. Its circuit lives as long as this object. */
  breaker: BreakerSettings | undefined
  responseHeaders: HeaderRules | undefined
  compresses: boolean
  /** Warnings about modules without effect. */
  warnings: string[]
}

/** Modules that are stored but have no effect, and what that means. */
const WITHOUT_EFFECT = {
  oauth: ['OAuth', 'requests pass without login'],
  oidc: ['OIDC', 'requests pass without login'],
  saml: ['SAML', 'requests pass without login'],
  websocket_tcp_converter: ['websocket TCP converter', 'WebSockets are forwarded unchanged'],
  traffic_policy: ['traffic policy', 'requests and responses pass unchanged'],
} as const

const noEffect = (id: string, label: string, why: string) =>
  `The ${label} module of ${id} is stored but has no effect: ${why}.`

/** For TCP and TLS edges. An HTTPS edge has the module on its routes. */
export const policyWarning = ({ id, traffic_policy: policy }: Row) =>
  (policy as { enabled: boolean } | undefined)?.enabled
    ? noEffect(id, 'traffic policy', 'connections pass unchanged')
    : undefined

/** Undefined if the route has none, which is the common case. */
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
    warnings: Object.entries(WITHOUT_EFFECT).flatMap(([key, [label, why]]) =>
      enabled(key) ? noEffect(row.id, label, why) : [],
    ),
  }
  if (webhook && !isVerified) {
    const provider = JSON.stringify(webhook.provider)
    modules.warnings.push(
      noEffect(row.id, 'webhook verification', `requests from the provider ${provider} pass without verification`),
    )
  }
  const { warnings, compresses, ...rest } = modules
  const areNone = !compresses && warnings.length === 0 && Object.values(rest).every(module => module === undefined)
  return areNone ? undefined : modules
}

/** Checks the route modules that only need the request head, after the edge allowed the request. */
export async function checkRoute(
  tables: Tables,
  { restricted, userAgents, warnings }: RouteModules,
  before: Access,
  { source, headers }: { source: string; headers: RawHeaders },
  asker: Asker,
  kept: PatternCache,
): Promise<Access> {
  let access = restricted ? checkIpModule(tables, restricted, before, source, asker) : before
  if (access.passes && userAgents) access = await userAgents.check(access, userAgentIn(headers), kept)
  return access.passes && warnings.length > 0 ? { ...access, warnings: [...access.warnings, ...warnings] } : access
}

/** The first User-Agent header. */
function userAgentIn(headers: RawHeaders): string | undefined {
  for (let i = 0; i < headers.length; i += 2) if (headers[i]!.toLowerCase() === 'user-agent') return headers[i + 1]
  return undefined
}
