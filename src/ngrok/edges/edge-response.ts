import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { Assuming } from '../../engine/sandbox/index.ts'
import { endToEnd } from '../../server/proxy/request-head.ts'
import type { UpstreamResponse } from '../../server/proxy/upstream-request.ts'
import { codingFor, compressed } from './compression.ts'
import { type RawHeaders, rewrite } from './header-rules.ts'
import type { RouteModules } from './route-modules.ts'

/** A response on its way to the client. */
export interface EdgeResponse {
  status: number
  reason: string
  /** Without hop-by-hop headers. */
  headers: RawHeaders
  body: Readable
}

export function responseOf(response: UpstreamResponse): EdgeResponse {
  const { statusCode: status, statusMessage: reason, rawHeaders } = response
  const forwarded = endToEnd(rawHeaders, response.headers.connection)
  const hasLength = status !== 204 && status !== 304
  const nameAt = (i: number) => forwarded[i - (i % 2)]!.toLowerCase()
  const headers = hasLength ? forwarded : forwarded.filter((_, i) => nameAt(i) !== 'content-length')
  return { status: status!, reason: reason!, headers, body: response }
}

/** The values of a header, joined. */
export function headerIn(headers: RawHeaders, name: string): string | undefined {
  const values = headers.filter((_, i) => i % 2 === 1 && headers[i - 1]!.toLowerCase() === name)
  return values.length > 0 ? values.join(', ') : undefined
}

/** Applies the route modules to a response: first header rules, then compression. */
export function changeResponse(
  response: EdgeResponse,
  modules: RouteModules | undefined,
  { method, headers: { 'accept-encoding': accepted } }: IncomingMessage,
  asker: Pick<Assuming, 'assume'>,
): EdgeResponse & { coding?: string } {
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
