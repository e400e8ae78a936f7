import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { parseJson } from '../../basics/json.ts'
import { wallClock } from '../../basics/real-time.ts'

export const MAX_RESPONSE_MB = 16

/** Rate limited: the request was not executed. */
export const TOO_MANY = 429

export interface ServiceResponse {
  status: number
  headers: IncomingHttpHeaders
  /** Undefined if the response has no body, or it is not JSON. */
  body: unknown
  /** A body that should be JSON and is not: corrupted on the way, or from another server. */
  garbled?: boolean
}

/** 501 means that the API has no such operation. After other 5xx statuses, the effect of the request is unknown. */
export const isFinal = ({ status }: ServiceResponse) => (status < 500 && status !== TOO_MANY) || status === 501

export async function readResponse(res: IncomingMessage): Promise<ServiceResponse> {
  const text = await readText(res)
  const status = res.statusCode!
  const body = parseJson(text)
  return { status, headers: res.headers, body, garbled: status < 300 && text !== '' && body === undefined }
}

async function readText(res: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of res) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > MAX_RESPONSE_MB * 1024 * 1024) {
      res.destroy()
      throw new Error(`the response is larger than ${MAX_RESPONSE_MB} MB`)
    }
  }
  if (!res.complete) throw new Error('the response is incomplete')
  return Buffer.concat(chunks).toString()
}

/** `Retry-After` in seconds; undefined if it is missing or invalid. */
export function retryAfter(response: ServiceResponse | undefined): number | undefined {
  const header = response?.headers['retry-after']
  if (header === undefined) return undefined
  if (/^\d{1,9}$/.test(header)) return Number(header)
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - wallClock()) / 1000))
}
