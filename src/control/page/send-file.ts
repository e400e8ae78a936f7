import type { ServerResponse } from 'node:http'
import { extname } from 'node:path'
import { distribution } from '../../files/package.ts'

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** Only its own files, no inline code, no frames: injected markup cannot run anything. */
const SECURITY = {
  'Content-Security-Policy': "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'Referrer-Policy': 'no-referrer',
}

/** Sends something that a browser shows; `name` says by its end what it is. */
export function send(res: ServerResponse, name: string, bytes: Buffer, cache: string) {
  const type = TYPES[extname(name)] ?? 'application/octet-stream'
  const headers = { 'Content-Type': type, 'Content-Length': bytes.length, 'Cache-Control': cache }
  res.writeHead(200, { ...SECURITY, ...headers }).end(bytes)
}

/** Sends a file of the package. */
export const sendFile = (res: ServerResponse, path: string, cache: string) =>
  send(res, path, distribution.read(path), cache)
