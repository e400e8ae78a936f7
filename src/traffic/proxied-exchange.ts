import type { IncomingMessage, ServerResponse } from 'node:http'
import { ApiError, errorReply } from '../contract/errors.ts'
import type { Decision, TrafficCounts } from '../contract/traffic.ts'
import { sendJson } from '../http/json-answer.ts'
import { reset } from '../http/sockets.ts'
import type { Fault } from '../scenarios/fault.ts'
import type { ClientConnection } from './client-connection.ts'
import { type HeaderRules, type Rewritten, rewrite } from './header-rules.ts'
import { closeTogether, pipeAtMost } from './piping.ts'
import { endToEnd, type RequestHead, readHead } from './request-head.ts'
import { routeFor } from './route.ts'
import { hangMs, type PendingDecision, type SandboxEdge } from './sandbox-edge.ts'
import { type Upstream, upstreamOf } from './upstream.ts'
import { BadUpstreamResponse, requestUpstream, type UpstreamResponse } from './upstream-request.ts'

/** Where a request goes, and with which headers. */
interface Destination {
  upstream: Upstream
  address: string
  rewritten: Rewritten
}

/** One request to an HTTPS edge: `#proxy` is its way to the upstream and back, from top to bottom. */
export class ProxiedExchange {
  /** Members of the decision, filled in as they become known. */
  readonly #details: Partial<Decision> = {}
  #decision: PendingDecision | undefined

  constructor(
    readonly edge: SandboxEdge,
    readonly connection: ClientConnection,
    readonly counters: TrafficCounts,
    readonly req: IncomingMessage,
    readonly res: ServerResponse,
  ) {}

  /** Never rejects. */
  async run() {
    const { res, connection, edge } = this
    const { socket } = connection
    try {
      await this.#proxy()
    } catch (error) {
      if (connection.gone.aborted) return this.#publish('The client left before it was answered.')
      if (error instanceof ApiError && !res.headersSent) return this.#sendError(error)
      socket.destroy()
      edge.context.onDefect(error)
    }
  }

  async #proxy() {
    const { edge, req, connection, counters } = this
    const { record } = edge
    if (!record) return void connection.socket.destroy()
    const head = readHead(req)
    Object.assign(this.#details, { method: head.method, path: head.path })
    const decision = edge.decide(connection.socket, record)
    this.#decision = decision
    if (!decision.access.passes) {
      counters.refused++
      throw new ApiError('edge_refused', { edge: edge.id, source_ip: decision.source, why: decision.access.text() })
    }
    counters.allowed++
    const fault = await this.#applyRules(decision, head.path)
    if (fault && fault.type !== 'truncate') return this.#hangOrReset(fault)
    const destination = await this.#findDestination(decision, head)
    const response = await this.#request(head, destination)
    Object.assign(this.#details, { status: response.statusCode, headers: changesIn(destination.rewritten) })
    this.#publish(`The route ${this.#details.route} forwarded it to ${this.#details.upstream}.`)
    if (response.upgrade) this.#switchProtocols(response, fault)
    else await this.#respond(response, fault)
  }

  /** Waits as long as the scenario's rules say; returns their fault. */
  async #applyRules(decision: PendingDecision, path: string): Promise<Fault | undefined> {
    const effects = decision.applyRules(path)
    if (!effects) return undefined
    await this.edge.pause(effects.delayMs, this.connection.socket)
    this.connection.gone.throwIfAborted()
    return effects.fault
  }

  async #hangOrReset({ type, settings }: Fault) {
    const { socket } = this.connection
    this.#publish()
    if (type === 'hang') await this.edge.pause(hangMs(settings), socket)
    if (type === 'reset') reset(socket)
    else socket.destroy()
  }

  /** The upstream of the route, and the headers after the route's rules. */
  async #findDestination(decision: PendingDecision, { path, headers }: RequestHead): Promise<Destination> {
    const { sandbox, id, context } = this.edge
    const route = routeFor(sandbox.tables, decision.record, path)
    if (!route) throw new ApiError('edge_no_route', { edge: id, path })
    const upstream = upstreamOf(sandbox.tables, route)
    Object.assign(this.#details, { route: route.id, upstream: upstream?.shown ?? null })
    if (!upstream)
      throw this.#upstreamError('upstream_unreachable', `the route ${route.id} has no upstream: set a backend`)
    try {
      const address = await context.resolver.resolve(upstream.host)
      const rules = route.request_headers as HeaderRules | undefined
      const rewritten = rewrite(headers, rules, () => decision.assume('add_existing_header'))
      return { upstream, address, rewritten }
    } catch (error) {
      throw this.#upstreamError('upstream_unreachable', (error as Error).message)
    }
  }

  async #request({ target }: RequestHead, destination: Destination): Promise<UpstreamResponse> {
    const { upstream, address, rewritten } = destination
    const { req, connection } = this
    const { gone } = connection
    const agent = connection.agentFor(upstream)
    try {
      return await requestUpstream({ req, upstream, address, target, headers: rewritten.headers, gone, agent })
    } catch (error) {
      const { message } = error as Error
      if (error instanceof BadUpstreamResponse) {
        const failure = `the answer of ${upstream.shown} cannot be forwarded: ${message}`
        throw this.#upstreamError('upstream_bad_answer', message, failure)
      }
      const failure = `the upstream ${upstream.shown} could not be reached: ${message}`
      throw this.#upstreamError('upstream_unreachable', message, failure)
    }
  }

  /** Sends the response unchanged, without its hop-by-hop headers. */
  async #respond(response: IncomingMessage, fault: Fault | undefined) {
    const { res } = this
    if (fault) return this.#truncate(response, fault.settings?.after as number | undefined)
    this.#writeHead(response)
    // A response that breaks off must not look complete. When the client leaves, the upstream request is aborted.
    response.once('error', () => res.destroy()).pipe(res)
  }

  #writeHead({ statusCode, statusMessage, rawHeaders, headers }: IncomingMessage) {
    const { res } = this
    res.sendDate = false
    res.writeHead(statusCode!, statusMessage, endToEnd(rawHeaders, headers.connection))
  }

  /** Sends a part of the body, never all of it. Of a response without a body, sends a part of the status line. */
  async #truncate(response: IncomingMessage, after: number | undefined) {
    const { req, res } = this
    const { socket } = this.connection
    const { statusCode: status, headers } = response
    const length = headers['content-length'] === undefined ? undefined : Number(headers['content-length'])
    if (req.method === 'HEAD' || status === 204 || status === 304 || length === 0) {
      response.resume()
      socket.write(`HTTP/1.1 ${status} `)
    } else {
      this.#writeHead(response)
      res.flushHeaders()
      const maxBytes = length === undefined ? after : Math.min(after ?? Math.floor(length / 2), length - 1)
      await pipeAtMost(response, res, maxBytes)
    }
    socket.destroySoon()
  }

  /** Sends the 101; after it, both sockets carry another protocol. */
  #switchProtocols(response: IncomingMessage, fault: Fault | undefined) {
    const { socket } = this.connection
    const upstream = response.socket
    this.res.detachSocket(socket)
    socket.write(headOf(response), 'latin1')
    closeTogether(socket, upstream)
    socket.pipe(upstream)
    if (!fault) return void upstream.pipe(socket)
    void pipeAtMost(upstream, socket, fault.settings?.after as number | undefined).then(() => socket.destroySoon())
  }

  /** The error of an upstream that failed, or the reason of the abort where the client left first. */
  #upstreamError(error: 'upstream_unreachable' | 'upstream_bad_answer', why: string, failure = why): ApiError {
    if (this.connection.gone.aborted) return this.connection.gone.reason
    this.counters.failed++
    this.#details.failure = failure
    const { upstream, route } = this.#details
    return new ApiError(error, { edge: this.edge.id, upstream: upstream ?? `of ${route}`, why })
  }

  #sendError(error: ApiError) {
    this.#details.status = error.row.status
    this.#publish(
      error.error === 'edge_no_route' ? `No route of ${this.edge.id} matches ${this.#details.path}.` : '',
      error.error === 'edge_refused' ? 'refuse' : 'allow',
    )
    sendJson(this.res, errorReply(error, this.edge.context.vendor))
  }

  #publish(outcome = '', verdict: Decision['verdict'] = 'allow') {
    this.#decision?.publish(verdict, this.#details, outcome)
  }
}

const changesIn = ({ added, removed }: Rewritten) =>
  Object.keys(added).length > 0 || removed.length > 0 ? { added, removed } : null

/** The head of a response, byte for byte. */
function headOf({ statusCode, statusMessage, rawHeaders }: IncomingMessage): string {
  let head = `HTTP/1.1 ${statusCode} ${statusMessage}\r\n`
  for (let i = 0; i < rawHeaders.length; i += 2) head += `${rawHeaders[i]}: ${rawHeaders[i + 1]}\r\n`
  return `${head}\r\n`
}
