import { connect, createServer, isIP, type Server, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { ignoreSocketErrors, reset } from '../http/sockets.ts'
import { carryAtMost, tie } from './join.ts'
import type { Listener } from './listener.ts'
import { type Arrival, hangMs, pause, type Site } from './site.ts'
import { type Upstream, upstreamOf } from './upstream.ts'

const OPTIONS = { allowHalfOpen: true, pauseOnConnect: true, noDelay: true }

/** A TCP edge: who may pass is connected to the upstream, and nobody else gets a byte there. */
export function createTcpEdge(site: Site, listener: () => Listener): Server {
  const server = createServer(OPTIONS, socket => {
    carry(site, socket, listener()).catch(error => {
      socket.destroy()
      site.context.onDefect(error)
    })
  })
  ignoreSocketErrors(server, false)
  return server
}

async function carry(site: Site, socket: Socket, { counters }: Listener) {
  const { edge } = site
  if (!edge || socket.destroyed) return void socket.destroy()
  const arrival = site.arrive(socket, edge)
  if (!arrival.judged.passes) {
    counters.refused++
    arrival.conclude('refuse', {})
    return void socket.destroy()
  }
  counters.allowed++
  const effects = arrival.meetRules('')
  const fault = effects?.fault
  if (effects && (await pause(effects.delayMs, socket, site.sandbox)))
    return arrival.conclude('allow', {}, 'The client left.')
  if (fault?.type === 'reset' || fault?.type === 'hang') {
    arrival.conclude('allow', {})
    if (fault.type === 'hang') {
      // Nobody learns that a client has left who does not read.
      socket.resume().once('end', () => socket.destroy())
      await pause(hangMs(fault.settings), socket, site.sandbox)
    }
    return void (fault.type === 'reset' ? reset(socket) : socket.destroy())
  }
  const upstream = upstreamOf(site.sandbox.tables, edge)
  const failed = (failure: string) => {
    counters.failed++
    arrival.conclude('allow', { upstream: upstream?.shown ?? null, failure })
    socket.destroy()
  }
  if (!upstream) return failed('it has no upstream: set a backend')
  let host: string
  try {
    host = await site.context.resolver.resolve(upstream.host)
  } catch (error) {
    return failed(`the upstream cannot be used: ${(error as Error).message}`)
  }
  if (socket.destroyed) return arrival.conclude('allow', { upstream: upstream.shown }, 'The client left.')
  join(socket, upstream, host, arrival, failed, fault?.type === 'truncate' ? fault.settings : undefined)
}

/** Connects both, each direction with its own end. */
function join(
  socket: Socket,
  { shown, port, tls, host: name }: Upstream,
  host: string,
  arrival: Arrival,
  failed: (failure: string) => void,
  cut: Record<string, unknown> | undefined,
) {
  let connected = false
  const plain = !tls && !cut
  const options = { host, port, allowHalfOpen: true, noDelay: true }
  const upstream: Socket = tls
    ? connectTls({ ...options, servername: isIP(name) ? undefined : name, rejectUnauthorized: false })
    : connect({ ...options, ...(plain && { onread: readInto(socket, () => upstream.resume()) }) })
  upstream.once(tls ? 'secureConnect' : 'connect', () => {
    connected = true
    arrival.conclude('allow', { upstream: shown }, `It was taken to ${shown}.`)
    socket.pipe(upstream)
    if (plain) upstream.once('end', () => socket.end())
    else if (!cut) upstream.pipe(socket)
    else void carryAtMost(upstream, socket, cut.after as number | undefined).then(() => socket.destroySoon())
  })
  upstream.on('error', (error: NodeJS.ErrnoException) => {
    if (!connected) failed(`the upstream ${shown} could not be reached: ${error.message}`)
  })
  tie(socket, upstream)
}

const CHUNK = 64 * 1024
const MOST_SPARE = 32
const arrived = Buffer.allocUnsafeSlow(CHUNK)
const spare: Buffer[] = []

/**
 * A pipe makes a buffer for every read, and collecting those is a fifth of its work and most of its memory. So everything
 * that upstreams send is read into one, copied into one that is at hand, and written from there.
 */
function readInto(client: Socket, goOn: () => void) {
  let waiting: Buffer | undefined
  const giveBack = (buffer: Buffer) => spare.length < MOST_SPARE && spare.push(buffer)
  client.on('drain', () => {
    if (!waiting) return
    giveBack(waiting)
    waiting = undefined
    goOn()
  })
  return {
    buffer: arrived,
    callback(length: number) {
      const own = spare.pop() ?? Buffer.allocUnsafeSlow(CHUNK)
      arrived.copy(own, 0, 0, length)
      client.write(own.subarray(0, length))
      // The kernel has taken it: nobody needs the buffer any more.
      if (client.writableLength === 0) giveBack(own)
      // Little is waiting: the buffer stays with it, and the next read takes another.
      if (!client.writableNeedDrain || client.writableLength === 0) return true
      waiting = own
      return false
    },
  }
}
