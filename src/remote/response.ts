import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { parseJson } from '../basics/json.ts'
import { wallClock } from '../basics/real-time.ts'

export const MAX_ANSWER_MB = 16

/** Too many requests were sent: this one was not taken. */
export const TOO_MANY = 429

export interface ServiceResponse {
  status: number
  headers: IncomingHttpHeaders
  /** Undefined if there is none, or it is not JSON. */
  body: unknown
  /** It should be JSON and is not: on its way it was mixed up, or something else answers at this address. */
  garbled?: boolean
}

/** With 501 the service says that there is no such operation. Other statuses from 500 on say nothing of what was done. */
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
    if (bytes > MAX_ANSWER_MB * 1024 * 1024) {
      res.destroy()
      throw new Error(`its answer has more than ${MAX_ANSWER_MB} MB`)
    }
  }
  if (!res.complete) throw new Error('its answer was cut off')
  return Buffer.concat(chunks).toString()
}

/** How long the service asks to wait, in seconds; undefined if nothing was asked for that can be understood. */
export function retryAfter(response: ServiceResponse | undefined): number | undefined {
  const header = response?.headers['retry-after']
  if (header === undefined) return undefined
  if (/^\d{1,9}$/.test(header)) return Number(header)
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - wallClock()) / 1000))
}
