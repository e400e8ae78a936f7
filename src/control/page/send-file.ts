import type { ServerResponse } from 'node:http'
import { extname } from 'node:path'
import { distribution } from '../../engine/files/package.ts'

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** Allows only own files, without inline code and frames, so injected markup cannot run code. */
const SECURITY = {
  'Content-Security-Policy': "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'Referrer-Policy': 'no-referrer',
}

/** Sends content for browsers. The extension of `name` selects the content type. */
export function send(res: ServerResponse, name: string, bytes: Buffer, cache: string) {
  const type = TYPES[extname(name)] ?? 'application/octet-stream'
  const headers = { 'Content-Type': type, 'Content-Length': bytes.length, 'Cache-Control': cache }
  res.writeHead(200, { ...SECURITY, ...headers }).end(bytes)
}

/** Sends a package file. */
export const sendFile = (res: ServerResponse, path: string, cache: string) =>
  send(res, path, distribution.read(path), cache)
