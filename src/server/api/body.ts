import type { IncomingMessage } from 'node:http'
import { fail } from '../../engine/error.ts'
import { errors } from '../errors.ts'
import { isJson, parseJson } from '../http/bodies.ts'

export const MAX_API_BODY_BYTES = 64 * 1024

/** The JSON object in the body. An empty body is an empty object. */
export function parseBody(req: IncomingMessage, bytes: Buffer, expected: boolean): Record<string, unknown> {
  if (bytes.length === 0) return {}
  if (!expected) fail(errors.body_not_expected, { method: req.method!, bytes: bytes.length })
  checkContentType(req.headers['content-type'], bytes.length)
  return parseObject(bytes)
}

function checkContentType(given: string | undefined, bytes: number) {
  if (given === undefined || given.trim() === '') fail(errors.no_content_type, { bytes })
  if (!isJson(given)) fail(errors.unsupported_content_type, { received: given.slice(0, 100) })
}

function parseObject(bytes: Buffer): Record<string, unknown> {
  const value = parseJson(bytes)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const kind = value === null ? 'null' : Array.isArray(value) ? 'a list' : `a ${typeof value}`
    fail(errors.unparsable_body, { why: `it must be an object, got ${kind}` })
  }
  return value as Record<string, unknown>
}
