import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import type { ZlibOptions } from 'node:zlib'
import { depthOf, MAX_DEPTH } from '../../basics/json.ts'
import { describeTooLong, findTooLong, type Lengths } from '../../basics/json-lengths.ts'
import { clearTimeout, setTimeout } from '../../basics/real-time.ts'
import { ApiError, fail } from '../../engine/error.ts'
import { errors } from '../errors.ts'

/** After a body is rejected, up to this much is drained for this long, so the client can read the error. */
const MAX_DRAINED_BYTES = 16 * 1024 * 1024
const MAX_DRAIN_MS = 5_000

export const EMPTY_BODY = Buffer.alloc(0)

type Decompress = (bytes: Buffer, options: ZlibOptions) => Promise<Buffer>
const DECOMPRESS: Record<string, Decompress> = {
  gzip: (...args) => promisify(zlib().gunzip)(...args) as Promise<Buffer>,
  deflate: (...args) => promisify(zlib().inflate)(...args) as Promise<Buffer>,
  br: (...args) => promisify(zlib().brotliDecompress)(...args) as Promise<Buffer>,
}

/** Loaded with the first body that needs it. */
const zlib = () => process.getBuiltinModule('node:zlib')

export const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

/** The decompressed body, up to `maxBytes`. */
export async function readBody(req: IncomingMessage, res: ServerResponse, maxBytes: number): Promise<Buffer> {
  const encoding = (req.headers['content-encoding'] ?? 'identity').toLowerCase()
  const decompress = Object.hasOwn(DECOMPRESS, encoding) ? DECOMPRESS[encoding] : undefined
  if (!decompress && encoding !== 'identity') fail(errors.unsupported_encoding, { received: encoding.slice(0, 100) })
  // Nothing can be awaited before this, because bytes of the body can arrive in this tick.
  const bytes = await readBytes(req, res, maxBytes)
  return decompress ? decompressed(decompress, bytes, maxBytes) : bytes
}

/** The original body. It is rejected as soon as it is longer than `maxBytes`. */
export function readBytes(req: IncomingMessage, res: ServerResponse, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    const onData = (chunk: Buffer) => {
      length += chunk.length
      if (length > maxBytes) refuseBody()
      else chunks.push(chunk)
    }
    const refuseBody = () => {
      req.off('data', onData).pause()
      res.shouldKeepAlive = false
      reject(tooLarge(maxBytes))
    }
    if (Number(req.headers['content-length'] ?? 0) > maxBytes) return refuseBody()
    req.on('data', onData)
    req.once('end', () => {
      // Every request closes eventually, and creating this error each time took 20 µs of a create.
      req.off('close', onClose)
      resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, length))
    })
    const onClose = () =>
      reject(ApiError.of(errors.unparsable_body, { why: 'the client disconnected before the end of the body' }))
    if (req.destroyed) return onClose()
    req.once('close', onClose)
    req.on('error', () => {})
  })
}

/** Whether a Content-Type means JSON in UTF-8. */
export function isJson(contentType: string): boolean {
  const [type, ...parameters] = contentType.split(';').map(part => part.trim().toLowerCase())
  const charset = parameters.find(parameter => parameter.startsWith('charset='))?.slice('charset='.length)
  return type === 'application/json' && (charset === undefined || /^"?utf-?8"?$/.test(charset))
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/** The JSON value in a body, with limited nesting. */
export function parseJson(bytes: Buffer): unknown {
  const value = parse(bytes)
  if (depthOf(value, MAX_DEPTH) > MAX_DEPTH) failTooDeep()
  return value
}

/** Like `parseJson`, for bodies that can be long. Checks the lengths before parsing. */
export function parseLongJson(bytes: Buffer, lengths: Lengths): unknown {
  const found = findTooLong(bytes, lengths)
  if (found?.what === 'depth') failTooDeep()
  if (found) fail(errors.bad_request, { why: describeTooLong(found) })
  return parse(bytes)
}

function failTooDeep(): never {
  fail(errors.unparsable_body, { why: `it is nested deeper than ${MAX_DEPTH} levels` })
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(decode(bytes))
  } catch (error) {
    return failUnparsable(error)
  }
}

function decode(bytes: Buffer): string {
  try {
    return decoder.decode(bytes)
  } catch {
    fail(errors.unparsable_body, { why: 'it is not UTF-8' })
  }
}

function failUnparsable(error: unknown): never {
  if (!(error instanceof SyntaxError)) throw error
  fail(errors.unparsable_body, { why: `it is not JSON (${error.message.slice(0, 120)})` })
}

async function decompressed(decompress: Decompress, bytes: Buffer, maxBytes: number): Promise<Buffer> {
  try {
    return await decompress(bytes, { maxOutputLength: maxBytes })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(maxBytes)
    throw ApiError.of(errors.unparsable_body, { why: `decompression failed (${(error as Error).message})` })
  }
}

const formatSize = (bytes: number) => (bytes < 2 ** 20 ? `${bytes / 2 ** 10} KB` : `${bytes / 2 ** 20} MB`)
const tooLarge = (maxBytes: number) => ApiError.of(errors.body_too_large, { limit: formatSize(maxBytes) })

/**
 * Ends a response. If the body of its request was rejected, sends the response immediately and drains the body. Closing
 * earlier would reset the connection, and a client that is still sending would never see the response.
 */
export function endReply(res: ServerResponse, text: string) {
  const { req } = res
  // Only `readBytes` pauses a request, to reject its body.
  if (!req.isPaused()) return void res.end(text)
  let left = MAX_DRAINED_BYTES
  const end = () => {
    clearTimeout(timer)
    res.end()
  }
  const timer = setTimeout(end, MAX_DRAIN_MS)
  res.write(text)
  req.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) end()
  })
  req.once('close', end).resume()
}
