import type { IncomingMessage, ServerResponse } from 'node:http'
import { performance } from '../../basics/real-time.ts'
import type { EventDelivery } from '../../contract/event-delivery.ts'
import type { Api, Credentials, ErrorFacts, Reply } from '../../engine/api.ts'
import type { ApiError } from '../../engine/error.ts'
import { toApiError } from '../../engine/errors.ts'
import type { Sandboxes } from '../../engine/launch/registry.ts'
import { applyDue, checkDocuments, eventsOf, operate } from '../../engine/operations/index.ts'
import type { Effects, Outcome } from '../../engine/rules.ts'
import { Call, type Sandbox } from '../../engine/sandbox/index.ts'
import { applyEffects } from '../../engine/scenarios/fault.ts'
import { applyRules } from '../../engine/scenarios/rule-set.ts'
import type { Tables } from '../../engine/state/index.ts'
import type { Token } from '../../engine/token.ts'
import { EMPTY_BODY, hasBody, readBody } from '../http/bodies.ts'
import { originOf } from '../http/client-address.ts'
import type { GuardedRequest } from '../http/guard.ts'
import { wait } from '../http/sockets.ts'
import { MAX_API_BODY_BYTES, parseBody } from './body.ts'
import { LazyEntry } from './entry.ts'
import { type Route, routeCall } from './routes.ts'
import { type DateHeader, sendReply, sendUnderFault } from './send.ts'

/** The dependencies of the API. */
export interface Service {
  api: Api
  sandboxes: Sandboxes
  vendor: string
  /** The id of this simulator. */
  instance: string
  /** The API's name for the operation id header, sent in addition to edgesim's. */
  operationHeader: string | undefined
  trustProxy: boolean
  baseUrl?: string
  /** The delay of every response, in milliseconds. */
  delay?: [from: number, to: number]
  /** Records an event for a destination, and sends it if configured. */
  publish?(sandbox: Sandbox, delivery: EventDelivery): void
  /** Resolves when the plugin has followed all changes of a sandbox. */
  settled?(sandbox: Sandbox): Promise<void> | undefined
  /** Called with errors that are bugs in edgesim. */
  onDefect(error: unknown): void
}

/** Shared by all exchanges. */
export interface ApiContext extends Service {
  routeOf(path: string): Route | undefined
  sourceOf(req: IncomingMessage): string
  date: DateHeader
}

/** A request and its response, after the guard. A step that fails throws. Only `respond` sends. */
export async function exchange(req: GuardedRequest, res: ServerResponse, context: ApiContext): Promise<void> {
  const it = open(req, res, context)
  const { call } = it
  try {
    routeCall(call, req, context.routeOf(call.entry.path))
    if (it.noSandbox) throw it.noSandbox
    const { caller, shown } = context.api.authenticate(call, it.credentials)
    call.caller = caller
    call.entry.caller = shown
    context.api.gate?.(call, req)
    if (hasBody(req)) it.bytes = await readBody(req, res, MAX_API_BODY_BYTES)
    const effects = applyRules(call)
    if (effects) return await respond(it, await executeUnder(it, effects))
    const reply = execute(it)
    await respond(it, asOutcome(reply instanceof Promise ? await reply : reply))
  } catch (error) {
    const refusal = nameError(it, error)
    // Headers are out: abort the socket, leave the entry open.
    if (res.headersSent) res.destroy()
    else await respond(it, asOutcome(errorReply(it, refusal)), refusal)
  } finally {
    context.sandboxes.leave(call.sandbox)
  }
}

/** A request on its way. */
interface Exchange {
  req: IncomingMessage
  res: ServerResponse
  context: ApiContext
  began: number
  entry: LazyEntry
  call: Call
  credentials: Credentials
  /** Why creating the token's sandbox failed. Thrown once the route is known. */
  noSandbox: unknown
  bytes: Buffer
  /** Headers that rules add to any response. */
  headers: Record<string, string> | undefined
}

/** The token selects the sandbox, and its journal opens an entry. */
function open(req: GuardedRequest, res: ServerResponse, context: ApiContext): Exchange {
  const began = performance.now()
  const credentials = context.api.identify(req)
  const { sandbox, error: noSandbox } = chooseSandbox(credentials.token, context.sandboxes)
  const { path, search } = req.target
  const sourceIp = context.sourceOf(req)
  const baseUrl = context.baseUrl ?? originOf(req, context.trustProxy)
  const entry = new LazyEntry(sandbox, req, path, search, sourceIp, baseUrl, ++context.sandboxes.arrivals)
  const call = new Call(sandbox, entry, search, sourceIp, baseUrl)
  context.sandboxes.enter(sandbox)
  return {
    req,
    res,
    context,
    began,
    entry,
    call,
    credentials,
    noSandbox,
    bytes: EMPTY_BODY,
    headers: undefined,
  }
}

/** Requests without a valid sandbox go to `default`, where authentication fails. */
function chooseSandbox(token: Token | undefined, sandboxes: Sandboxes): { sandbox: Sandbox; error?: unknown } {
  if (token === undefined) return { sandbox: sandboxes.default }
  try {
    return { sandbox: sandboxes.forToken(token) ?? sandboxes.default }
  } catch (error) {
    return { sandbox: sandboxes.default, error }
  }
}

const asOutcome = (reply: Reply): Outcome => ({ kind: 'reply', reply })

/** Parses the body and executes the call. Most calls wait for nothing, and awaiting each step took 3 to 5 % of a GET. */
function execute(it: Exchange): Reply | Promise<Reply> {
  const { call, req, bytes } = it
  call.body = parseBody(req, bytes, call.operation!.takesBody)
  const checking = checkDocuments(call)
  return checking ? checking.then(() => operateInOneTick(it)) : operateInOneTick(it)
}

/** Validates, operates, commits and presents. */
function operateInOneTick({ call, context }: Exchange): Reply | Promise<Reply> {
  applyDue(call.sandbox, call)
  call.failIfReset()
  const before = call.sandbox.tables
  const reply = operate(call)
  return call.change ? publish(call, before, reply, context) : reply
}

/** Publishes the change, and waits until listeners are open as it says. */
async function publish(call: Call, before: Tables, reply: Reply, context: ApiContext): Promise<Reply> {
  const { sandbox } = call
  for (const delivery of eventsOf(call, before)) context.publish?.(sandbox, delivery)
  await context.settled?.(sandbox)
  return reply
}

/** Executes the call under the scenario's rules: late, with a fault, or not at all. */
function executeUnder(it: Exchange, effects: Effects): Promise<Outcome> {
  const { call, req } = it
  it.headers = effects.headers
  // A fault also applies to the response of a rejected call.
  const executeOrFail = async () => {
    try {
      return await execute(it)
    } catch (error) {
      call.refusal = nameError(it, error)
      return errorReply(it, call.refusal)
    }
  }
  return applyEffects(effects, {
    rules: call.entry.rules,
    execute: effects.fault ? executeOrFail : async () => execute(it),
    run: async run =>
      run({
        visit: call,
        execute: executeOrFail,
        errorReply: facts => errorReply(it, facts),
        readAt: time => call.readAt(time),
      }),
    async wait(ms) {
      await wait(ms, req.socket, call.lifetime.signal)
      call.failIfReset()
      return !req.socket.destroyed
    },
  })
}

/** Converts to an error of the table. Reports an error without a row, which is a bug in edgesim. */
function nameError({ context }: Exchange, error: unknown): ApiError {
  const named = toApiError(error)
  if (named.error === 'internal') context.onDefect(error)
  return named
}

/** The error in the format of the API. The journal stores it in a format of its own. */
function errorReply({ call, context: { api, vendor } }: Exchange, error: ErrorFacts): Reply {
  const { code, ...reply } = api.errorReply(error, vendor, call.id)
  return { ...reply, failure: { code, message: error.message } }
}

/** Sends the outcome after `--delay`. Completes and emits the journal entry. */
async function respond(it: Exchange, outcome: Outcome, refusal?: ApiError) {
  const { call, entry, bytes } = it
  const { delay } = it.context
  if (delay && outcome.kind === 'reply') await waitForGlobalDelay(it, delay)
  const isWhole = outcome.kind === 'reply' && !outcome.deliver
  const sent = isWhole ? sendReply(it, outcome.reply) : await sendUnderFault(it, outcome)
  showBody(it)
  entry.close(call, { sent, durationMs: performance.now() - it.began, refusal, bytes })
}

async function waitForGlobalDelay({ call, req }: Exchange, [from, to]: [from: number, to: number]) {
  const more = to > from ? call.sandbox.ids.fraction('delay') * (to - from) : 0
  call.delayedMs = from + more
  await wait(call.delayedMs, req.socket, call.lifetime.signal)
}

/** Shows the body in the journal even if a rule prevented the execution. */
function showBody({ call, req, entry, bytes }: Exchange) {
  if (bytes.length === 0 || Object.keys(call.body).length > 0) return
  try {
    call.body = parseBody(req, bytes, true)
  } catch {
    entry.showUnparsed(bytes, call)
  }
}
