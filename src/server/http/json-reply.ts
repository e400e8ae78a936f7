import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { ApiError } from '../../engine/error.ts'
import { errorBody } from '../error-reply.ts'
import { endReply } from './bodies.ts'

export interface JsonReply {
  status: number
  body?: unknown
  headers?: Record<string, string>
}

/** Sends JSON that is not an API response, and disables caching. */
export function sendJson(res: ServerResponse, reply: JsonReply) {
  const text = reply.body === undefined ? '' : JSON.stringify(reply.body)
  const type = text && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }
  res.writeHead(reply.status, { ...(type || {}), 'Cache-Control': 'no-store', ...reply.headers })
  endReply(res, text)
}

/** The bytes of an error, for a connection without a response object. The connection ends with it. */
export function rawReply(error: ApiError, headers: Record<string, string> = {}): string {
  const body = JSON.stringify(errorBody(error))
  const { status } = error.kind
  const more = Object.entries(headers).map(([name, value]) => `\r\n${name}: ${value}`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}${more.join('')}\r\nConnection: close\r\n\r\n${body}`
}
