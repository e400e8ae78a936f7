import type { IncomingMessage } from 'node:http'
import { isIP, type Socket } from 'node:net'
import { normaliseAddress } from '../ip/cidr.ts'
import { Call, type Entry, type Sandbox } from '../sandbox/index.ts'
import type { Sandboxes } from '../sandboxes.ts'
import { splitToken } from '../token.ts'

export interface ApiOptions {
  vendor: string
  trustProxy: boolean
  baseUrl?: string
  /** The connection below TLS, or the one given. */
  rawSocket(socket: Socket): Socket
}

const HIDDEN = ['authorization', 'proxy-authorization', 'cookie']
const BEARER = /^bearer +(\S+) *$/i

/** The bearer token of a request, if that is what its Authorization header holds. */
export const bearerOf = (req: IncomingMessage) => BEARER.exec(req.headers.authorization ?? '')?.[1]

/** Chooses the sandbox by the token and opens the journal: from here on every answer is on record. */
export function openCall(
  req: IncomingMessage,
  path: string,
  search: string,
  sandboxes: Sandboxes,
  options: ApiOptions,
) {
  const { sandbox, refused } = chooseSandbox(req, sandboxes)
  const query = new URLSearchParams(search)
  const sourceIp = sourceOf(req, options.trustProxy)
  const entry: Entry = {
    id: sandbox.ids.id('op'),
    seq: 0,
    at: sandbox.clock.timestamp(),
    sandbox: sandbox.name,
    operation: null,
    method: req.method ?? 'GET',
    path,
    query: search ? Object.fromEntries(query) : {},
    status: null,
    duration_ms: null,
    source_ip: sourceIp,
    caller: null,
    request: { headers: redacted(req), body: null },
    response: null,
    rules: [],
    assumptions: [],
    warnings: [],
    change: null,
    explanation: null,
  }
  sandbox.journal.open(entry, sandbox.seq)
  const scheme = 'encrypted' in req.socket ? 'https' : 'http'
  const baseUrl = options.baseUrl ?? `${scheme}://${req.headers.host}`
  return { call: new Call(sandbox, entry, query, sourceIp, baseUrl), refused }
}

/** What is wrong with the token's sandbox is said when the caller is authenticated; until then `default` takes the call. */
function chooseSandbox(req: IncomingMessage, sandboxes: Sandboxes): { sandbox: Sandbox; refused?: unknown } {
  const bearer = bearerOf(req)
  if (bearer === undefined) return { sandbox: sandboxes.default }
  try {
    return { sandbox: sandboxes.forToken(splitToken(bearer)) ?? sandboxes.default }
  } catch (error) {
    return { sandbox: sandboxes.default, refused: error }
  }
}

function sourceOf(req: IncomingMessage, trustProxy: boolean): string {
  const forwarded = trustProxy
    ? String(req.headers['x-forwarded-for'] ?? '')
        .split(',')[0]!
        .trim()
    : ''
  const address = isIP(forwarded) ? forwarded : (req.socket.remoteAddress ?? '')
  return normaliseAddress(address)
}

function redacted(req: IncomingMessage): Record<string, string> {
  const headers = { ...req.headers } as Record<string, string>
  for (const name of HIDDEN) if (headers[name] !== undefined) headers[name] = '[redacted]'
  return headers
}
