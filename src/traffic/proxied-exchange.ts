import type { IncomingMessage, ServerResponse } from 'node:http'
import { ApiError, errorReply } from '../contract/errors.ts'
import type { Decision, TrafficCounts } from '../contract/traffic.ts'
import { sendJson } from '../http/json-answer.ts'
import { reset } from '../http/sockets.ts'
import type { Fault } from '../scenarios/effects.ts'
import { askUpstream, BadAnswer, type UpstreamAnswer } from './ask-upstream.ts'
import type { ClientConnection } from './client-connection.ts'
import { type HeaderRules, type Rewritten, rewrite } from './header-rules.ts'
import { carryAtMost, tie } from './join.ts'
import { routeFor } from './judge.ts'
import { endToEnd, type RequestHead, readHead } from './request-head.ts'
import { type Arrival, hangMs, pause, type Site } from './site.ts'
import { type Upstream, upstreamOf } from './upstream.ts'

/** Where a request goes, and with which headers. */
interface Passage {
  upstream: Upstream
  address: string
  rewritten: Rewritten
}

/** One request to an HTTPS edge: `#carry`, read from top to bottom, is its way to the upstream and back. */
export class ProxiedExchange {
  /** What the decision tells of it, as it becomes known. */
  readonly #told: Partial<Decision> = {}
  #arrival: Arrival | undefined

  constructor(
    readonly site: Site,
    readonly connection: ClientConnection,
    readonly counters: TrafficCounts,
    readonly req: IncomingMessage,
    readonly res: ServerResponse,
  ) {}

  /** Never rejects. */
  async run() {
    const { res, connection, site } = this
    const { socket } = connection
    try {
      await this.#carry()
    } catch (error) {
      if (connection.gone.aborted) return this.#conclude('The client left before it was answered.')
      if (error instanceof ApiError && !res.headersSent) return this.#refuse(error)
      socket.destroy()
      site.context.onDefect(error)
    }
  }

  async #carry() {
    const { site, req, connection, counters } = this
    const { edge } = site
    if (!edge) return void connection.socket.destroy()
    const head = readHead(req)
    Object.assign(this.#told, { method: head.method, path: head.path })
    const arrival = site.arrive(connection.socket, edge)
    this.#arrival = arrival
    if (!arrival.judged.passes) {
      counters.refused++
      throw new ApiError('edge_refused', { edge: site.id, source_ip: arrival.source, why: arrival.judged.text() })
    }
    counters.allowed++
    const fault = await this.#meetRules(arrival, head.path)
    if (fault && fault.type !== 'truncate') return this.#breakOff(fault)
    const passage = await this.#findWay(arrival, head)
    const answer = await this.#ask(head, passage)
    Object.assign(this.#told, { status: answer.statusCode, headers: changesIn(passage.rewritten) })
    this.#conclude(`The route ${this.#told.route} took it to ${this.#told.upstream}.`)
    if (answer.upgrade) this.#switchProtocols(answer, fault)
    else await this.#forward(answer, fault)
  }

  /** Waits as the rules of the scenario say; returns their fault. */
  async #meetRules(arrival: Arrival, path: string): Promise<Fault | undefined> {
    const effects = arrival.meetRules(path)
    if (!effects) return undefined
    await pause(effects.delayMs, this.connection.socket, this.site.sandbox)
    this.connection.gone.throwIfAborted()
    return effects.fault
  }

  async #breakOff({ type, settings }: Fault) {
    const { socket } = this.connection
    this.#conclude()
    if (type === 'hang') await pause(hangMs(settings), socket, this.site.sandbox)
    if (type === 'reset') reset(socket)
    else socket.destroy()
  }

  /** The upstream of the route, and the headers as the route's rules change them. */
  async #findWay({ edge, assuming }: Arrival, { path, headers }: RequestHead): Promise<Passage> {
    const { sandbox, id, context } = this.site
    const route = routeFor(sandbox, edge, path)
    if (!route) throw new ApiError('edge_no_route', { edge: id, path })
    const upstream = upstreamOf(sandbox.tables, route)
    Object.assign(this.#told, { route: route.id, upstream: upstream?.shown ?? null })
    if (!upstream) throw this.#failed('upstream_unreachable', `the route ${route.id} has no upstream: set a backend`)
    try {
      const address = await context.resolver.resolve(upstream.host)
      const rules = route.request_headers as HeaderRules | undefined
      const rewritten = rewrite(headers, rules, () => assuming.assume('add_existing_header'))
      return { upstream, address, rewritten }
    } catch (error) {
      throw this.#failed('upstream_unreachable', (error as Error).message)
    }
  }

  async #ask({ target }: RequestHead, { upstream, address, rewritten: { headers } }: Passage): Promise<UpstreamAnswer> {
    const { req, connection } = this
    const { gone } = connection
    try {
      return await askUpstream({ req, upstream, address, target, headers, gone, agent: connection.agentFor(upstream) })
    } catch (error) {
      const { message } = error as Error
      if (error instanceof BadAnswer)
        throw this.#failed(
          'upstream_bad_answer',
          message,
          `the answer of ${upstream.shown} cannot be passed on: ${message}`,
        )
      const failure = `the upstream ${upstream.shown} could not be reached: ${message}`
      throw this.#failed('upstream_unreachable', message, failure)
    }
  }

  /** The answer as it came, but for what belongs to the upstream's connection. */
  async #forward(answer: IncomingMessage, fault: Fault | undefined) {
    const { res } = this
    if (fault) return this.#truncate(answer, fault.settings?.after as number | undefined)
    this.#writeHead(answer)
    // An answer that breaks off must not look complete. A client that leaves ends the question, and so the answer.
    answer.once('error', () => res.destroy()).pipe(res)
  }

  #writeHead(answer: IncomingMessage) {
    const { res } = this
    res.sendDate = false
    res.writeHead(answer.statusCode!, answer.statusMessage, endToEnd(answer.rawHeaders, answer.headers.connection))
  }

  /** Less than is promised, and never all; of an answer without a body, less than its first line. */
  async #truncate(answer: IncomingMessage, after: number | undefined) {
    const { req, res } = this
    const { socket } = this.connection
    const { statusCode: status, headers } = answer
    const length = headers['content-length'] === undefined ? undefined : Number(headers['content-length'])
    if (req.method === 'HEAD' || status === 204 || status === 304 || length === 0) {
      answer.resume()
      socket.write(`HTTP/1.1 ${status} `)
    } else {
      this.#writeHead(answer)
      res.flushHeaders()
      const most = length === undefined ? after : Math.min(after ?? Math.floor(length / 2), length - 1)
      await carryAtMost(answer, res, most)
    }
    socket.destroySoon()
  }

  /** From here on both sides speak another protocol. */
  #switchProtocols(answer: IncomingMessage, fault: Fault | undefined) {
    const { socket } = this.connection
    const upstream = answer.socket
    this.res.detachSocket(socket)
    socket.write(headOf(answer), 'latin1')
    tie(socket, upstream)
    socket.pipe(upstream)
    if (!fault) return void upstream.pipe(socket)
    void carryAtMost(upstream, socket, fault.settings?.after as number | undefined).then(() => socket.destroySoon())
  }

  /** What is thrown when the upstream is to blame. */
  #failed(error: 'upstream_unreachable' | 'upstream_bad_answer', why: string, failure = why): ApiError {
    if (this.connection.gone.aborted) return this.connection.gone.reason
    this.counters.failed++
    this.#told.failure = failure
    const { upstream, route } = this.#told
    return new ApiError(error, { edge: this.site.id, upstream: upstream ?? `of ${route}`, why })
  }

  #refuse(error: ApiError) {
    this.#told.status = error.row.status
    this.#conclude(
      error.error === 'edge_no_route' ? `No route of ${this.site.id} matches ${this.#told.path}.` : '',
      error.error === 'edge_refused' ? 'refuse' : 'allow',
    )
    sendJson(this.res, errorReply(error, this.site.context.vendor))
  }

  #conclude(why = '', verdict: Decision['verdict'] = 'allow') {
    this.#arrival?.conclude(verdict, this.#told, why)
  }
}

const changesIn = ({ added, removed }: Rewritten) =>
  Object.keys(added).length > 0 || removed.length > 0 ? { added, removed } : null

/** As it came, byte for byte. */
function headOf({ statusCode, statusMessage, rawHeaders }: IncomingMessage): string {
  let head = `HTTP/1.1 ${statusCode} ${statusMessage}\r\n`
  for (let i = 0; i < rawHeaders.length; i += 2) head += `${rawHeaders[i]}: ${rawHeaders[i + 1]}\r\n`
  return `${head}\r\n`
}
