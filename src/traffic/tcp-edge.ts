import { connect, createServer, isIP, type Server, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { ignoreSocketErrors } from '../http/sockets.ts'
import { closeAfter, PendingDecision, type SandboxEdge } from './sandbox-edge.ts'
import { endsTls } from './tls-settings.ts'
import { upstreamOf } from './upstream.ts'

export const CONNECTION_OPTIONS = { allowHalfOpen: true, pauseOnConnect: true, noDelay: true }

/** The server of a TCP edge: connects clients that may pass to the upstream and closes all other connections. */
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
  const outcome = await decision.carryOut(effects, () => connectUpstream(decision, effects?.fault === undefined))
  if (outcome?.answer) await decision.join(outcome.answer, outcome.deliver)
  else socket.destroySoon()
}

/** Connects to the upstream; undefined if that fails. Each direction can end while the other goes on. */
async function connectUpstream(decision: PendingDecision, faultless: boolean): Promise<Socket | undefined> {
  const { edge, record, socket, details } = decision
  const found = upstreamOf(edge.sandbox.tables, record)
  const fail = (failure: string) => {
    if (socket.destroyed) decision.publish('The client left before it was answered.')
    else decision.fail(failure)
  }
  if (!found) return void fail('it has no upstream: set a backend')
  const { shown, host: name, port } = found
  // A TLS edge that does not end TLS leaves it to the client and the upstream.
  const tls = found.tls && (edge.kind === 'tcp' || endsTls(edge.kind, record))
  details.upstream = shown
  let host: string
  try {
    host = await edge.context.resolver.resolve(name)
  } catch (error) {
    return void fail(`the upstream cannot be used: ${(error as Error).message}`)
  }
  if (socket.destroyed) return void fail('the client left')
  const options = { host, port, allowHalfOpen: true, noDelay: true }
  const upstream: Socket = tls
    ? connectTls({ ...options, servername: isIP(name) ? undefined : name, rejectUnauthorized: false })
    : connect({ ...options, ...(faultless && { onread: readInto(socket, () => upstream.resume()) }) })
  closeAfter(socket, upstream)
  const problem = await new Promise<Error | undefined>(resolve => {
    upstream.once(tls ? 'secureConnect' : 'connect', () => resolve(undefined)).on('error', resolve)
    upstream.once('close', () => resolve(new Error('it closed the connection')))
  })
  if (problem) return void fail(`the upstream ${shown} could not be reached: ${problem.message}`)
  decision.publish(`It was forwarded to ${shown}.`)
  return upstream
}

const BUFFER_BYTES = 64 * 1024
const MAX_SPARE_BUFFERS = 32
const readBuffer = Buffer.allocUnsafeSlow(BUFFER_BYTES)
const spareBuffers: Buffer[] = []

/**
 * A pipe allocates a buffer for every read; collecting them is a fifth of its work and most of its memory. So all reads
 * from upstreams share one buffer, and what was read is copied into a spare buffer and written from there.
 */
function readInto(client: Socket, resume: () => void) {
  let waiting: Buffer | undefined
  const release = (buffer: Buffer) => spareBuffers.length < MAX_SPARE_BUFFERS && spareBuffers.push(buffer)
  client.on('drain', () => {
    if (!waiting) return
    release(waiting)
    waiting = undefined
    resume()
  })
  return {
    buffer: readBuffer,
    callback(length: number) {
      const copy = spareBuffers.pop() ?? Buffer.allocUnsafeSlow(BUFFER_BYTES)
      readBuffer.copy(copy, 0, 0, length)
      client.write(copy.subarray(0, length))
      // All is written: the buffer is free again.
      if (client.writableLength === 0) release(copy)
      // Below the high-water mark, reading goes on. The client's queue keeps this buffer, the next read takes another.
      if (!client.writableNeedDrain || client.writableLength === 0) return true
      waiting = copy
      return false
    },
  }
}
