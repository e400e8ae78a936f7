import type { IncomingMessage } from 'node:http'
import type { Assuming } from '../../engine/sandbox/index.ts'
import type { ForwardedResponse } from '../../server/proxy/forwarded-response.ts'
import type { RawHeaders } from '../../server/proxy/header-fields.ts'
import { headerIn } from '../../server/proxy/header-fields.ts'
import { codingFor, compressed } from './compression.ts'
import { rewrite } from './header-rules.ts'
import type { RouteModules } from './route-modules.ts'

/** Applies the route modules to a response: first header rules, then compression. */
export function changeResponse(
  response: ForwardedResponse,
  modules: RouteModules | undefined,
  { method, headers: { 'accept-encoding': accepted } }: IncomingMessage,
  asker: Pick<Assuming, 'assume'>,
): ForwardedResponse & { coding?: string } {
  if (!modules) return response
  const { headers } = rewrite(response.headers, modules.responseHeaders, asker)
  const coding =
    modules.compresses && isCompressible(response.status, headers, method!) ? codingFor(accepted) : undefined
  if (!coding) return { ...response, headers }
  return { ...response, headers: headersWith(coding, headers), body: compressed(response.body, coding), coding }
}

/** RFC 9110, 15.3.7: a partial response refers to the original body. */
const WITHOUT_WHOLE_BODY = new Set([204, 206, 304])

const isCompressible = (status: number, headers: RawHeaders, method: string) =>
  method !== 'HEAD' &&
  !WITHOUT_WHOLE_BODY.has(status) &&
  headerIn(headers, 'content-length') !== '0' &&
  headerIn(headers, 'content-encoding') === undefined &&
  !/(^|,)\s*no-transform\s*(,|$)/i.test(headerIn(headers, 'cache-control') ?? '')

/** Drops the length, which is unknown, and weakens a strong ETag because the bytes change. */
function headersWith(coding: string, before: RawHeaders): RawHeaders {
  const headers: string[] = []
  for (let i = 0; i < before.length; i += 2) {
    const [name, value] = [before[i]!, before[i + 1]!]
    const lower = name.toLowerCase()
    if (lower === 'content-length') continue
    headers.push(name, lower === 'etag' && value.startsWith('"') ? `W/${value}` : value)
  }
  headers.push('content-encoding', coding)
  const varies = /(^|,)\s*(\*|accept-encoding)\s*(,|$)/i.test(headerIn(headers, 'vary') ?? '')
  if (!varies) headers.push('vary', 'Accept-Encoding')
  return headers
}
