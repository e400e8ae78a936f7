import type { Readable } from 'node:stream'
import type { RawHeaders } from './header-fields.ts'
import { endToEnd } from './request-head.ts'
import type { UpstreamResponse } from './upstream-request.ts'

/** A response on its way to the client. */
export interface ForwardedResponse {
  status: number
  reason: string
  /** Without hop-by-hop headers. */
  headers: RawHeaders
  body: Readable
}

export function responseOf(response: UpstreamResponse): ForwardedResponse {
  const { statusCode: status, statusMessage: reason, rawHeaders } = response
  const forwarded = endToEnd(rawHeaders, response.headers.connection)
  const hasLength = status !== 204 && status !== 304
  const nameAt = (i: number) => forwarded[i - (i % 2)]!.toLowerCase()
  const headers = hasLength ? forwarded : forwarded.filter((_, i) => nameAt(i) !== 'content-length')
  return { status: status!, reason: reason!, headers, body: response }
}
