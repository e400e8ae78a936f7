import { connect, createServer, isIP, type Server, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { ignoreSocketErrors, reset } from '../http/sockets.ts'
import type { Listener } from './listener.ts'
import { closeTogether, pipeAtMost } from './piping.ts'
import { hangMs, type PendingDecision, type SandboxEdge } from './sandbox-edge.ts'
import { type Upstream, upstreamOf } from './upstream.ts'

const OPTIONS = { allowHalfOpen: true, pauseOnConnect: true, noDelay: true }

/** The server of a TCP edge: connects clients that may pass to the upstream and closes all other connections. */
export function createTcpEdge(edge: SandboxEdge, listener: () => Listener): Server {
  const server = createServer(OPTIONS, socket => {
    serve(edge, socket, listener()).catch(error => {
      socket.destroy()
      edge.context.onDefect(error)
    })
  })
  ignoreSocketErrors(server, false)
  return server
}

async function serve(edge: SandboxEdge, socket: Socket, { counters }: Listener) {
  const { record } = edge
  if (!record || socket.destroyed) return void socket.destroy()
  const decision = edge.decide(socket, record)
  if (!decision.access.passes) {
    counters.refused++
    decision.publish('refuse', {})
    return void socket.destroy()
  }
  counters.allowed++
  const effects = decision.applyRules('')
  const fault = effects?.fault
  if (effects && (await edge.pause(effects.delayMs, socket))) return decision.publish('allow', {}, 'The client left.')
  if (fault?.type === 'reset' || fault?.type === 'hang') {
    decision.publish('allow', {})
    if (fault.type === 'hang') {
      // Only a socket that is read notices that the client has left.
      socket.resume().once('end', () => socket.destroy())
      await edge.pause(hangMs(fault.settings), socket)
    }
    return void (fault.type === 'reset' ? reset(socket) : socket.destroy())
  }
  const upstream = upstreamOf(edge.sandbox.tables, record)
  const fail = (failure: string) => {
    counters.failed++
    decision.publish('allow', { upstream: upstream?.shown ?? null, failure })
    socket.destroy()
  }
  if (!upstream) return fail('it has no upstream: set a backend')
  let host: string
  try {
    host = await edge.context.resolver.resolve(upstream.host)
  } catch (error) {
    return fail(`the upstream cannot be used: ${(error as Error).message}`)
  }
  if (socket.destroyed) return decision.publish('allow', { upstream: upstream.shown }, 'The client left.')
  forward(socket, upstream, host, decision, fail, fault?.type === 'truncate' ? fault.settings : undefined)
}

/** Connects to the upstream and copies bytes both ways; each direction can end while the other goes on. */
function forward(
  socket: Socket,
  { shown, port, tls, host: name }: Upstream,
  host: string,
  decision: PendingDecision,
  fail: (failure: string) => void,
  truncate: Record<string, unknown> | undefined,
) {
  let connected = false
  const plain = !tls && !truncate
  const options = { host, port, allowHalfOpen: true, noDelay: true }
  const upstream: Socket = tls
    ? connectTls({ ...options, servername: isIP(name) ? undefined : name, rejectUnauthorized: false })
    : connect({ ...options, ...(plain && { onread: readInto(socket, () => upstream.resume()) }) })
  upstream.once(tls ? 'secureConnect' : 'connect', () => {
    connected = true
    decision.publish('allow', { upstream: shown }, `It was forwarded to ${shown}.`)
    socket.pipe(upstream)
    if (plain) upstream.once('end', () => socket.end())
    else if (!truncate) upstream.pipe(socket)
    else void pipeAtMost(upstream, socket, truncate.after as number | undefined).then(() => socket.destroySoon())
  })
  upstream.on('error', (error: NodeJS.ErrnoException) => {
    if (!connected) fail(`the upstream ${shown} could not be reached: ${error.message}`)
  })
  closeTogether(socket, upstream)
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
