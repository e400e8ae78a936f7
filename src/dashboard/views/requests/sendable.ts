import type { SandboxToken } from '../../state/simulator.ts'
import type { ListedEntry } from '../../types.ts'

/** Headers that a client sets by itself, that do not matter to the request, or that the journal does not keep. */
const LEFT_OUT =
  /^(host|connection|content-length|accept|accept-encoding|accept-language|user-agent|origin|referer|sec-.*|edgesim-client|edgesim-call|authorization|proxy-authorization|cookie|transfer-encoding|expect)$/

const REDACTED = '[redacted]'
/** Stands where a token must be filled in. */
export const NO_TOKEN = '<token>'

/** A request as it can be sent, and what of it is not known. */
export interface Sendable {
  method: string
  /** With its query. */
  path: string
  /** Null if there is none; undefined if there was one that is not known. */
  token: string | null | undefined
  headers: [name: string, value: string][]
  body: string | undefined
  /** The body is not text. */
  encoding?: 'base64'
  /** What is not as it came, and why, in sentences. */
  gaps: string[]
}

/** The query as it came, with its question mark. */
export function searchOf({ query, request }: ListedEntry): string {
  if (request?.search !== undefined) return request.search
  const search = new URLSearchParams(query).toString()
  return search && `?${search}`
}

/** Undefined as long as only the head of a request is known. */
export function sendableOf(entry: ListedEntry, tokens: readonly SandboxToken[]): Sendable | undefined {
  const { method, path, request, caller } = entry
  if (!request) return undefined
  const { headers, encoding } = request
  const body = bodyOf(request)
  const isSent = headers.authorization !== undefined
  const token = isSent ? tokens.find(({ key_id }) => key_id === caller?.key_id)?.token : null
  const gaps = [token === undefined ? whyNoToken(entry) : [], gapOfBody(request, body)].flat()
  const mattering = Object.entries(headers).filter(([name]) => !LEFT_OUT.test(name))
  return { method, path: path + searchOf(entry), token, headers: mattering, body, encoding, gaps }
}

function bodyOf({ text, body }: NonNullable<ListedEntry['request']>): string | undefined {
  if (text !== undefined) return text
  return body === null || typeof body === 'string' ? (body ?? undefined) : JSON.stringify(body)
}

/** Whose token it is is looked at only once a route has matched. */
const whyNoToken = ({ caller, status }: ListedEntry) =>
  caller
    ? `Fill in the token of ${caller.key_id}: the sandbox keeps only its hash, or the key is gone.`
    : `Fill in a token: the one that was sent was ${status === 401 ? 'refused' : 'not looked at'}, and the journal keeps no tokens.`

function gapOfBody({ headers, encoding }: NonNullable<ListedEntry['request']>, body: string | undefined): string[] {
  if (body?.includes(REDACTED)) return [`Fill in what is ${REDACTED} in the body: the journal keeps no secrets.`]
  if (encoding) return []
  const length = headers['content-length']
  const isUnread = body === undefined && (Number(length) > 0 || headers['transfer-encoding'] !== undefined)
  if (isUnread) return ['The body is left out: it was not read.']
  const isOther = body !== undefined && length !== undefined && Number(length) !== new TextEncoder().encode(body).length
  const kept = 'the journal does not keep the text of one that may have secrets'
  return isOther ? [`The body may be spaced otherwise than it came: ${kept}.`] : []
}

/** The body of POST /_sim/call that sends it. Headers that would be sent anyway are left out if it has none. */
export function callOf({ method, path, token, headers, body }: Sendable, version: string) {
  const usual = ['user-agent', 'accept', version.toLowerCase(), 'content-type']
  const none = Object.fromEntries(usual.map(name => [name, null]))
  return { method, path, token, body, headers: { ...none, ...Object.fromEntries(headers) } }
}
