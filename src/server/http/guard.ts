import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isIPv4, isIPv6 } from 'node:net'
import { fail } from '../../engine/error.ts'
import { controlTokenOf } from '../../engine/token.ts'
import { errors } from '../errors.ts'
import { originOf } from './client-address.ts'

export interface GuardOptions {
  /** From `hostChecker`. */
  isAllowedHost(host: string): boolean
  /** Origins that can use the API from a browser. */
  cors: string[]
  /** Response headers that pages of these origins can read. */
  exposedHeaders: string
  controlToken?: string
  trustProxy: boolean
  /** The origin of `--base-url`, which is the dashboard's origin even if a proxy sends another Host. */
  baseOrigin?: string
}

/** The target of an allowed request. */
export interface Target {
  /** Without the query and without repeated slashes. */
  path: string
  search: string
  control: boolean
  /** Set for a CORS preflight: whether the page can call the API. */
  preflight?: boolean
}

/** A request that the guard allowed. */
export interface GuardedRequest extends IncomingMessage {
  target: Target
}

const OPEN_PATHS = new Set(['/_sim/health'])

/**
 * Checks every request before routing. Throws, or returns its target. Host must be an address or a known name, because a
 * page that rebinds its name to 127.0.0.1 sends that name.
 */
export function guard(req: IncomingMessage, res: ServerResponse, options: GuardOptions): Target {
  const { path, search, authority } = splitTarget(req.url ?? '/')
  const control = isControl(path)
  if (control) protectFromOtherSites(res)
  if (!OPEN_PATHS.has(path)) checkHost(req, authority, options)
  const origin = req.headers.origin
  const corsAllowed = !control && origin !== undefined && origin !== 'null' && options.cors.includes(origin)
  if (!corsAllowed) checkSite(req, path)
  if (control) {
    if (origin !== undefined && !isOwnOrigin(req, origin, options))
      fail(errors.foreign_origin, { origin: origin.slice(0, 100) })
    if (options.controlToken && !OPEN_PATHS.has(path) && !isPublic(req, path))
      checkControlToken(req, options.controlToken)
    return { path, search, control }
  }
  if (corsAllowed) allowOrigin(req, res, origin, options.exposedHeaders)
  const isPreflight = req.method === 'OPTIONS' && origin !== undefined && req.headers['access-control-request-method']
  return isPreflight ? { path, search, control, preflight: corsAllowed } : { path, search, control }
}

/**
 * Whether the dashboard sent it. A proxy may replace the Host that the browser knows. Then Sec-Fetch-Site, which no page
 * can change, reports that page and target have the same origin.
 */
const isOwnOrigin = (req: IncomingMessage, origin: string, { baseOrigin, trustProxy }: GuardOptions) =>
  origin === baseOrigin ||
  origin === originOf(req, trustProxy) ||
  (origin !== 'null' && req.headers['sec-fetch-site'] === 'same-origin')

/** The guard of a server in place of another host. Allows only requests to the API of that host. */
export function guardInPlaceOf(host: string, port: number, req: IncomingMessage): Target {
  const { path, search, authority } = splitTarget(req.url ?? '/')
  for (const given of hostsOf(req, authority))
    if (![host, `${host}:${port}`].includes(given.toLowerCase()))
      fail(errors.other_name, { given: given.slice(0, 100), host })
  if (isControl(path)) fail(errors.no_control_here, { host })
  return { path, search, control: false }
}

const isControl = (path: string) => path === '/_sim' || path.startsWith('/_sim/')

/** Protects responses from other sites, even in browsers without Sec-Fetch-Site. */
function protectFromOtherSites(res: ServerResponse) {
  res.setHeader('Cross-Origin-Resource-Policy', 'same-origin')
  res.setHeader('X-Content-Type-Options', 'nosniff')
  res.setHeader('X-Frame-Options', 'DENY')
}

const PAGE_PATHS = new Set(['/', '/_sim', '/_sim/'])

/**
 * Sec-Fetch-Site, which no page can change, reports requests from other sites. Their pages could probe for records and
 * fill the journal. They can only link to the dashboard.
 */
function checkSite({ method, headers }: IncomingMessage, path: string) {
  const site = headers['sec-fetch-site']
  if (site !== 'cross-site' && site !== 'same-site') return
  const opensPage =
    method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
  if (!opensPage || !PAGE_PATHS.has(path)) fail(errors.foreign_page, { site, origin: headers.origin?.slice(0, 100) })
}

/** `//books` and `/books/` mean `/books`. If a target is a full URL, its host is also checked. */
function splitTarget(url: string) {
  let authority: string | undefined
  let rest = url
  const absolute = url.startsWith('/') ? null : /^https?:\/\/([^/?#]*)(.*)$/i.exec(url)
  if (absolute) [, authority, rest] = absolute as unknown as [string, string, string]
  const at = rest.indexOf('?')
  const rawPath = at < 0 ? rest : rest.slice(0, at)
  const search = at < 0 ? '' : rest.slice(at)
  let path = rawPath.includes('//') ? rawPath.replace(/\/{2,}/g, '/') : rawPath
  if (!path.startsWith('/')) path = `/${path}`
  // The dashboard and the docs need their slash for relative links.
  if (path.length > 1 && path.endsWith('/') && !['/_sim/', DOCS].includes(path)) path = path.slice(0, -1)
  return { path, search, authority }
}

function checkHost(req: IncomingMessage, authority: string | undefined, { isAllowedHost }: GuardOptions) {
  for (const host of hostsOf(req, authority))
    if (!isAllowedHost(host)) fail(errors.host_not_allowed, { host: host.slice(0, 100) })
}

/** The Host header, and the host of a full URL. */
function hostsOf(req: IncomingMessage, authority: string | undefined): string[] {
  const hosts: string[] = []
  const { rawHeaders } = req
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]!.length === 4 && rawHeaders[i]!.toLowerCase() === 'host') hosts.push(rawHeaders[i + 1]!)
  }
  if (hosts.length !== 1) {
    const why = hosts.length === 0 ? 'The Host header is missing' : `Send one Host header, got ${hosts.length}`
    fail(errors.bad_request, { why })
  }
  return authority === undefined ? hosts : [...hosts, authority]
}

/**
 * Whether a Host is allowed: IP addresses, localhost and these names. `.suffix` allows every name below it. Caches the
 * latest, because the patterns took 3 µs and most requests repeat it.
 */
export function hostChecker(allowedHosts: string[]): (host: string) => boolean {
  let latest: string | undefined
  return host => {
    if (host === latest) return true
    const isAllowed = hostAllowed(host, allowedHosts)
    if (isAllowed) latest = host
    return isAllowed
  }
}

function hostAllowed(host: string, allowedHosts: string[]): boolean {
  const parts = /^(\[[0-9a-f:.]+\]|[^:[\]@/\\\s]+)(:\d{1,5})?$/i.exec(host)
  if (!parts) return false
  const name = parts[1]!.toLowerCase()
  if (name.startsWith('[')) return isIPv6(name.slice(1, -1))
  if (isIPv4(name) || name === 'localhost' || name.endsWith('.localhost')) return true
  return allowedHosts
    .map(allowed => allowed.toLowerCase())
    .some(allowed => (allowed.startsWith('.') ? name.endsWith(allowed) : name === allowed))
}

function allowOrigin(req: IncomingMessage, res: ServerResponse, origin: string, exposedHeaders: string) {
  res.setHeader('Access-Control-Allow-Origin', origin)
  res.setHeader('Vary', 'Origin')
  res.setHeader('Access-Control-Expose-Headers', exposedHeaders)
  if (req.method !== 'OPTIONS') return
  res.setHeader('Access-Control-Allow-Methods', 'GET, POST, PATCH, PUT, DELETE')
  res.setHeader('Access-Control-Allow-Headers', req.headers['access-control-request-headers'] ?? '')
  res.setHeader('Access-Control-Max-Age', '600')
}

const DOCS = '/_sim/docs/'

/**
 * The dashboard files, the docs and the certificate contain no secrets. They need no control token, because a link in a
 * browser cannot send it. The dashboard requests data with the token.
 */
const isPublic = (req: IncomingMessage, path: string) =>
  (req.method === 'GET' || req.method === 'HEAD') &&
  (PUBLIC_PATHS.has(path) || PUBLIC_FOLDERS.some(folder => path.startsWith(folder)))

const PUBLIC_PATHS = new Set(['/_sim', '/_sim/', '/_sim/ca.pem', '/_sim/docs'])
const PUBLIC_FOLDERS = ['/_sim/assets/', DOCS]

function checkControlToken(req: IncomingMessage, token: string) {
  const phrase = controlTokenOf(req.headers.authorization)
  if (!phrase) fail(errors.control_token_needed, {})
  const [given, wanted] = [Buffer.from(phrase), Buffer.from(token)]
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) fail(errors.control_token_wrong, {})
}
