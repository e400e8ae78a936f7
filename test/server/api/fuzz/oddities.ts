import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { listed, mix, oneOf } from './values.ts'
import type { Message } from './wire.ts'

export type Oddity = (message: Message) => Partial<Message>

const LINES = listed(`Content-Type: text/plain  Content-Type: application/json; charset=utf-16  Content-Type:
  Content-Type: application/json;charset="utf8"  Content-Type: application/json; charset=\xff
  content-type: application/merge-patch+json  Content-Type: multipart/form-data; boundary=x
  Expect: 100-continue  Expect: 200-maybe  Upgrade: websocket  Upgrade: h2c  Connection: Upgrade  Connection: close
  Connection: keep-alive, x  Origin: null  Origin: https://evil.com  Origin: http://127.0.0.1  Host: evil.com
  Host: 127.0.0.1  Authorization: Basic eDp5  Authorization: Bearer  Authorization: Bearer a b  Authorization: Basic
  Authorization: Basic Og==  Authorization: Basic AH46/34NCg==  X-Forwarded-For: 1.2.3.4  Accept: text/html
  X-Http-Method-Override: DELETE  Accept: \xff  X-Odd: \xe9\xff\x80  X-Long: ${'x'.repeat(6_000)}
  X-Longer: ${'x'.repeat(17_000)}  Cookie: a=b  If-None-Match: *  Range: bytes=0-1  Last-Event-ID: x
  Last-Event-ID: 99999999999999999999  __proto__: x  constructor: x  Service-Version: 3  Acme-Version: 2
  Access-Control-Request-Method: GET  Trailer: X  TE: trailers  Content-Encoding: identity  Content-Encoding: GZIP
  Proxy-Authorization: x`)
const BAD_LINES = [' Folded: x', 'Nul: a\x00b', 'Lone: a\rb', 'Feed: a\nb', ...listed('No colon  Space : x  : empty')]
const badLine = fc.constantFrom(...BAD_LINES, '\xff: x', 'X{}: y')
const tokens = fc.constantFrom(
  ...listed(`sim_admin  sim_admin~default  sim_admin~fresh-1  sim_admin~fresh-2  sim_member  sim_ci  sim_none  ak_admin
    ~  ~~~  sim_admin~  sim_admin~__proto__  sim_admin~UPPER  sim_admin~default~a  sim_admin~constructor  \xff`),
  'x'.repeat(200),
)
const nameOf = (line: string) => line.split(':')[0]!.toLowerCase()

/** A line replaces the usual one of the same name, except Host, which can be sent twice. */
const withLines =
  (more: string[]): Oddity =>
  ({ lines }) => {
    const names = new Set(more.map(nameOf))
    return { lines: [...lines.filter(each => nameOf(each) === 'host' || !names.has(nameOf(each))), ...more] }
  }
const unclean =
  (oddity: Oddity): Oddity =>
  message => ({ ...oddity(message), clean: false })

const BOMB = gzipSync(Buffer.alloc(1024 * 1024, ' '))
const CODINGS: [name: string, encode: (plain: Buffer) => Buffer][] = [
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
  ['gzip, br', plain => plain],
  ['gzip', plain => plain],
  ['zstd', plain => plain],
  ['gzip', () => BOMB],
]
const coding = fc.constantFrom(...CODINGS).map(
  ([name, encode]): Oddity =>
    ({ lines, body }) => {
      if (body === undefined) return {}
      const encoded = encode(Buffer.from(body, 'latin1')).toString('latin1')
      return { lines: [...lines, `Content-Encoding: ${name}`], body: encoded }
    },
)

const CHUNKED = 'Transfer-Encoding: chunked'
const chunk = (text: string) => text && `${text.length.toString(16)}\r\n${text}\r\n`
const inChunks = (...texts: string[]) => `${texts.map(chunk).join('')}0\r\n\r\n`
const length = (value: unknown) => `Content-Length: ${value}`
/** Ways to frame a body, most of them wrong. `waits`: the server waits for more. */
type Framing = (body: string) => { lengths: string[]; body: string; waits?: true }
const FRAMINGS: Framing[] = [
  body => ({ lengths: [CHUNKED], body: inChunks(body) }),
  body => ({ lengths: [CHUNKED], body: inChunks(body.slice(0, 1), body.slice(1)) }),
  body => ({ lengths: [CHUNKED, 'Trailer: X'], body: inChunks(body).replace(/\r\n$/, 'X: 1\r\n\r\n') }),
  body => ({ lengths: [length(body.length)], body: `${body}no request\r\n\r\n` }),
  body => ({ lengths: [length(body.length), CHUNKED], body: inChunks(body) }),
  body => ({ lengths: [length(body.length), length(body.length + 1)], body }),
  body => ({ lengths: [length(body.length >> 1)], body }),
  body => ({ lengths: [length(body.length + 10)], body, waits: true }),
  () => ({ lengths: [CHUNKED], body: 'zz\r\n{}\r\n0\r\n\r\n' }),
  body => ({ lengths: [CHUNKED], body: `ff\r\n${body.slice(0, 20)}`, waits: true }),
]
const oddLength = fc.constantFrom('-1', '+2', '0x2', '1e1', '', '99999999999999999999')
const oddEncoding = oneOf('gzip, chunked  chunked, chunked  identity  Chunked  xchunked  chunked;x')
const framings = mix<Framing>(
  [10, fc.constantFrom(...FRAMINGS)],
  [1, oddLength.map(value => body => ({ lengths: [length(value)], body, waits: true }))],
  [1, oddEncoding.map(it => body => ({ lengths: [`Transfer-Encoding: ${it}`], body: inChunks(body), waits: true }))],
)
const framing = framings.map(
  (frame): Oddity =>
    ({ body = '' }) => {
      const { waits, ...framed } = frame(body)
      return { area: 'framing', ...framed, end: waits ? 'fin' : 'answer', clean: false }
    },
)

const ends = fc.constantFrom('fin' as const, 'reset' as const)
const missing = fc.subarray(['host', 'authorization', 'service-version', 'content-type'])
const version = fc.constantFrom('3', '', ' 2 ', '2, 2', '02', '\xff')
export const oddity = mix<Oddity>(
  [5, fc.array(fc.constantFrom(...LINES), { minLength: 1, maxLength: 3 }).map(more => unclean(withLines(more)))],
  [1, badLine.map(line => unclean(withLines([line])))],
  [
    1,
    missing.map(names => ({ lines }) => ({ lines: lines.filter(line => !names.includes(nameOf(line))) })),
  ],
  [3, tokens.map(token => withLines([`Authorization: Bearer ${token}`]))],
  [1, version.map(value => withLines([`Service-Version: ${value}`]))],
  [2, coding],
  [3, framing],
  [1, fc.constant(() => ({ http: '1.0', clean: false }))],
  [1, ends.map(end => () => ({ end, clean: false }))],
)

const NO_REQUESTS = [
  ...['', '\r\n', '\r\n\r\n', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ...['GET', 'GET /', 'GET / HTTP/9.9\r\n\r\n', 'GET / HTTP/1.1\r\nHost', '\x00'.repeat(100), 'GET /api_keys\r\n\r\n'],
  ...['HTTP/1.1 200 OK\r\n\r\n', 'get /api_keys HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n', 'GET /\x01 HTTP/1.1\r\n\r\n'],
  'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET /api_keys HTTP/1.1\r\nHost: x\r\nExpect: x\r\n\r\n',
]
const bytes = fc.uint8Array({ maxLength: 40 }).map(list => Buffer.from(list).toString('latin1'))
export const garbage = fc.tuple(fc.oneof(fc.constantFrom(...NO_REQUESTS), bytes), ends).map(
  ([instead, end]): Oddity =>
    () => ({ area: 'garbage', instead, end, clean: false }),
)
