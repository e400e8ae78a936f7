import type { IncomingMessage, ServerResponse } from 'node:http'
import { ApiError, errorCode, errorReply } from '../contract/errors.ts'
import { sendJson } from '../http/json-answer.ts'
import type { Place } from './backend.ts'
import type { ClientConnection } from './client-connection.ts'
import { fixedResponse } from './fixed-response.ts'
import { type HeaderRules, type Rewritten, rewrite } from './header-rules.ts'
import { BackendFailure, reach } from './reach.ts'
import { endToEnd, type RequestHead, readHead } from './request-head.ts'
import { PendingDecision, type SandboxEdge } from './sandbox-edge.ts'
import { type Route, routeFor } from './upstream.ts'
import { requestUpstream, type UpstreamResponse } from './upstream-request.ts'

/** One request to an HTTPS edge: `#proxy` is its way to the upstream and back, from top to bottom. */
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
      if (connection.gone.aborted) return this.#decision?.publish('The client left before it was answered.')
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
    const { access, source } = decision
    if (!access.passes) throw new ApiError('edge_refused', { edge: edge.id, source_ip: source, why: access.text() })
    const outcome = await decision.carryOut(decision.effects(), () => this.#forward(decision, head))
    if (!outcome) return
    const { answer: response, deliver } = outcome
    if (response.upgrade) {
      // Both sockets carry another protocol after the 101.
      res.detachSocket(connection.socket)
      connection.socket.write(headOf(response), 'latin1')
      await decision.join(response.socket!, deliver)
    } else if (deliver) {
      const promised = response.headers['content-length']
      const length = promised === undefined ? undefined : Number(promised)
      const head = { status: response.statusCode!, write: () => this.#writeHead(response) }
      await decision.deliver(deliver, { body: response, length, to: res, head })
    } else {
      this.#writeHead(response)
      // A response that breaks off must not look complete. When the client leaves, the upstream request is aborted.
      response.once('error', () => res.destroy()).pipe(res)
    }
  }

  /** Finds the route of the request, and lets its backend serve it. */
  async #forward(decision: PendingDecision, head: RequestHead): Promise<UpstreamResponse> {
    const { edge } = this
    const { details } = decision
    const route = routeFor(edge.sandbox.tables, decision.record, head.path)
    if (!route) throw new ApiError('edge_no_route', { edge: edge.id, path: head.path })
    details.route = route.id
    const response = await this.#serve(decision, route, head)
    details.status = response.statusCode
    decision.publish(details.upstream ? `The route ${route.id} forwarded it to ${details.upstream}.` : '')
    return response
  }

  async #serve(decision: PendingDecision, { id, backend, headers }: Route, head: RequestHead) {
    const { ids } = this.edge.sandbox
    try {
      if (!backend) throw new BackendFailure(`the route ${id} has no upstream: set a backend`)
      return await reach(backend, ids, decision.notes, place => this.#send(place, decision, head, headers))
    } catch (error) {
      throw error instanceof BackendFailure ? this.#failed(decision, error) : error
    }
  }

  /** Sends the request to an upstream, with the headers that the route's rules leave and add; or answers it here. */
  async #send(
    place: Place,
    decision: PendingDecision,
    { target, headers }: RequestHead,
    rules: HeaderRules | undefined,
  ): Promise<UpstreamResponse> {
    const { req, connection } = this
    const { sandbox, context } = this.edge
    const { details } = decision
    if (place.kind === 'response') {
      details.upstream = null
      decision.notes.push(`The HTTP response backend ${place.id} answered it.`)
      req.resume()
      return fixedResponse(place, req.method!, sandbox.clock.now())
    }
    const { upstream } = place
    details.upstream = upstream.shown
    const address = await context.resolver.resolve(upstream.host).catch(error => {
      throw new BackendFailure(error.message)
    })
    const rewritten = rewrite(headers, rules, decision)
    const response = await requestUpstream({ req, upstream, address, target, headers: rewritten.headers, connection })
    details.headers = changesIn(rewritten)
    return response
  }

  /** Sends the head of the response unchanged, without its hop-by-hop headers. */
  #writeHead({ statusCode, statusMessage, rawHeaders, headers }: UpstreamResponse) {
    const { res } = this
    res.sendDate = false
    res.writeHead(statusCode!, statusMessage, endToEnd(rawHeaders, headers.connection))
  }

  /** The error of a backend that failed, or the reason of the abort where the client left first. */
  #failed({ details }: PendingDecision, { error, message: why, failure }: BackendFailure): ApiError {
    const { edge, connection } = this
    if (connection.gone.aborted) return connection.gone.reason
    edge.counters.failed++
    details.failure = failure
    return new ApiError(error, { edge: edge.id, upstream: details.upstream ?? `of ${details.route}`, why })
  }

  #sendError(error: ApiError) {
    const decision = this.#decision
    if (decision) {
      decision.details.status = error.row.status
      const { path } = decision.details
      decision.publish(error.error === 'edge_no_route' ? `No route of ${this.edge.id} matches ${path}.` : '')
    }
    const { vendor } = this.edge.context
    const reply = errorReply(error, vendor)
    // The request is in no journal, but the answer is one of the simulated service.
    reply.body.error_code = errorCode(vendor, error.row.code, error.row.status)
    sendJson(this.res, reply)
  }
}

const changesIn = ({ added, removed }: Rewritten) =>
  Object.keys(added).length > 0 || removed.length > 0 ? { added, removed } : null

/** The head of a response, byte for byte. */
function headOf({ statusCode, statusMessage, rawHeaders }: UpstreamResponse): string {
  let head = `HTTP/1.1 ${statusCode} ${statusMessage}\r\n`
  for (let i = 0; i < rawHeaders.length; i += 2) head += `${rawHeaders[i]}: ${rawHeaders[i + 1]}\r\n`
  return `${head}\r\n`
}
