import type { SandboxToken } from '../state/simulator.ts'
import type { ListedEntry } from '../types.ts'

/** Headers set by the client, without effect on the request, or not stored in the journal. */
const OMITTED =
  /^(host|connection|content-length|accept|accept-encoding|accept-language|user-agent|origin|referer|sec-.*|edgesim-client|edgesim-call|authorization|proxy-authorization|cookie|transfer-encoding|expect)$/

const REDACTED = '[redacted]'
/** Placeholder for an unknown token. */
export const NO_TOKEN = '<token>'

/** A request to send, and what is unknown about it. */
export interface Sendable {
  method: string
  /** With its query. */
  path: string
  /** Null if no token was sent. Undefined if it is unknown. */
  token: string | null | undefined
  headers: [name: string, value: string][]
  body: string | undefined
  /** The body is not text. */
  encoding?: 'base64'
  /** Messages about parts that differ from the original. */
  gaps: string[]
}

/** The headers to send. Like POST /_sim/call, prefers an explicit Authorization header to the token. */
export function headersOf({ token = NO_TOKEN, headers: given }: Sendable): [name: string, value: string][] {
  const headers = Object.fromEntries(given)
  const hasToken = token !== null && headers.authorization === undefined
  return Object.entries({ ...(hasToken && { Authorization: `Bearer ${token}` }), ...headers })
}

/** The original query, including the question mark. */
export function searchOf({ query, request }: ListedEntry): string {
  if (request?.search !== undefined) return request.search
  const search = new URLSearchParams(query).toString()
  return search && `?${search}`
}

/** Undefined while headers and body are unknown. */
export function sendableOf(entry: ListedEntry, tokens: readonly SandboxToken[]): Sendable | undefined {
  const { method, path, request, caller } = entry
  if (!request) return undefined
  const { headers, encoding } = request
  const body = bodyOf(request)
  const hasToken = headers.authorization !== undefined
  const token = hasToken ? tokens.find(({ key_id }) => key_id === caller?.key_id)?.token : null
  const gaps = [token === undefined ? tokenGap(entry) : [], bodyGap(request, body)].flat()
  const relevant = Object.entries(headers).filter(([name]) => !OMITTED.test(name))
  return { method, path: path + searchOf(entry), token, headers: relevant, body, encoding, gaps }
}

function bodyOf({ text, body }: NonNullable<ListedEntry['request']>): string | undefined {
  if (text !== undefined) return text
  return body === null || typeof body === 'string' ? (body ?? undefined) : JSON.stringify(body)
}

/** The caller is known only if a route matched. */
const tokenGap = ({ caller, status }: ListedEntry) =>
  caller
    ? `Fill in the token of ${caller.key_id}. The sandbox stores only its hash, or the key was deleted.`
    : `Fill in a token. The original was ${status === 401 ? 'rejected' : 'not checked'}, and the request log stores no tokens.`

function bodyGap({ headers, encoding }: NonNullable<ListedEntry['request']>, body: string | undefined): string[] {
  if (body?.includes(REDACTED)) return [`Replace ${REDACTED} in the body. The request log stores no secrets.`]
  if (encoding) return []
  const length = headers['content-length']
  const isUnread = body === undefined && (Number(length) > 0 || headers['transfer-encoding'] !== undefined)
  if (isUnread) return ['The body is omitted because the server did not read it.']
  const differs = body !== undefined && length !== undefined && Number(length) !== new TextEncoder().encode(body).length
  const reason = 'the request log does not store the text of bodies that may contain secrets'
  return differs ? [`Whitespace in the body may differ from the original: ${reason}.`] : []
}

/** The body of POST /_sim/call. Sets default headers to null, unless the request has them. */
export function callOf({ method, path, token, headers, body }: Sendable, required: Readonly<Record<string, string>>) {
  const own = Object.keys(required).map(name => name.toLowerCase())
  const defaults = ['user-agent', 'accept', ...own, 'content-type']
  const none = Object.fromEntries(defaults.map(name => [name, null]))
  return { method, path, token, body, headers: { ...none, ...Object.fromEntries(headers) } }
}
