import { connect, createServer, isIP, type Server, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { ignoreSocketErrors } from '../../server/http/sockets.ts'
import { UpstreamFailure } from '../../server/proxy/upstream-request.ts'
import { backendOf, type Place } from './backend.ts'
import { noConnections, reach } from './reach.ts'
import { closeAfter, PendingDecision, type SandboxEdge } from './sandbox-edge.ts'
import { endsTls } from './tls-settings.ts'

export const CONNECTION_OPTIONS = { allowHalfOpen: true, pauseOnConnect: true, noDelay: true }

/** The server of a TCP edge. It connects allowed clients to the upstream and closes all other connections. */
export function createTcpEdge(edge: SandboxEdge): Server {
  const server = createServer(CONNECTION_OPTIONS, socket => serveConnection(edge, socket))
  ignoreSocketErrors(server, false)
  return server
}

export function serveConnection(edge: SandboxEdge, socket: Socket) {
  serve(edge, socket).catch(error => {
    socket.destroy()
    edge.context.onDefect(error)
  })
}

async function serve(edge: SandboxEdge, socket: Socket) {
  const { record } = edge
  if (!record || socket.destroyed) return void socket.destroy()
  const decision = new PendingDecision(edge, record, socket)
  if (!decision.access.passes) {
    decision.publish()
    return void socket.destroy()
  }
  const effects = decision.effects()
  const outcome = await decision.execute(effects, () => connectUpstream(decision))
  if (outcome?.reply) await decision.join(outcome.reply, outcome.deliver)
  else socket.destroySoon()
}

/** Connects to the backend. Returns undefined if that fails. */
async function connectUpstream(decision: PendingDecision): Promise<Socket | undefined> {
  const { edge, record, socket, details, notes } = decision
  const { tables, ids } = edge.sandbox
  const backend = backendOf(tables, record)
  try {
    if (!backend) throw new UpstreamFailure('the edge has no upstream. Set a backend')
    const upstream = await reach(backend, ids, notes, place => connectTo(place, decision))
    decision.publish(`It was forwarded to ${details.upstream}.`)
    return upstream
  } catch (error) {
    if (!(error instanceof UpstreamFailure)) throw error
    if (socket.destroyed) decision.publish('The client disconnected before the response.')
    else decision.fail(error.failure)
  }
}

/** Connects to an upstream. Each direction can end separately. */
async function connectTo(place: Place, decision: PendingDecision): Promise<Socket> {
  const { edge, record, socket, details } = decision
  if (place.kind === 'response') throw new UpstreamFailure(noConnections(place.id))
  const { shown, host: name, port } = place.upstream
  // If a TLS edge passes TLS through, the client and the upstream handle it.
  const tls = place.upstream.tls && (edge.kind === 'tcp' || endsTls(edge.kind, record))
  details.upstream = shown
  const [host] = await edge.context.resolver.resolve(name).catch(error => {
    throw new UpstreamFailure(error.message, { failure: `cannot use the upstream: ${error.message}` })
  })
  if (socket.destroyed) throw new UpstreamFailure('the client disconnected', { unsent: false })
  const options = { host, port, allowHalfOpen: true, noDelay: true }
  const upstream: Socket = tls
    ? connectTls({ ...options, servername: isIP(name) ? undefined : name, rejectUnauthorized: false })
    : connect(options)
  const leave = () => upstream.destroy()
  socket.once('close', leave)
  const problem = await new Promise<Error | undefined>(resolve => {
    upstream.once(tls ? 'secureConnect' : 'connect', () => resolve(undefined)).on('error', resolve)
    upstream.once('close', () => resolve(new Error('the upstream closed the connection')))
  })
  socket.off('close', leave)
  if (problem) {
    const failure = `cannot reach the upstream ${shown}: ${problem.message}`
    throw new UpstreamFailure(problem.message, { failure, unsent: !socket.destroyed })
  }
  closeAfter(socket, upstream)
  return upstream
}
