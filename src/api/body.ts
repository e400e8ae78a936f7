import type { IncomingMessage, ServerResponse } from 'node:http'
import express from 'express'
import { fail } from '../errors.ts'
import { depthOf, MAX_DEPTH } from '../words/depth.ts'

const LIMIT = 64 * 1024
/** The body of a request that has none. */
export const NOTHING = Buffer.alloc(0)
const readRaw = express.raw({ type: () => true, limit: LIMIT })
const decoder = new TextDecoder('utf-8', { fatal: true })

const mayHaveBody = (req: IncomingMessage) =>
  req.headers['transfer-encoding'] !== undefined || (req.headers['content-length'] ?? '0') !== '0'

/** The JSON object in the body; an empty body is an empty object. */
export function parseBody(req: IncomingMessage, bytes: Buffer, expected: boolean): Record<string, unknown> {
  if (bytes.length === 0) return {}
  if (!expected) fail('body_not_expected', { method: req.method!, bytes: bytes.length })
  checkContentType(req.headers['content-type'], bytes.length)
  return parseObject(bytes)
}

/** The whole body, decompressed. */
export function readBytes(req: IncomingMessage, res: ServerResponse): Promise<Buffer> | Buffer {
  if (!mayHaveBody(req)) return NOTHING
  return new Promise((resolve, reject) => {
    const request = req as express.Request
    readRaw(request, res as express.Response, (error?: unknown) => {
      if (error) reject(error)
      else resolve(Buffer.isBuffer(request.body) ? request.body : NOTHING)
    })
  })
}

function checkContentType(given: string | undefined, bytes: number) {
  if (given === undefined || given.trim() === '') fail('no_content_type', { bytes })
  const [type, ...parameters] = given.split(';').map(part => part.trim().toLowerCase())
  const charset = parameters.find(parameter => parameter.startsWith('charset='))?.slice('charset='.length)
  const utf8 = charset === undefined || /^"?utf-?8"?$/.test(charset)
  if (type !== 'application/json' || !utf8) fail('unsupported_content_type', { received: given.slice(0, 100) })
}

function parseObject(bytes: Buffer): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(decoder.decode(bytes))
  } catch (error) {
    const why = error instanceof SyntaxError ? `it is not JSON (${error.message.slice(0, 120)})` : 'it is not UTF-8'
    fail('unparsable_body', { why })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const kind = value === null ? 'null' : Array.isArray(value) ? 'a list' : `a ${typeof value}`
    fail('unparsable_body', { why: `it is ${kind}, not an object` })
  }
  if (depthOf(value, MAX_DEPTH) > MAX_DEPTH)
    fail('unparsable_body', { why: `it is nested deeper than ${MAX_DEPTH} levels` })
  return value as Record<string, unknown>
}
