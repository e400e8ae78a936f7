import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, type ZlibOptions } from 'node:zlib'
import { MAX_DEPTH } from '../basics/json.ts'
import { clearTimeout, setTimeout } from '../basics/real-time.ts'
import type { Steps } from '../basics/slices.ts'
import { ApiError, fail } from '../contract/errors.ts'
import { parseSteps } from './json-steps.ts'

/** Who is still sending gets so much read and thrown away, and so long, before the connection closes. */
const DRAINED = 1024 * 1024
const DRAIN_MS = 5_000

/** The body of a request that has none. */
export const NOTHING = Buffer.alloc(0)

type Unpack = (bytes: Buffer, options: ZlibOptions) => Promise<Buffer>
const UNPACK: Record<string, Unpack> = {
  gzip: promisify(gunzip) as Unpack,
  deflate: promisify(inflate) as Unpack,
  br: promisify(brotliDecompress) as Unpack,
}

/** Requests whose bodies were given up, and how much of each is still read. */
const unread = new WeakMap<IncomingMessage, number>()

export const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

/** The whole body, decompressed; refused as soon as it is known to be longer than that. */
export function readBody(req: IncomingMessage, res: ServerResponse, limit: number): Promise<Buffer> | Buffer {
  if (!hasBody(req)) return NOTHING
  const encoding = (req.headers['content-encoding'] ?? 'identity').toLowerCase()
  const unpack = Object.hasOwn(UNPACK, encoding) ? UNPACK[encoding] : undefined
  if (!unpack && encoding !== 'identity') fail('unsupported_encoding', { received: encoding.slice(0, 100) })
  const bytes = collect(req, res, limit)
  return unpack ? bytes.then(packed => unpacked(unpack, packed, limit)) : bytes
}

function collect(req: IncomingMessage, res: ServerResponse, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    const onData = (chunk: Buffer) => {
      length += chunk.length
      if (length > limit) giveUp()
      else chunks.push(chunk)
    }
    const giveUp = () => {
      req.off('data', onData).pause()
      unread.set(req, Math.max(DRAINED, limit))
      res.shouldKeepAlive = false
      reject(tooLarge(limit))
    }
    if (Number(req.headers['content-length'] ?? 0) > limit) return giveUp()
    req.on('data', onData)
    req.once('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, length)))
    // Nobody is there to read why.
    const leave = () => reject(new ApiError('unparsable_body', { why: 'the client left before it was sent' }))
    if (req.destroyed) return leave()
    req.once('close', leave)
    req.on('error', () => {})
  })
}

/** JSON in UTF-8, by what its sender says. */
export function isJson(contentType: string): boolean {
  const [type, ...parameters] = contentType.split(';').map(part => part.trim().toLowerCase())
  const charset = parameters.find(parameter => parameter.startsWith('charset='))?.slice('charset='.length)
  return type === 'application/json' && (charset === undefined || /^"?utf-?8"?$/.test(charset))
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/** The JSON value in a body, in steps where it is long; refused when it is nested too deep. */
export function* parseJson(bytes: Buffer): Steps<unknown> {
  try {
    const { value, depth } = yield* parseSteps(decoder.decode(bytes), MAX_DEPTH)
    if (depth <= MAX_DEPTH) return value
  } catch (error) {
    const why = error instanceof SyntaxError ? `it is not JSON (${error.message.slice(0, 120)})` : 'it is not UTF-8'
    fail('unparsable_body', { why })
  }
  fail('unparsable_body', { why: `it is nested deeper than ${MAX_DEPTH} levels` })
}

async function unpacked(unpack: Unpack, bytes: Buffer, limit: number): Promise<Buffer> {
  try {
    return await unpack(bytes, { maxOutputLength: limit })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(limit)
    throw new ApiError('unparsable_body', { why: `it cannot be decompressed (${(error as Error).message})` })
  }
}

const sizeOf = (bytes: number) => (bytes < 2 ** 20 ? `${bytes / 2 ** 10} KB` : `${bytes / 2 ** 20} MB`)
const tooLarge = (limit: number) => new ApiError('body_too_large', { limit: sizeOf(limit) })

/**
 * Ends an answer. One whose request was given up is sent at once; but to close right behind it would reset the
 * connection, and who is still sending would never see it.
 */
export function endAnswer(res: ServerResponse, text: string) {
  const { req } = res
  let left = unread.get(req)
  if (left === undefined) return void res.end(text)
  const end = () => {
    clearTimeout(timer)
    res.end()
  }
  const timer = setTimeout(end, DRAIN_MS)
  res.write(text)
  req.on('data', (chunk: Buffer) => {
    left! -= chunk.length
    if (left! < 0) end()
  })
  req.once('close', end).resume()
}
