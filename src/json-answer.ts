import type { ServerResponse } from 'node:http'

export interface JsonAnswer {
  status: number
  body?: unknown
  headers?: Record<string, string>
}

/** Sends what is not an answer of the API: nobody may keep it. */
export function sendJson(res: ServerResponse, { status, body, headers }: JsonAnswer) {
  const text = body === undefined ? '' : JSON.stringify(body)
  const type = text ? { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) } : {}
  res.writeHead(status, { ...type, 'Cache-Control': 'no-store', ...headers }).end(text)
}
