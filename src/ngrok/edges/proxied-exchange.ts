import type { IncomingMessage, ServerResponse } from 'node:http'
import { ApiError } from '../../engine/error.ts'
import { formatTime } from '../../engine/language/index.ts'
import { sendJson } from '../../server/http/json-reply.ts'
import type { ClientConnection } from '../../server/proxy/client-connection.ts'
import { type ForwardedResponse, responseOf } from '../../server/proxy/forwarded-response.ts'
import { headerIn } from '../../server/proxy/header-fields.ts'
import { type RequestHead, readHead } from '../../server/proxy/request-head.ts'
import { requestUpstream, UpstreamFailure, type UpstreamResponse } from '../../server/proxy/upstream-request.ts'
import { errorReply } from '../error-reply.ts'
import { errors } from '../errors.ts'
import type { Place } from './backend.ts'
import type { Admitted, BreakerSettings } from './circuit-breaker.ts'
import { changeResponse } from './edge-response.ts'
import { fixedResponse } from './fixed-response.ts'
import { type Rewritten, rewrite } from './header-rules.ts'
import { reach } from './reach.ts'
import { type Route, routeFor } from './route.ts'
import { checkRoute, type RouteModules } from './route-modules.ts'
import { PendingDecision, type SandboxEdge } from './sandbox-edge.ts'
import { checkSignature } from './webhook-verification.ts'

/** The vendor's errors, by the module that blocks the request. */
const MODULE_ERRORS: Record<string, typeof errors.user_agent_refused> = {
  user_agent_filter: errors.user_agent_refused,
  webhook_verification: errors.webhook_unverified,
}

/** With the body, if a module has read it. */
type WholeRequest = RequestHead & { body: Buffer | undefined }

/** The error for each reason of a failure. */
const ERRORS = {
  unreachable: errors.upstream_unreachable,
  bad_response: errors.upstream_bad_answer,
  empty: errors.tunnel_group_empty,
} as const

/** One request to an HTTPS edge. `#proxy` handles it from start to end. */
export class ProxiedExchange {
  #decision: PendingDecision | undefined

  constructor(
    readonly edge: SandboxEdge,
    readonly connection: ClientConnection,
    readonly req: IncomingMessage,
    readonly res: ServerResponse,
  ) {}

  /** Never rejects. */
  async run() {
    const { res, connection, edge } = this
    try {
      await this.#proxy()
    } catch (error) {
      if (connection.gone.aborted) return this.#decision?.publish('The client disconnected before the response.')
      if (error instanceof ApiError && !res.headersSent) return this.#sendError(error)
      connection.socket.destroy()
      edge.context.onDefect(error)
    }
  }

  async #proxy() {
    const { edge, req, res, connection } = this
    const { record } = edge
    if (!record) return void connection.socket.destroy()
    const head = readHead(req)
    const decision = new PendingDecision(edge, record, connection.socket)
    this.#decision = decision
    Object.assign(decision.details, { method: head.method, path: head.path })
    this.#failIfBlocked(decision)
    const outcome = await decision.execute(decision.effects(), () => this.#forward(decision, head))
    if (!outcome) return
    const { reply, deliver } = outcome
    if (!('body' in reply)) {
      // Both sockets carry another protocol after the 101.
      res.detachSocket(connection.socket)
      connection.socket.write(headOf(reply), 'latin1')
      await decision.join(reply.socket!, deliver)
    } else if (deliver) {
      const promised = headerIn(reply.headers, 'content-length')
      const length = promised === undefined ? undefined : Number(promised)
      const head = { status: reply.status, write: () => this.#writeHead(reply) }
      await decision.deliver(deliver, { body: reply.body, length, to: res, head })
    } else {
      this.#writeHead(reply)
      // A truncated response must not look complete. When the client disconnects, the upstream request is aborted.
      reply.body.once('error', () => res.destroy()).pipe(res)
    }
  }

  /** Applies the route modules, forwards the request, and changes the response unless it is an upgrade. */
  async #forward(decision: PendingDecision, head: RequestHead): Promise<ForwardedResponse | UpstreamResponse> {
    const { edge, req } = this
    const route = routeFor(edge.sandbox.tables, decision.record, head.path)
    if (!route) throw ApiError.of(errors.edge_no_route, { edge: edge.id, path: head.path })
    const { id, modules } = route
    decision.details.route = id
    const body = modules && (await this.#checkModules(decision, modules, head))
    const admitted = modules?.breaker && this.#enterCircuit(decision, id, modules.breaker)
    const received = await this.#serve(decision, route, { ...head, body }).catch(error => {
      admitted?.recordResult(decision.now(), this.connection.gone.aborted ? undefined : true)
      throw error
    })
    const circuitNote = admitted?.recordResult(decision.now(), received.statusCode! >= 500)
    const response = received.upgrade ? received : changeResponse(responseOf(received), modules, req, decision)
    const coding = 'coding' in response ? `The response was compressed with ${response.coding}.` : undefined
    const { details } = decision
    details.status = received.statusCode
    const forwarded = details.upstream && `The route ${id} forwarded it to ${details.upstream}.`
    decision.publish([forwarded, circuitNote, coding].filter(Boolean).join(' '))
    return response
  }

  /** Fails if a module blocks the request. Returns the body if a module has read it. */
  async #checkModules(decision: PendingDecision, modules: RouteModules, { headers }: RequestHead) {
    const { req, res, edge } = this
    const { tables } = edge.sandbox
    const { source } = decision
    decision.access = await checkRoute(
      tables,
      modules,
      decision.access,
      { source, headers },
      decision,
      edge.context.patterns,
    )
    this.#failIfBlocked(decision)
    if (!modules.webhook) return undefined
    const { access, body } = await checkSignature(modules.webhook, decision.access, req, res)
    decision.access = access
    this.#failIfBlocked(decision)
    return body
  }

  #failIfBlocked({ access, source }: PendingDecision) {
    if (access.passes) return
    const error = MODULE_ERRORS[access.decidedBy] ?? errors.edge_refused
    throw ApiError.of(error, { edge: this.edge.id, source_ip: source, why: access.text() })
  }

  /** Fails while the circuit is open. */
  #enterCircuit(decision: PendingDecision, route: string, breaker: BreakerSettings): Admitted {
    const { edge } = this
    const { context, sandbox } = edge
    const admitted = context.circuits.of(sandbox.lifetime, breaker).admit(decision.now())
    if ('recordResult' in admitted) return admitted
    const { until } = admitted
    const rest = until === undefined ? 'during a trial request' : `until ${formatTime(until)}`
    const why = `the circuit breaker module of ${route} is open ${rest}`
    edge.counters.failed++
    decision.details.failure = why
    throw ApiError.of(errors.circuit_open, { edge: edge.id, why })
  }

  /** Sends the request to the route's backend. */
  async #serve(decision: PendingDecision, { id, backend, headers }: Route, request: WholeRequest) {
    const { ids } = this.edge.sandbox
    try {
      if (!backend) throw new UpstreamFailure(`the route ${id} has no upstream. Set a backend`)
      return await reach(backend, ids, decision.notes, place => this.#send(place, decision, request, headers))
    } catch (error) {
      throw error instanceof UpstreamFailure ? this.#failed(decision, error) : error
    }
  }

  /** Sends the request to an upstream with rewritten headers, or returns a fixed response. */
  async #send(
    place: Place,
    decision: PendingDecision,
    { target, headers, body }: WholeRequest,
    rules: Route['headers'],
  ): Promise<UpstreamResponse> {
    const { req, connection } = this
    const { sandbox, context } = this.edge
    const { details } = decision
    if (place.kind === 'response') {
      details.upstream = null
      decision.notes.push(`The HTTP response backend ${place.id} sent the response.`)
      req.resume()
      return fixedResponse(place, req.method!, sandbox.clock.now())
    }
    const { upstream } = place
    details.upstream = upstream.shown
    const [address] = await context.resolver.resolve(upstream.host).catch(error => {
      throw new UpstreamFailure(error.message)
    })
    const rewritten = rewrite(headers, rules, decision)
    const response = await requestUpstream({
      req,
      upstream,
      address: address!,
      target,
      headers: rewritten.headers,
      connection,
      body,
    })
    details.headers = changesIn(rewritten)
    return response
  }

  #writeHead({ status, reason, headers }: ForwardedResponse) {
    const { res } = this
    res.sendDate = false
    res.writeHead(status, reason, headers as string[])
  }

  /** The backend's error, or the abort reason if the client disconnected first. */
  #failed({ details }: PendingDecision, { reason, message: why, failure }: UpstreamFailure): ApiError {
    const { edge, connection } = this
    if (connection.gone.aborted) return connection.gone.reason
    edge.counters.failed++
    details.failure = failure
    return ApiError.of(ERRORS[reason], { edge: edge.id, upstream: details.upstream ?? `of ${details.route}`, why })
  }

  #sendError(error: ApiError) {
    const decision = this.#decision
    if (decision) {
      decision.details.status = error.kind.status
      const { path } = decision.details
      decision.publish(error.error === 'edge_no_route' ? `No route of ${this.edge.id} matches ${path}.` : '')
    }
    sendJson(this.res, errorReply(error, this.edge.context.vendor))
  }
}

const changesIn = ({ added, removed }: Rewritten) =>
  Object.keys(added).length > 0 || removed.length > 0 ? { added, removed } : null

/** The response head, byte for byte. */
function headOf({ statusCode, statusMessage, rawHeaders }: UpstreamResponse): string {
  let head = `HTTP/1.1 ${statusCode} ${statusMessage}\r\n`
  for (let i = 0; i < rawHeaders.length; i += 2) head += `${rawHeaders[i]}: ${rawHeaders[i + 1]}\r\n`
  return `${head}\r\n`
}
