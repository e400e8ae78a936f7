import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import type { Draft } from './requests.ts'
import { edited, toJson } from './values.ts'
import type { World } from './world.ts'

/** A request as it goes over the wire. */
export interface Sent {
  area: Draft['area']
  method: string
  target: string
  bytes: Buffer
  /** What the client does when it is sent: waits for the answer, or ends or resets the connection. */
  end: 'answer' | 'fin' | 'reset'
  /** Other requests may follow on the same connection. */
  clean: boolean
}

export function toWire(draft: Draft, world: World, port: number): Sent {
  const target = Buffer.from(world.fill(draft.target)).toString('latin1')
  const { area, method } = draft
  if (draft.bytes !== undefined)
    return { area, method, target, bytes: Buffer.from(draft.bytes, 'latin1'), end: draft.end ?? 'fin', clean: false }
  const plain = bodyOf(draft, world)
  const { encoded, line } = encode(plain, draft.coding)
  const { bytes, lines, waits } = frame(encoded, draft)
  const without = new Set(draft.without)
  const good = [
    `Host: 127.0.0.1:${port}`,
    `Authorization: Bearer ${draft.token ?? world.fill('~~token.0~~')}`,
    `Service-Version: ${draft.version ?? '2'}`,
    ...(plain ? ['Content-Type: application/json'] : []),
  ].filter(
    each =>
      !without.has(each.split(':')[0]!.toLowerCase()) &&
      !(/^authorization/i.test(each) && repeats(draft, each)) &&
      !repeats(draft, each),
  )
  const head = [
    `${method} ${target} HTTP/${draft.http ?? '1.1'}`,
    ...good,
    ...(draft.lines ?? []),
    ...line,
    ...lines,
    '',
    '',
  ]
  const odd =
    draft.framing !== undefined ||
    draft.lines !== undefined ||
    draft.http !== undefined ||
    /[^!-~]/.test(target) ||
    target.length > 15_000
  return {
    area: draft.framing ? 'framing' : area,
    method,
    target,
    bytes: Buffer.concat([Buffer.from(head.join('\r\n'), 'latin1'), bytes]),
    end: draft.end ?? (waits ? 'fin' : 'answer'),
    // Node's parser accepts no other target, and no more than 16 KB of headers.
    clean: !odd && draft.end === undefined && /^(\/|\*$|https?:\/\/[\w.:[\]-]+(\/|$))/i.test(target),
  }
}

/** A given line replaces the usual one of its name, except Host, which may come twice. */
const repeats = ({ lines = [] }: Draft, good: string) => {
  const name = good.split(':')[0]!.toLowerCase()
  return name !== 'host' && lines.some(line => line.toLowerCase().startsWith(`${name}:`))
}

function bodyOf({ body }: Draft, world: World): Buffer | undefined {
  if (!body) return undefined
  if (body.text !== undefined) return Buffer.from(body.text, 'latin1')
  const text = toJson(edited(world.fillAll(body.value), body.edits))
  return Buffer.from(body.cut === undefined ? text : text.slice(0, -1 - (body.cut % text.length)))
}

const BOMB = gzipSync(Buffer.alloc(1024 * 1024, ' '))

function encode(plain: Buffer | undefined, coding: Draft['coding']): { encoded: Buffer | undefined; line: string[] } {
  if (!plain || coding === undefined) return { encoded: plain, line: [] }
  const as = (name: string, encoded: Buffer) => ({ encoded, line: [`Content-Encoding: ${name}`] })
  if (coding === 'gzip') return as(coding, gzipSync(plain))
  if (coding === 'deflate') return as(coding, deflateSync(plain))
  if (coding === 'br') return as(coding, brotliCompressSync(plain))
  if (coding === 'bomb') return as('gzip', BOMB)
  if (coding === 'wrong') return as('gzip', plain)
  return as(coding === 'unknown' ? 'zstd' : coding, plain)
}

const chunk = (bytes: Buffer) =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])
const LAST = Buffer.from('0\r\n\r\n')

/** The body with right or wrong framing; `waits` if the server waits for more. */
function frame(
  body: Buffer | undefined,
  { framing, method }: Draft,
): { bytes: Buffer; lines: string[]; waits?: boolean } {
  const bytes = body ?? Buffer.alloc(0)
  const length = (value: number | string) => `Content-Length: ${value}`
  const chunked = 'Transfer-Encoding: chunked'
  const half = Math.floor(bytes.length / 2)
  const whole = bytes.length > 0 ? Buffer.concat([chunk(bytes), LAST]) : LAST
  switch (framing) {
    case 'chunked':
      return { bytes: whole, lines: [chunked] }
    case 'chunks':
      if (half === 0) return { bytes: whole, lines: [chunked] }
      return {
        bytes: Buffer.concat([
          chunk(bytes.subarray(0, half)),
          chunk(bytes.subarray(half)),
          Buffer.from('0\r\nX-Trailer: 1\r\n\r\n'),
        ]),
        lines: [chunked, 'Trailer: X-Trailer'],
      }
    case 'more':
      return { bytes: Buffer.concat([bytes, Buffer.from('no request\r\n\r\n')]), lines: [length(bytes.length)] }
    case 'both':
      return { bytes: whole, lines: [length(bytes.length), chunked] }
    case 'two lengths':
      return { bytes, lines: [length(bytes.length), length(bytes.length + 1)] }
    case 'short':
      return { bytes, lines: [length(half)] }
    case 'long':
      return { bytes, lines: [length(bytes.length + 10)], waits: true }
    case 'bad chunk':
      return { bytes: Buffer.from('zz\r\n{}\r\n0\r\n\r\n'), lines: [chunked] }
    case 'cut chunk':
      return { bytes: Buffer.concat([Buffer.from('ff\r\n'), bytes.subarray(0, 20)]), lines: [chunked], waits: true }
    case 'odd length':
      return {
        bytes,
        lines: [length(['-1', '+2', '0x2', '1e1', '', '99999999999999999999'][bytes.length % 6]!)],
        waits: true,
      }
    case 'odd encoding':
      return {
        bytes: whole,
        lines: [
          `Transfer-Encoding: ${['gzip, chunked', 'chunked, chunked', 'identity', 'Chunked', 'xchunked', 'chunked;x'][bytes.length % 6]}`,
        ],
        waits: true,
      }
  }
  return { bytes, lines: body || ['POST', 'PUT', 'PATCH'].includes(method) ? [length(bytes.length)] : [] }
}
