import { type ServerResponse, STATUS_CODES } from 'node:http'
import { isObject } from '../../basics/json.ts'
import { encodeInSteps, ITEMS_PER_STEP, runYielding } from '../../basics/slices.ts'
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
  writeHead(res, reply, Buffer.byteLength(text))
  endReply(res, text)
}

function writeHead(res: ServerResponse, { status, headers }: JsonReply, length: number) {
  const type = length > 0 ? { 'Content-Type': 'application/json', 'Content-Length': length } : {}
  res.writeHead(status, { ...type, 'Cache-Control': 'no-store', ...headers })
}

/** Like `sendJson`, but formats a long list in slices. */
export async function sendLongJson(res: ServerResponse, reply: JsonReply) {
  if (!isLong(reply.body)) return sendJson(res, reply)
  const chunks = await runYielding(encodeInSteps(piecesOf(reply.body)))
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
  writeHead(res, reply, length)
  for (const chunk of chunks) res.write(chunk)
  endReply(res, '')
}

/** True for a long list, and for an object with one up to two levels down. */
function isLong(value: unknown, levels = 2): boolean {
  if (Array.isArray(value)) return value.length > ITEMS_PER_STEP
  if (levels === 0 || !isObject(value) || 'toJSON' in value) return false
  return Object.values(value).some(each => isLong(each, levels - 1))
}

/** The output of JSON.stringify, in pieces. */
function* piecesOf(value: unknown): Generator<string> {
  if (!isLong(value)) return yield JSON.stringify(value) ?? 'null'
  const members: [name: string | undefined, value: unknown][] = Array.isArray(value)
    ? value.map(each => [undefined, each])
    : Object.entries(value as object).filter(([, each]) => each !== undefined)
  let before = Array.isArray(value) ? '[' : '{'
  for (const [name, each] of members) {
    yield name === undefined ? before : `${before}${JSON.stringify(name)}:`
    yield* piecesOf(each)
    before = ','
  }
  yield Array.isArray(value) ? ']' : '}'
}

/** The bytes of an error, for a connection without a response object. The connection ends with it. */
export function rawReply(error: ApiError, headers: Record<string, string> = {}): string {
  const body = JSON.stringify(errorBody(error))
  const { status } = error.kind
  const more = Object.entries(headers).map(([name, value]) => `\r\n${name}: ${value}`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}${more.join('')}\r\nConnection: close\r\n\r\n${body}`
}
