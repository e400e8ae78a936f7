import type { IncomingMessage, ServerResponse } from 'node:http'
import { performance } from '../basics/real-time.ts'
import { type ApiError, errorCode, errorReply, toApiError } from '../contract/errors.ts'
import type { OperationName } from '../contract/shapes.ts'
import { bearerOf, splitToken, type Token } from '../contract/token.ts'
import { EMPTY_BODY } from '../http/bodies.ts'
import { originOf } from '../http/client-address.ts'
import { wait } from '../http/sockets.ts'
import { operate, type Reply } from '../operations/index.ts'
import { Call, type Sandbox } from '../sandbox/index.ts'
import type { Sandboxes } from '../sandboxes/registry.ts'
import type { Effects, Fault, Outcome } from '../scenarios/fault.ts'
import { applyRules } from '../scenarios/rule-set.ts'
import type { Operation } from '../schema/index.ts'
import { parseBody, readBytes } from './body.ts'
import { type AccessByState, authenticate, checkSource, checkVersion } from './checks.ts'
import { JournalEntry } from './entry.ts'
import { type DateHeader, type Sent, send } from './send.ts'

/** What the API is made with. */
export interface Service {
  sandboxes: Sandboxes
  vendor: string
  /** The id of this simulator. */
  instance: string
  /** The name of the version header. */
  versionHeader: string
  trustProxy: boolean
  baseUrl?: string
  /** How long every answer is delayed, in milliseconds. */
  delay?: [from: number, to: number]
  /** Called with errors that are bugs of ours. */
  onDefect(error: unknown): void
}

/** What all exchanges use: what `createApi` was given, and what it made. */
export interface ApiContext extends Service {
  sourceOf(req: IncomingMessage): string
  access: AccessByState
  date: DateHeader
}

/**
 * One request and its answer, after the guard has let it in. Read it from top to bottom: that is the order in which a
 * request is checked. A step that fails throws; only `#conclude` sends.
 */
export class Exchange {
  readonly call: Call
  readonly entry: JournalEntry
  readonly #began = performance.now()
  /** As it was sent; the journal gets a request without it. */
  readonly #authorization: string | undefined
  readonly #token: Token | undefined
  /** Why the token's sandbox could not be created; thrown once the route is known. */
  readonly #noSandbox: unknown
  #bytes: Buffer = EMPTY_BODY
  /** Headers that rules add to any answer. */
  #headers: Record<string, string> | undefined

  /** The token chooses the sandbox, whose journal opens an entry. */
  constructor(
    readonly req: IncomingMessage,
    readonly res: ServerResponse,
    path: string,
    search: string,
    readonly service: ApiContext,
  ) {
    this.#authorization = req.headers.authorization
    const bearer = bearerOf(this.#authorization)
    this.#token = bearer === undefined ? undefined : splitToken(bearer)
    const { sandbox, error } = chooseSandbox(this.#token, service.sandboxes)
    this.#noSandbox = error
    const sourceIp = service.sourceOf(req)
    this.entry = new JournalEntry(sandbox, req, path, search, sourceIp)
    const baseUrl = service.baseUrl ?? originOf(req, service.trustProxy)
    this.call = new Call(sandbox, this.entry, search, sourceIp, baseUrl)
    service.sandboxes.enter(sandbox)
  }

  /**
   * Answers the request, once its route is known: the checks in the order of docs/api.md 4, the body, the scenario's
   * rules, the call itself. No promise is made without need: most requests have no body and meet no rule.
   */
  run(operation: Operation, params: Record<string, string>): void | Promise<void> {
    const { call, req, service } = this
    call.operation = operation
    call.entry.operation = operation.id as OperationName
    call.params = params
    if (this.#noSandbox) throw this.#noSandbox
    const access = service.access.of(call.sandbox.tables)
    authenticate(call, access, this.#authorization, this.#token)
    checkVersion(call, req, service.versionHeader)
    checkSource(call, access.restrictions)
    const bytes = readBytes(req, this.res)
    return bytes instanceof Promise ? bytes.then(read => this.#answer(read)) : this.#answer(bytes)
  }

  #answer(bytes: Buffer): void | Promise<void> {
    this.#bytes = bytes
    const effects = applyRules(this.call)
    if (effects) return this.#applyRules(effects).then(outcome => this.#conclude(outcome))
    const reply = this.#carryOut()
    if (reply instanceof Promise) return reply.then(done => this.#conclude({ kind: 'answer', reply: done }))
    return this.#conclude({ kind: 'answer', reply })
  }

  /** Applies the scenario's rules: a latency before the call, a fault to the call, a latency before the answer. */
  async #applyRules(effects: Effects): Promise<Outcome> {
    this.#headers = effects.headers
    if (await this.#delay(effects.delayMs)) return { kind: 'nothing', reset: false }
    const outcome = await this.#carryOutUnder(effects.fault)
    return (await this.#delay(effects.delayAfterMs)) ? { kind: 'nothing', reset: false } : outcome
  }

  /** Waits in real time; true when the client has disconnected meanwhile. */
  async #delay(ms: number): Promise<boolean> {
    const { call, req } = this
    if (ms === 0) return false
    await wait(ms, req.socket, call.lifetime)
    call.failIfReset()
    if (!req.socket.destroyed) return false
    call.entry.rules.findLast(({ fired }) => fired)!.effect += ', but the client left before that'
    return true
  }

  async #carryOutUnder(fault: Fault | undefined): Promise<Outcome> {
    const { call, req, service } = this
    if (!fault) return { kind: 'answer', reply: await this.#carryOut() }
    return fault.run({
      call,
      wait: ms => wait(ms, req.socket, call.lifetime),
      errorCode: number => errorCode(service.vendor, number),
      // A fault also applies to the answer of a call that is refused.
      carryOut: async () => {
        try {
          return await this.#carryOut()
        } catch (error) {
          call.refusal = this.#nameError(error)
          return this.#replyTo(call.refusal)
        }
      },
    })
  }

  /** Parses the body; validates, operates, commits and presents in one tick; then waits until the change is durable. */
  #carryOut(): Reply | Promise<Reply> {
    const { call, req } = this
    call.body = parseBody(req, this.#bytes, call.operation!.takesBody)
    call.failIfReset()
    const reply = operate(call)
    if (!call.change) return reply
    const { sandbox } = call
    const durable = sandbox.log?.durable ? sandbox.durable() : undefined
    if (!durable && !sandbox.pendingListeners) return reply
    return Promise.all([durable, sandbox.pendingListeners]).then(() => reply)
  }

  /** Answers with an error, from the steps above or from routing. */
  sendError(error: unknown) {
    const refusal = this.#nameError(error)
    if (this.res.headersSent) return this.#abort()
    return this.#conclude({ kind: 'answer', reply: this.#replyTo(refusal) }, refusal)
  }

  /** The error's row in the table of errors; one without a row is a bug of ours, and is reported. */
  #nameError(error: unknown): ApiError {
    const named = toApiError(error)
    if (named.error === 'internal') this.service.onDefect(error)
    return named
  }

  #replyTo(error: ApiError): Reply {
    return errorReply(error, this.service.vendor, this.call.id)
  }

  /** Sends the answer, completes the journal entry, and emits it. */
  #conclude(outcome: Outcome, refusal?: ApiError): void | Promise<void> {
    const { delay } = this.service
    const delayed = delay && outcome.kind === 'answer'
    const sent = delayed ? this.#waitForGlobalDelay(delay).then(() => this.#send(outcome)) : this.#send(outcome)
    if (sent instanceof Promise) return sent.then(done => this.#close(done, refusal))
    this.#close(sent, refusal)
  }

  #send(outcome: Outcome) {
    const { call, req, res } = this
    const { instance, date } = this.service
    return send({ call, socket: req.socket, res, instance, date, headers: this.#headers }, outcome)
  }

  /** Headers are out: abort the socket, leave the entry open. */
  #abort() {
    this.service.sandboxes.leave(this.call.sandbox)
    this.res.destroy()
  }

  #close(sent: Sent | null, refusal: ApiError | undefined) {
    this.service.sandboxes.leave(this.call.sandbox)
    this.#showBody()
    const durationMs = performance.now() - this.#began
    this.entry.close(this.call, { sent, durationMs, refusal, bodyBytes: this.#bytes.length })
  }

  /** Waits for `--delay`. */
  async #waitForGlobalDelay([from, to]: [from: number, to: number]) {
    const { call, req } = this
    const more = to > from ? call.sandbox.ids.fraction('delay') * (to - from) : 0
    call.delayedMs = from + more
    await wait(call.delayedMs, req.socket, call.lifetime)
  }

  /** Shows the body in the journal also if a rule kept the call from being carried out. */
  #showBody() {
    const { call, req } = this
    if (this.#bytes.length === 0 || Object.keys(call.body).length > 0) return
    try {
      call.body = parseBody(req, this.#bytes, true)
    } catch {
      this.entry.showUnparsed(this.#bytes)
    }
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
