import { STATUS_CODES } from 'node:http'
import { Readable } from 'node:stream'
import type { UpstreamResponse } from '../../server/proxy/upstream-request.ts'
import type { FixedResponse } from './backend.ts'

/** RFC 9110, 6.4.1 and 15.3.6. */
const WITHOUT_BODY = [204, 205, 304]

/** The response of an HTTP response backend, with the given time as its date. */
export function fixedResponse(backend: FixedResponse, method: string, now: number): UpstreamResponse {
  const { status } = backend
  const hasBody = !WITHOUT_BODY.includes(status)
  const headers = {
    date: new Date(now).toUTCString(),
    ...backend.headers,
    ...(hasBody && { 'content-length': `${backend.body.length}` }),
  }
  const body = new Readable({
    read() {
      if (hasBody && method !== 'HEAD') this.push(backend.body)
      this.push(null)
    },
  })
  return Object.assign(body, {
    statusCode: status,
    statusMessage: STATUS_CODES[status] ?? '',
    headers,
    rawHeaders: Object.entries(headers).flat(),
  })
}
