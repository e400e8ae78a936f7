/**
 * Puts load on a server from a separate process, and prints the results as JSON. Kinds in `load.js '{"kind":…}'`: `flood`
 * (autocannon), `steady` (fixed rate), `crowd` (fixed concurrency), `pour` (reads a stream).
 */
import { connect } from 'node:net'

const job = JSON.parse(process.argv[2])

/** A minimal connection, to measure the server and not the client. */
class Connection {
  #socket
  #text = ''
  #done

  constructor() {
    const { hostname, port } = new URL(job.url)
    this.#socket = connect(Number(port), hostname).setNoDelay().setEncoding('latin1')
    this.#socket.on('data', chunk => this.#take(chunk))
    this.#socket.on('error', error => this.#done?.(error))
  }

  send() {
    return new Promise((resolve, reject) => {
      this.#text = ''
      this.#done = error => (error ? reject(error) : resolve())
      this.#socket.write(REQUEST)
    })
  }

  #take(chunk) {
    this.#text += chunk
    const end = this.#text.indexOf('\r\n\r\n')
    if (end < 0) return
    const length = Number(/content-length: (\d+)/i.exec(this.#text)?.[1] ?? 0)
    if (this.#text.length < end + 4 + length) return
    const status = this.#text.slice(9, 12)
    this.#done(status < '300' ? undefined : new Error(`${job.url}: status ${status}`))
  }

  close() {
    this.#socket.destroy()
  }
}

const { pathname, host } = new URL(job.url)
const { body = '' } = job
const length = body && { 'content-length': Buffer.byteLength(body) }
const lines = Object.entries({ ...job.headers, ...length }).map(([name, value]) => `${name}: ${value}\r\n`)
const REQUEST = `${job.method ?? 'GET'} ${pathname} HTTP/1.1\r\nHost: ${host}\r\n${lines.join('')}\r\n${body}`

const pause = ms => new Promise(resolve => setTimeout(resolve, ms))

async function flood() {
  const { url, connections, seconds, method = 'GET', headers, body } = job
  const options = { url, connections, duration: seconds, method, headers, body }
  if (job.sandboxes) options.setupClient = spread()
  const { default: autocannon } = await import('autocannon')
  const result = await autocannon(options)
  if (result.non2xx || result.errors) throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} errors`)
  return { perSecond: result.requests.average }
}

/** Splits the sandboxes between the connections. */
function spread() {
  const { sandboxes, connections, headers } = job
  let next = 0
  return client => {
    const part = Array.from({ length: Math.ceil(10_000 / connections) }, (_, i) => next * 10_000 + i)
    next++
    const named = i => (sandboxes === 'one' ? 'one' : `s${i}`)
    client.setRequests(part.map(i => ({ headers: { ...headers, authorization: `Bearer sim_admin~${named(i)}` } })))
  }
}

/** Measures from the scheduled send time, including the wait for a free connection. */
async function steady() {
  const times = []
  const free = Array.from({ length: job.connections }, () => new Connection())
  const waiting = []
  const carry = async (connection, at) => {
    await connection.send()
    if (at - began > job.warmupMs) times.push(performance.now() - at)
    const next = waiting.shift()
    if (next === undefined) free.push(connection)
    else await carry(connection, next)
  }
  const began = performance.now()
  const total = job.perSecond * (job.seconds + job.warmupMs / 1000)
  const pending = []
  for (let sent = 0; sent < total; ) {
    const due = Math.min(total, Math.floor(((performance.now() - began) * job.perSecond) / 1000))
    for (; sent < due; sent++) {
      const at = began + (sent * 1000) / job.perSecond
      const connection = free.shift()
      if (connection) pending.push(carry(connection, at))
      else waiting.push(at)
    }
    await pause(1)
  }
  await Promise.all(pending)
  return { times }
}

async function crowd() {
  const times = []
  const one = async i => {
    const connection = new Connection()
    // Spread out, to measure requests and not bursts.
    await pause((i / job.connections) * job.spreadMs)
    for (let round = -job.warmup; round < job.rounds; round++) {
      const began = performance.now()
      await connection.send()
      if (round >= 0) times.push(performance.now() - began)
    }
  }
  await Promise.all(Array.from({ length: job.connections }, (_, i) => one(i)))
  return { times }
}

/** Opens all connections before the first request, until the end. */
async function pour() {
  const { connections, seconds = 0, bytes: wanted = 0, warmupMs = 0 } = job
  const { hostname, port } = new URL(job.url)
  const buffer = Buffer.alloc(256 * 1024)
  let bytes = 0
  let done
  const over = new Promise((resolve, reject) => {
    done = error => (error ? reject(error) : resolve())
  })
  const onread = {
    buffer,
    callback(count) {
      bytes += count
      if (wanted && bytes >= wanted) done()
      return true
    },
  }
  const open = () =>
    new Promise((resolve, reject) => {
      const socket = connect({ port: Number(port), host: hostname, onread }, () => resolve(socket))
      socket.on('error', reject)
      socket.on('close', () => done(new Error(`${job.url}: a connection ended early`)))
    })
  const sockets = []
  while (sockets.length < connections) {
    const some = Math.min(100, connections - sockets.length)
    sockets.push(...(await Promise.all(Array.from({ length: some }, open))))
  }
  let began = performance.now()
  for (const socket of sockets) socket.write(REQUEST)
  if (seconds) {
    await Promise.race([over, pause(warmupMs)])
    bytes = 0
    began = performance.now()
    await Promise.race([over, pause(seconds * 1000)])
  } else await over
  return { bytes, perSecond: bytes / ((performance.now() - began) / 1000) }
}

const result = await { flood, steady, crowd, pour }[job.kind]()
process.stdout.write(JSON.stringify(result), () => process.exit(0))
