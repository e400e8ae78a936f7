import fc from 'fast-check'

/** How a request differs from a good one. */
export interface Spice {
  /** Lines beside those of a good request. */
  lines?: string[]
  /** Names of lines of a good request that are left out. */
  without?: string[]
  token?: string
  version?: string
  coding?: 'gzip' | 'deflate' | 'br' | 'gzip, br' | 'wrong' | 'unknown' | 'bomb'
  framing?:
    | 'more'
    | 'chunked'
    | 'chunks'
    | 'two lengths'
    | 'both'
    | 'short'
    | 'long'
    | 'bad chunk'
    | 'cut chunk'
    | 'odd length'
    | 'odd encoding'
  http?: '1.0'
  /** What is sent instead of a request. */
  bytes?: string
  /** What the client does after it: it waits for an answer, ends its side, or resets the connection. */
  end?: 'fin' | 'reset'
}

const LINES = [
  'Content-Type: text/plain',
  'Content-Type: application/json; charset=utf-16',
  'Content-Type: application/json;charset="utf8"',
  'Content-Type:',
  'Content-Type: application/json; charset=\xff',
  'content-type: application/merge-patch+json',
  'Content-Type: multipart/form-data; boundary=x',
  'Expect: 100-continue',
  'Expect: 200-maybe',
  'Upgrade: websocket',
  'Connection: Upgrade',
  'Connection: close',
  'Connection: keep-alive, x',
  'Upgrade: h2c',
  'Origin: null',
  'Origin: https://evil.com',
  'Origin: http://127.0.0.1',
  'Host: evil.com',
  'Host: 127.0.0.1',
  'Authorization: Basic eDp5',
  'Authorization: Bearer',
  'Authorization: Bearer a b',
  'Authorization: Basic',
  'Authorization: Basic Og==',
  'Authorization: Basic AH46/34NCg==',
  'X-Forwarded-For: 1.2.3.4',
  'X-Http-Method-Override: DELETE',
  'Accept: text/html',
  'Accept: \xff',
  'X-Odd: \xe9\xff\x80',
  `X-Long: ${'x'.repeat(6_000)}`,
  `X-Longer: ${'x'.repeat(17_000)}`,
  'Cookie: a=b',
  'If-None-Match: *',
  'Range: bytes=0-1',
  'Last-Event-ID: x',
  'Last-Event-ID: 99999999999999999999',
  '__proto__: x',
  'constructor: x',
  'Service-Version: 3',
  'Acme-Version: 2',
  'Access-Control-Request-Method: GET',
  'Trailer: X',
  'TE: trailers',
  'Content-Encoding: identity',
  'Content-Encoding: GZIP',
  'Proxy-Authorization: x',
]
/** Lines that a parser should refuse. */
const BAD_LINES = [
  'No colon',
  ' Folded: x',
  'Space : x',
  ': empty',
  'Nul: a\x00b',
  'Lone: a\rb',
  'Feed: a\nb',
  '\xff: x',
  'X{}: y',
]
const TOKENS = [
  'sim_admin',
  'sim_admin~default',
  'sim_admin~fresh-1',
  'sim_admin~fresh-2',
  'sim_member',
  'sim_ci',
  'sim_none',
  'ak_admin',
  '~',
  'sim_admin~',
  'sim_admin~__proto__',
  'sim_admin~UPPER',
  '~~~',
  'x'.repeat(200),
  'sim_admin~default~a',
  '\xff',
  'sim_admin~constructor',
]

const line = fc.constantFrom(...LINES)
const framings: Spice['framing'][] = [
  'more',
  'chunked',
  'chunked',
  'chunks',
  'two lengths',
  'both',
  'short',
  'long',
  'bad chunk',
  'cut chunk',
  'odd length',
  'odd encoding',
]
export const oddHeaders: fc.Arbitrary<Spice> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ lines: fc.array(line, { minLength: 1, maxLength: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ lines: fc.tuple(fc.constantFrom(...BAD_LINES)) }) },
  {
    weight: 1,
    arbitrary: fc.record({ without: fc.subarray(['host', 'authorization', 'service-version', 'content-type']) }),
  },
  { weight: 3, arbitrary: fc.record({ token: fc.constantFrom(...TOKENS) }) },
  { weight: 1, arbitrary: fc.record({ version: fc.constantFrom('3', '', ' 2 ', '2, 2', '02', '\xff') }) },
  {
    weight: 2,
    arbitrary: fc.record({
      coding: fc.constantFrom<Spice['coding'][]>('gzip', 'deflate', 'br', 'gzip, br', 'wrong', 'unknown', 'bomb'),
    }),
  },
  { weight: 3, arbitrary: fc.record({ framing: fc.constantFrom(...framings) }) },
  { weight: 1, arbitrary: fc.record({ http: fc.constant('1.0' as const) }) },
  { weight: 1, arbitrary: fc.record({ end: fc.constantFrom('fin' as const, 'reset' as const) }) },
)

/** What is sent instead of a request. */
export const NO_REQUESTS = [
  '',
  '\r\n',
  '\r\n\r\n',
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'GET',
  'GET /',
  'GET / HTTP/9.9\r\n\r\n',
  'GET / HTTP/1.1\r\nHost',
  '\x00'.repeat(100),
  'HTTP/1.1 200 OK\r\n\r\n',
  'get /api_keys HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n',
  'GET /\x01 HTTP/1.1\r\n\r\n',
  'GET /api_keys\r\n\r\n',
  'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET /api_keys HTTP/1.1\r\nHost: x\r\nExpect: x\r\n\r\n',
]
