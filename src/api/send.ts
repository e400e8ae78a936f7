import type { ServerResponse } from 'node:http'
import { errorBody, toApiError } from '../errors.ts'
import type { Reply } from '../operations/index.ts'
import type { Call } from '../sandbox/index.ts'
import type { Answer } from '../scenarios/index.ts'
import { httpDate } from './http-date.ts'

export const BODY_LIMIT = '64 KB'

/** The one place where a reply becomes an answer: its bytes, and the headers every answer has. */
function format(call: Call, reply: Reply) {
  const text = reply.body === undefined ? '' : JSON.stringify(reply.body)
  const headers: Record<string, string | number> = { ...reply.headers }
  if (text) {
    headers['Content-Type'] = 'application/json'
    headers['Content-Length'] = Buffer.byteLength(text)
  }
  headers['Edgesim-Operation-Id'] = call.id
  headers.Date = httpDate(call.sandbox.clock.now())
  return { text, headers }
}

export function toAnswer(call: Call, reply: Reply): Answer {
  const { text, headers } = format(call, reply)
  return { status: reply.status, headers, body: Buffer.from(text) }
}

/** As a string, the body leaves together with its head. */
export function send(res: ServerResponse, call: Call, reply: Reply) {
  const { text, headers } = format(call, reply)
  res.writeHead(reply.status, headers)
  res.end(text)
  return { bytes: text.length, headers }
}

export function errorReply(error: unknown, vendor: string, operationId?: string): Reply {
  const known = toApiError(error, BODY_LIMIT)
  return {
    status: known.row.status,
    body: { ...errorBody(known, vendor, operationId) },
    headers: { ...known.row.headers, ...known.headers },
  }
}
