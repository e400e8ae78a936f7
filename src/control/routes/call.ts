import { randomUUID } from 'node:crypto'
import { validateHeaderValue } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseDuration } from '../../basics/duration.ts'
import { isObject, parseJson } from '../../basics/json.ts'
import { clearTimeout, setTimeout } from '../../basics/real-time.ts'
import { anyObject, either, mapOf, nothing, objectOf, oneOf, textShape, type Valid } from '../../basics/shape.ts'
import { capital } from '../../basics/text.ts'
import { CALL } from '../../contract/lengths.ts'
import type { Sandbox } from '../../engine/sandbox/index.ts'
import { joinToken, replaceToken, splitToken, tokenOf } from '../../engine/token.ts'
import { type OutgoingRequest, sendRequest } from '../../server/http/send-request.ts'
import { expectedName } from '../../server/proxy/header-fields.ts'
import type { ControlContext } from '../context.ts'
import { type Call, optional, post, quoted, type Route, reject } from '../route.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

const callShape = objectOf({
  method: optional(oneOf(METHODS), 'Method [default: GET]'),
  path: { shape: textShape(), required: true, describe: 'Path with query, such as /api_keys?limit=2' },
  token: optional(either(textShape(), nothing), 'Token, or null for none [default: an admin token of the sandbox]'),
  headers: optional(mapOf(either(textShape(), nothing)), 'Headers to add or replace. Null omits a header'),
  body: optional(either(anyObject, textShape()), 'Object to send as JSON, or a string to send unchanged'),
  timeout: optional(textShape(), 'How long to wait for the response, up to 60s [default: 10s]'),
})
type Request = Valid<typeof callShape>

export const MAX_CALL_TIMEOUT_MS = 60_000
const DEFAULT_CALL_TIMEOUT_MS = 10_000

/** The entry of an aborted request is complete once the server has noticed the abort. */
const MAX_WAIT_MS = 500
const POLL_MS = 5

/** Identifies the request in the journal, even without a response. */
const MARK_HEADER = 'edgesim-call'

export const callRoutes = (context: ControlContext): Route[] => [
  post('/call', 'Call the API over HTTP and explain the response', {
    body: callShape,
    lengths: CALL,
    run: call => callApi(context, call),
  }),
]

/** Sends a request to the API over HTTP. Returns the response, and facts from the journal. */
async function callApi(context: ControlContext, call: Call<Request>) {
  const question = buildRequest(context, call)
  const ms = readTimeout(call.body.timeout)
  const received = await send(context, question, ms, call.req.socket)
  const entry = [call.sandbox, context.sandboxes.default]
    // A request with a token for no sandbox is in the journal of `default`.
    .flatMap(({ journal }) => journal.newestFirst())
    .find(({ request }) => request.headers[MARK_HEADER] === question.headers[MARK_HEADER])
  for (let waited = 0; waited < MAX_WAIT_MS && entry?.duration_ms === null; waited += POLL_MS) await sleep(POLL_MS)
  const { id = null, rules = [], assumptions = [], warnings = [], explanation = null } = entry ?? {}
  const reason = explanation?.text ?? (entry ? entry.failure?.message : messageIn(received)) ?? ''
  return { summary: summarise(received, reason), id, ...received, rules, assumptions, warnings, explanation }
}

function buildRequest(context: ControlContext, { body: given, sandbox, origin }: Call<Request>) {
  const { method = 'GET', path, body } = given
  if (!/^\/[\x21-\x7e]*$/.test(path)) reject(`"path" must start with / and be percent-encoded, got ${quoted(path)}`)
  if (/^\/+_sim(\/|\?|$)/.test(path)) reject('"path" must be an API path. /_sim is the control API')
  const token = tokenFor(context, sandbox, given.token)
  const headers: Record<string, string> = {
    // URIs in the response start with the caller's host.
    host: new URL(origin).host,
    'user-agent': 'edgesim',
    accept: 'application/json',
    ...lowerCase(sandbox.api.requestHeaders?.(context.vendor)),
  }
  if (context.trustProxy) headers['x-forwarded-proto'] = new URL(origin).protocol.slice(0, -1)
  if (token !== undefined) setHeader(headers, 'authorization', `Bearer ${token}`)
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
  if (text !== undefined) headers['content-type'] = 'application/json'
  for (const [name, value] of Object.entries(given.headers ?? {})) setHeader(headers, name, value)
  const sent = tokenOf(headers.authorization)
  if (sent !== undefined)
    headers.authorization = replaceToken(headers.authorization!, tokenFor(context, sandbox, sent)!)
  if (text !== undefined) headers['content-length'] = String(Buffer.byteLength(text))
  headers[MARK_HEADER] = randomUUID()
  return { method, path, headers, body: text }
}

const lowerCase = (headers: Record<string, string> = {}) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

function setHeader(headers: Record<string, string>, name: string, value: string | null) {
  const lowerCase = name.toLowerCase()
  const expected = expectedName(name)
  if (expected) reject(`${quoted(name)} in "headers" must be ${expected}`)
  // The simulator sets the host itself, and sends the body immediately.
  if (lowerCase === 'host' || lowerCase === 'expect') reject(`The header ${quoted(name)} cannot be set`)
  if (value === null) return void delete headers[lowerCase]
  try {
    validateHeaderValue(name, value)
  } catch {
    reject(`The header ${quoted(name)} has a value that is invalid in HTTP`)
  }
  headers[lowerCase] = value
}

/** The token to send, with this sandbox's name after a tilde. Fails if it names another sandbox. */
function tokenFor({ sandboxes }: ControlContext, sandbox: Sandbox, given: string | null | undefined) {
  if (given === null) return undefined
  const token = given ?? sandboxes.tokenFor(sandbox)
  if (token === null)
    reject(
      `No token for the sandbox "${sandbox.name}": it has no keys, or stores only their hashes. Set "token", or null to send none`,
    )
  if (!token.includes('~')) return joinToken({ secret: token, name: sandbox.name })
  const { name } = splitToken(token)
  if (name !== sandbox.name) reject(`The token belongs to the sandbox "${name.slice(0, 80)}", not to "${sandbox.name}"`)
  return token
}

function readTimeout(given: string | undefined): number {
  const ms = given === undefined ? DEFAULT_CALL_TIMEOUT_MS : parseDuration(given)
  if (ms !== undefined && ms > 0 && ms <= MAX_CALL_TIMEOUT_MS) return ms
  reject(`"timeout" must be a duration up to 60s, such as 500ms, got ${quoted(given!)}`)
}

/** The response and its explanation, in a sentence or two. */
function summarise({ status, failure }: Received, reason: string): string {
  const result = [status === null ? [] : `status ${status}`, failure ?? []].flat().join(', but ')
  return `${capital(result)}. ${reason}`.trim()
}

/** The error of a response that the server sent before the API, in the format of edgesim. */
const messageIn = ({ body }: Received) => (isObject(body) && typeof body.msg === 'string' ? body.msg : undefined)

interface Received {
  /** Null without a response. */
  status: number | null
  headers: Record<string, string>
  body: unknown
  /** The connection error. */
  failure: string | null
}

/** Gives up after the timeout, or when the caller disconnects. */
async function send(
  { self }: ControlContext,
  question: OutgoingRequest,
  ms: number,
  caller: Socket,
): Promise<Received> {
  const received: Received = { status: null, headers: {}, body: null, failure: null }
  let text = ''
  const abort = new AbortController()
  const giveUp = () => abort.abort()
  const timer = setTimeout(giveUp, ms)
  caller.once('close', giveUp)
  try {
    if (caller.destroyed) giveUp()
    const reply = await sendRequest(self(), { ...question, signal: abort.signal })
    received.status = reply.statusCode!
    received.headers = Object.fromEntries(Object.entries(reply.headers).map(([name, value]) => [name, String(value)]))
    for await (const chunk of reply.setEncoding('utf8')) text += chunk
  } catch (error) {
    const late = abort.signal.aborted
    const what = received.status === null ? 'no response' : 'an incomplete response'
    received.failure = `${what}${late ? ` within ${ms} ms` : `: ${(error as Error).message}`}`
  } finally {
    clearTimeout(timer)
    caller.off('close', giveUp)
  }
  const value = parseJson(text)
  if (text !== '') received.body = value === undefined ? text : value
  return received
}
