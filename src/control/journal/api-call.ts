import { randomUUID } from 'node:crypto'
import { validateHeaderValue } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import { parseDuration } from '../../basics/duration.ts'
import { isObject } from '../../basics/json.ts'
import { clearTimeout, setTimeout } from '../../basics/real-time.ts'
import { fail } from '../../contract/errors.ts'
import { API_VERSION, versionHeader } from '../../contract/names.ts'
import { bearerOf, joinToken, splitToken } from '../../contract/token.ts'
import { askSimulator, type Question } from '../../http/ask-simulator.ts'
import type { Recorded, Sandbox } from '../../sandbox/index.ts'
import { checkHeaderName } from '../../schema/index.ts'
import type { ControlContext } from '../context.ts'
import type { ControlCall } from '../route.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/** What is to be sent. */
export const callSchema = z.strictObject({
  method: z.enum(METHODS).optional().meta({ description: 'GET unless given' }),
  path: z.string().meta({ description: 'With its query, such as /api_keys?limit=2' }),
  token: z
    .union([z.string(), z.null()])
    .optional()
    .meta({ description: "Whom to call as; an admin's token of the sandbox unless given, none if null" }),
  headers: z
    .record(z.string(), z.union([z.string(), z.null()]))
    .optional()
    .meta({ description: 'More headers, or others than are sent anyway; null leaves one out' }),
  body: z
    .union([z.record(z.string(), z.unknown()), z.string()])
    .optional()
    .meta({ description: 'Sent as JSON; a text is sent as it is' }),
  timeout: z.string().optional().meta({ description: 'How long to wait for the answer, up to 60s (10s)' }),
})
type Request = z.infer<typeof callSchema>

export const LONGEST_MS = 60_000
const USUAL_MS = 10_000

/** Marks the request in the journal: one without an answer is found by it. */
const MARK = 'edgesim-call'

/** One request to the API, sent as any client would; what came, and what the journal says of it. */
export async function callApi(context: ControlContext, call: ControlCall<Request>) {
  const mark = randomUUID()
  const question = questionOf(context, call, mark)
  const ms = readTimeout(call.body.timeout)
  const received = await ask(context, question, ms, call.req.socket)
  const entry = findEntry(context, call.sandbox, received.headers['edgesim-operation-id'], mark)
  if (entry) await completed(entry)
  const { id = null, rules = [], assumptions = [], warnings = [], explanation = null } = entry ?? {}
  return { summary: summarise(received, explanation?.text), id, ...received, rules, assumptions, warnings, explanation }
}

function questionOf(context: ControlContext, { body: given, sandbox, origin }: ControlCall<Request>, mark: string) {
  const { method = 'GET', path, body } = given
  if (!/^\/[\x21-\x7e]*$/.test(path))
    fail('bad_request', {
      why: `"path" must begin with / and be percent-encoded, not ${JSON.stringify(path.slice(0, 80))}`,
    })
  if (/^\/+_sim(\/|\?|$)/.test(path))
    fail('bad_request', { why: '"path" must be one of the API: /_sim is not part of it' })
  const token = tokenOf(context, sandbox, given.token)
  const headers: Record<string, string> = {
    // As the caller's own client would send it: uris in answers begin with it.
    host: new URL(origin).host,
    'user-agent': 'edgesim',
    accept: 'application/json',
    [MARK]: mark,
    [versionHeader(context.vendor).toLowerCase()]: API_VERSION,
  }
  if (context.trustProxy) headers['x-forwarded-proto'] = new URL(origin).protocol.slice(0, -1)
  if (token !== undefined) setHeader(headers, 'authorization', `Bearer ${token}`)
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
  if (text !== undefined) headers['content-type'] = 'application/json'
  for (const [name, value] of Object.entries(given.headers ?? {})) setHeader(headers, name, value)
  const bearer = bearerOf(headers.authorization)
  if (bearer !== undefined) headers.authorization = `Bearer ${tokenOf(context, sandbox, bearer)}`
  if (text !== undefined) headers['content-length'] = String(Buffer.byteLength(text))
  return { method, path, headers, body: text }
}

function setHeader(headers: Record<string, string>, name: string, value: string | null) {
  const known = name.toLowerCase()
  const called = JSON.stringify(name.slice(0, 80))
  const problem = checkHeaderName(name)
  if (problem) fail('bad_request', { why: `${called} in "headers" must be ${problem.expected}` })
  // The request is sent to where the caller asked, and at once.
  if (known === 'host' || known === 'expect') fail('bad_request', { why: `The header ${called} cannot be chosen` })
  if (value === null) return void delete headers[known]
  try {
    validateHeaderValue(name, value)
  } catch {
    fail('bad_request', { why: `The header ${called} has a value that HTTP cannot send` })
  }
  headers[known] = value
}

/** Acts in this sandbox: a token chooses its own by what follows the tilde. */
function tokenOf({ sandboxes }: ControlContext, sandbox: Sandbox, given: string | null | undefined) {
  if (given === null) return undefined
  const token = given ?? sandboxes.tokenFor(sandbox)
  if (token === null)
    fail('bad_request', {
      why: `No token of the sandbox "${sandbox.name}" is known: of its keys there are only hashes, or it has none. Give "token", or null to send none`,
    })
  if (!token.includes('~')) return joinToken({ secret: token, name: sandbox.name })
  const { name } = splitToken(token)
  if (name !== sandbox.name)
    fail('bad_request', { why: `The token is of the sandbox "${name.slice(0, 80)}", not of "${sandbox.name}"` })
  return token
}

function readTimeout(given: string | undefined): number {
  const ms = given === undefined ? USUAL_MS : parseDuration(given)
  if (ms !== undefined && ms > 0 && ms <= LONGEST_MS) return ms
  fail('bad_request', {
    why: `"timeout" must be a duration up to 60s, such as 500ms, not ${JSON.stringify(given?.slice(0, 80))}`,
  })
}

/** What came, and why, in a sentence or two. */
function summarise({ status, body, failure }: Received, explained: string | undefined): string {
  const said = isObject(body) && typeof body.msg === 'string' ? body.msg : ''
  const came = [status === null ? [] : `status ${status}`, failure ?? []].flat().join(', but ')
  return `${came[0]!.toUpperCase()}${came.slice(1)}. ${explained ?? said}`.trim()
}

interface Received {
  /** Null when no answer came. */
  status: number | null
  headers: Record<string, string>
  body: unknown
  /** What became of the connection, if it was not well. */
  failure: string | null
}

/** Gives up after that long, or when the caller leaves. */
async function ask({ self }: ControlContext, question: Question, ms: number, caller: Socket): Promise<Received> {
  const received: Received = { status: null, headers: {}, body: null, failure: null }
  let text = ''
  const givenUp = new AbortController()
  const giveUp = () => givenUp.abort()
  const timer = setTimeout(giveUp, ms)
  caller.once('close', giveUp)
  try {
    if (caller.destroyed) giveUp()
    const answer = await askSimulator(self(), { ...question, signal: givenUp.signal })
    received.status = answer.statusCode!
    received.headers = Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, String(value)]))
    for await (const chunk of answer.setEncoding('utf8')) text += chunk
  } catch (error) {
    const late = givenUp.signal.aborted
    const what = received.status === null ? 'no answer' : 'not all of the answer'
    received.failure = `${what} came${late ? ` within ${ms} ms` : `: ${(error as Error).message}`}`
  } finally {
    clearTimeout(timer)
    caller.off('close', giveUp)
  }
  if (text !== '') received.body = parse(text)
  return received
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const PATIENCE_MS = 500
const STEP_MS = 5

/** One that was given up is complete when the server has noticed that. */
async function completed(entry: Recorded) {
  for (let ms = 0; ms < PATIENCE_MS && entry.duration_ms === null; ms += STEP_MS) await sleep(STEP_MS)
}

/** A request that chose no sandbox is in the journal of `default`. */
function findEntry({ sandboxes }: ControlContext, sandbox: Sandbox, id: string | undefined, mark: string) {
  for (const { journal } of [sandbox, sandboxes.default]) {
    const isIt = (entry: Recorded) => entry.request.headers[MARK] === mark
    const entry = id === undefined ? journal.newestFirst().find(isIt) : journal.get(id)
    if (entry) return entry
  }
  return undefined
}
