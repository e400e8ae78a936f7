import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { fail } from '../../engine/error.ts'
import { errors } from '../errors.ts'
import { hasBody } from '../http/bodies.ts'
import { localAuthority } from '../http/client-address.ts'
import { HOP_BY_HOP, type RawHeaders } from './header-fields.ts'

/** The head of a request, as sent to its upstream. */
export interface RequestHead {
  method: string
  /** Without the query. */
  path: string
  /** With the query. */
  target: string
  /** Without hop-by-hop headers. Header rules are applied later. */
  headers: RawHeaders
}

/** Reads the request head. Throws bad_request if it is malformed (RFC 9112, 3.2 and 6.1). */
export function readHead(req: IncomingMessage): RequestHead {
  const { target, authority } = readTarget(req.url ?? '/')
  const coding = unsupportedCoding(req.headers)
  if (coding !== undefined)
    fail(errors.bad_request, { why: `The transfer coding "${coding}" is not supported. Use chunked` })
  const at = target.indexOf('?')
  return {
    method: req.method!,
    path: at < 0 ? target : target.slice(0, at),
    target,
    headers: withHost(endToEnd(req.rawHeaders, req.headers.connection), authority, req),
  }
}

/** A transfer coding that edgesim does not decode, so the message cannot be forwarded. */
export function unsupportedCoding({ 'transfer-encoding': coding = 'chunked' }: IncomingHttpHeaders) {
  return coding.toLowerCase() === 'chunked' ? undefined : coding.slice(0, 60)
}

/** A target is a path, `*` or a whole URL. The host of a URL replaces the Host header. */
function readTarget(url: string): { target: string; authority?: string } {
  if (url.startsWith('/') || url === '*') return { target: url }
  const [, authority, rest] = /^https?:\/\/([^/?#@]+)([/?#].*)?$/i.exec(url) ?? []
  if (authority === undefined)
    fail(errors.bad_request, {
      why: `The target ${JSON.stringify(url.slice(0, 80))} must be a path or an HTTP URL without a user name`,
    })
  return { target: rest?.startsWith('/') ? rest : `/${rest ?? ''}`, authority }
}

/** Checks that there is exactly one Host header. An authority replaces its value. */
function withHost(
  headers: string[],
  authority: string | undefined,
  { httpVersion, socket }: IncomingMessage,
): string[] {
  let hosts = 0
  for (let i = 0; i < headers.length; i += 2) {
    if (headers[i]!.length !== 4 || headers[i]!.toLowerCase() !== 'host') continue
    hosts++
    if (authority !== undefined) headers[i + 1] = authority
  }
  if (hosts > 1) fail(errors.bad_request, { why: `The request has ${hosts} Host headers. Send one` })
  if (hosts > 0) return headers
  if (httpVersion !== '1.0') fail(errors.bad_request, { why: 'The Host header is missing' })
  // HTTP/1.0 does not require it, but the request is forwarded in HTTP/1.1, which does.
  return ['Host', authority ?? localAuthority(socket), ...headers]
}

/** Forwarded even if Connection lists them: they define the message length and the receiver. */
const ALWAYS_FORWARDED = ['host', 'content-length']
const NAMES_NO_HEADER = /^(keep-alive|close)$/i

/** RFC 9110, 7.6.1: removes hop-by-hop headers and headers listed in Connection. */
export function endToEnd(raw: RawHeaders, connection: string | undefined): string[] {
  const named = connection === undefined || NAMES_NO_HEADER.test(connection) ? undefined : namesIn(connection)
  const forwarded: string[] = []
  for (let i = 0; i < raw.length; i += 2) {
    const lower = raw[i]!.toLowerCase()
    if (!HOP_BY_HOP.has(lower) && !named?.has(lower)) forwarded.push(raw[i]!, raw[i + 1]!)
  }
  return forwarded
}

function namesIn(connection: string): Set<string> {
  const names = new Set(connection.split(',').map(name => name.trim().toLowerCase()))
  for (const name of ALWAYS_FORWARDED) names.delete(name)
  return names
}

/**
 * Whether a request with "Connection: Upgrade" asks for a WebSocket. RFC 9110, 7.8: not in HTTP/1.0. A request with a
 * body is plain HTTP.
 */
export const isWebSocket = (req: IncomingMessage) =>
  req.httpVersion === '1.1' &&
  req.method === 'GET' &&
  /(^|,)\s*websocket\s*(,|$)/i.test(req.headers.upgrade ?? '') &&
  !hasBody(req)

/** For these methods, Node adds no framing. For all others, it would add chunked encoding. */
const WITHOUT_BODY = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE'])

/** Headers that preserve the client's framing, so the upstream sees the same end of the request. */
export function framing({ method, headers }: IncomingMessage): string[] {
  if (headers['transfer-encoding'] !== undefined) return ['Transfer-Encoding', 'chunked']
  // The client's Content-Length is still in the other headers.
  return headers['content-length'] !== undefined || WITHOUT_BODY.has(method!) ? [] : ['Content-Length', '0']
}
