import { randomUUID } from 'node:crypto'
import { validateHeaderValue } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import { parseDuration } from '../../basics/duration.ts'
import { isObject, parseJson } from '../../basics/json.ts'
import { clearTimeout, setTimeout } from '../../basics/real-time.ts'
import { CALL } from '../../contract/lengths.ts'
import { API_VERSION, versionHeader } from '../../contract/names.ts'
import { joinToken, replaceToken, splitToken, tokenOf } from '../../contract/token.ts'
import { ask, type Question } from '../../http/ask.ts'
import type { Sandbox } from '../../sandbox/index.ts'
import { checkHeaderName } from '../../schema/index.ts'
import type { ControlContext } from '../context.ts'
import { type Call, destroys, optional, post, quoted, type Route, reject } from '../route.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

const callSchema = z.strictObject({
  method: optional(z.enum(METHODS), 'GET unless given'),
  path: z.string().meta({ description: 'With its query, such as /api_keys?limit=2' }),
  token: optional(
    z.union([z.string(), z.null()]),
    "Whom to call as; an admin's token of the sandbox unless given, none if null",
  ),
  headers: optional(
    z.record(z.string(), z.union([z.string(), z.null()])),
    'More headers, or others than are sent anyway; null leaves one out',
  ),
  body: optional(z.union([z.record(z.string(), z.unknown()), z.string()]), 'Sent as JSON; a text is sent as it is'),
  timeout: optional(z.string(), 'How long to wait for the answer, up to 60s (10s)'),
})
type Request = z.infer<typeof callSchema>

export const MAX_CALL_TIMEOUT_MS = 60_000
const DEFAULT_CALL_TIMEOUT_MS = 10_000

/** The entry of an aborted request is complete once the server has noticed the abort. */
const MAX_WAIT_MS = 500
const POLL_MS = 5

/** Identifies the request in the journal, also if no answer comes. */
const MARK_HEADER = 'edgesim-call'

export const callRoutes = (context: ControlContext): Route[] => [
  post('/call', 'Call the API over HTTP, and say why it was answered so', {
    body: callSchema,
    lengths: CALL,
    tool: destroys(
      'call_api',
      'Use it to try a request, as any token, before or instead of code; each call is in the journal.',
      '{summary}',
    ),
    run: call => callApi(context, call),
  }),
]

/** Sends one request to the API over HTTP; returns the answer and what the journal has about it. */
async function callApi(context: ControlContext, call: Call<Request>) {
  const question = buildRequest(context, call)
  const ms = readTimeout(call.body.timeout)
  const received = await send(context, question, ms, call.req.socket)
  const entry = [call.sandbox, context.sandboxes.default]
    // A request whose token selects no sandbox is in the journal of `default`.
    .flatMap(({ journal }) => journal.newestFirst())
    .find(({ request }) => request.headers[MARK_HEADER] === question.headers[MARK_HEADER])
  for (let waited = 0; waited < MAX_WAIT_MS && entry?.duration_ms === null; waited += POLL_MS) await sleep(POLL_MS)
  const { id = null, rules = [], assumptions = [], warnings = [], explanation = null } = entry ?? {}
  return { summary: summarise(received, explanation?.text), id, ...received, rules, assumptions, warnings, explanation }
}

function buildRequest(context: ControlContext, { body: given, sandbox, origin }: Call<Request>) {
  const { method = 'GET', path, body } = given
  if (!/^\/[\x21-\x7e]*$/.test(path)) reject(`"path" must begin with / and be percent-encoded, not ${quoted(path)}`)
  if (/^\/+_sim(\/|\?|$)/.test(path)) reject('"path" must be one of the API: /_sim is not part of it')
  const token = tokenFor(context, sandbox, given.token)
  const headers: Record<string, string> = {
    // URIs in the answer start with the host that the caller uses.
    host: new URL(origin).host,
    'user-agent': 'edgesim',
    accept: 'application/json',
    [versionHeader(context.vendor).toLowerCase()]: API_VERSION,
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

function setHeader(headers: Record<string, string>, name: string, value: string | null) {
  const lowerCase = name.toLowerCase()
  const problem = checkHeaderName(name)
  if (problem) reject(`${quoted(name)} in "headers" must be ${problem.expected}`)
  // The simulator sets the host itself, and sends the body at once.
  if (lowerCase === 'host' || lowerCase === 'expect') reject(`The header ${quoted(name)} cannot be chosen`)
  if (value === null) return void delete headers[lowerCase]
  try {
    validateHeaderValue(name, value)
  } catch {
    reject(`The header ${quoted(name)} has a value that HTTP cannot send`)
  }
  headers[lowerCase] = value
}

/** The token to send, with the name of this sandbox after a tilde; fails if it has the name of another. */
function tokenFor({ sandboxes }: ControlContext, sandbox: Sandbox, given: string | null | undefined) {
  if (given === null) return undefined
  const token = given ?? sandboxes.tokenFor(sandbox)
  if (token === null)
    reject(
      `No token of the sandbox "${sandbox.name}" is known: it has no keys, or only their hashes are stored. Give "token", or null to send none`,
    )
  if (!token.includes('~')) return joinToken({ secret: token, name: sandbox.name })
  const { name } = splitToken(token)
  if (name !== sandbox.name) reject(`The token is of the sandbox "${name.slice(0, 80)}", not of "${sandbox.name}"`)
  return token
}

function readTimeout(given: string | undefined): number {
  const ms = given === undefined ? DEFAULT_CALL_TIMEOUT_MS : parseDuration(given)
  if (ms !== undefined && ms > 0 && ms <= MAX_CALL_TIMEOUT_MS) return ms
  reject(`"timeout" must be a duration up to 60s, such as 500ms, not ${quoted(given!)}`)
}

/** The answer and its explanation, in a sentence or two. */
function summarise({ status, body, failure }: Received, explanation: string | undefined): string {
  const message = isObject(body) && typeof body.msg === 'string' ? body.msg : ''
  const result = [status === null ? [] : `status ${status}`, failure ?? []].flat().join(', but ')
  return `${result[0]!.toUpperCase()}${result.slice(1)}. ${explanation ?? message}`.trim()
}

interface Received {
  /** Null if there was no answer. */
  status: number | null
  headers: Record<string, string>
  body: unknown
  /** What went wrong with the connection. */
  failure: string | null
}

/** Gives up after the timeout, or when the caller leaves. */
async function send({ self }: ControlContext, question: Question, ms: number, caller: Socket): Promise<Received> {
  const received: Received = { status: null, headers: {}, body: null, failure: null }
  let text = ''
  const abort = new AbortController()
  const giveUp = () => abort.abort()
  const timer = setTimeout(giveUp, ms)
  caller.once('close', giveUp)
  try {
    if (caller.destroyed) giveUp()
    const reply = await ask(self(), { ...question, signal: abort.signal })
    received.status = reply.statusCode!
    received.headers = Object.fromEntries(Object.entries(reply.headers).map(([name, value]) => [name, String(value)]))
    for await (const chunk of reply.setEncoding('utf8')) text += chunk
  } catch (error) {
    const late = abort.signal.aborted
    const what = received.status === null ? 'no answer' : 'not all of the answer'
    received.failure = `${what} came${late ? ` within ${ms} ms` : `: ${(error as Error).message}`}`
  } finally {
    clearTimeout(timer)
    caller.off('close', giveUp)
  }
  const value = parseJson(text)
  if (text !== '') received.body = value === undefined ? text : value
  return received
}
