import { type ServerResponse, STATUS_CODES } from 'node:http'
import { type ApiError, errorBody } from './errors.ts'
import { endAnswer } from './request-body.ts'

export interface JsonAnswer {
  status: number
  body?: unknown
  headers?: Record<string, string>
}

/** Sends what is not an answer of the API: nobody may keep it. */
export function sendJson(res: ServerResponse, { status, body, headers }: JsonAnswer) {
  const text = body === undefined ? '' : JSON.stringify(body)
  const type = text ? { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) } : {}
  res.writeHead(status, { ...type, 'Cache-Control': 'no-store', ...headers })
  endAnswer(res, text)
}

/** The same onto a connection that has no response of its own, and which then ends. */
export function rawAnswer(error: ApiError, vendor: string): string {
  const body = JSON.stringify(errorBody(error, vendor))
  const { status } = error.row
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`
}
