import { setImmediate } from 'node:timers/promises'
import type { ListenerReport, TrafficQuestion, TrafficReport } from '../../contract/traffic.ts'
import type { Row } from '../../engine/language/index.ts'
import type { Sandbox } from '../../engine/sandbox/index.ts'
import { Resolver } from '../access/resolver.ts'
import { type Address, addressesOf, EDGES } from './addresses.ts'
import { EDGE_TIMEOUTS, MAX_REPORTED_DECISIONS, TrafficLoad, trafficBounds } from './bounds.ts'
import { checkTraffic } from './check-traffic.ts'
import { Circuits } from './circuit-breaker.ts'
import { createHttpsEdge } from './https-edge.ts'
import { Listener } from './listener.ts'
import { type EdgeContext, SandboxEdge } from './sandbox-edge.ts'
import { createTcpEdge } from './tcp-edge.ts'
import { createTlsEdge } from './tls-edge.ts'
import { PatternCache } from './user-agent-filter.ts'

export interface TrafficOptions {
  vendor: string
  /** Upstream hosts to allow although they are not on this machine. */
  allowUpstream: readonly string[]
  /** The key and certificate of TLS and HTTPS edges. Called when the first one opens. */
  certificate(): Promise<{ key: string; cert: string }>
  warn(text: string): void
  onDefect(error: unknown): void
  /** The maximum number of open files and sockets. Default: the system limit. */
  openFiles?: number
  /** Timeouts for clients of edges, in seconds. */
  listenerTimeouts?: { headers: number; request: number }
}

/** The listeners of all sandboxes. */
export class Traffic {
  readonly #sandboxes = new Map<Sandbox, SandboxListeners>()
  readonly #context: EdgeContext
  readonly load: TrafficLoad
  #tls: Promise<{ key: string; cert: string }> | undefined
  /** The PEM that clients of TLS and HTTPS edges trust. Undefined until the first one opens. */
  certificate: string | undefined

  constructor(readonly options: TrafficOptions) {
    const { vendor, allowUpstream, onDefect, listenerTimeouts: timeouts = EDGE_TIMEOUTS } = options
    const resolver = new Resolver(allowUpstream)
    const shared = { circuits: new Circuits(), patterns: new PatternCache() }
    this.#context = { vendor, resolver, timeouts, ...shared, onDefect }
    this.load = new TrafficLoad(trafficBounds(options.openFiles), options.warn)
  }

  /** Opens and closes ports to match the edges. Sandboxes other than `default` open theirs on the first report. */
  async sync(sandbox: Sandbox) {
    if (sandbox.name === 'default' || this.#sandboxes.has(sandbox)) await this.#listenersOf(sandbox).sync()
  }

  /** Resolves when the ports of a sandbox match its state. */
  settled(sandbox: Sandbox): Promise<void> | undefined {
    return this.#sandboxes.get(sandbox)?.lastSync
  }

  /** Returns listeners, counters and the latest decisions. Opens the sandbox's ports. */
  async report(sandbox: Sandbox): Promise<TrafficReport> {
    const own = this.#listenersOf(sandbox)
    await own.sync()
    return {
      listeners: own.reports(),
      decisions: sandbox.decisions.newestFirst().slice(0, MAX_REPORTED_DECISIONS),
      certificate: this.certificate ?? null,
    }
  }

  check = (sandbox: Sandbox, question: TrafficQuestion) => checkTraffic(sandbox, question, this.#context.patterns)

  listeners(sandbox: Sandbox): ListenerReport[] {
    return this.#sandboxes.get(sandbox)?.reports() ?? []
  }

  async drop(sandbox: Sandbox) {
    await this.#sandboxes.get(sandbox)?.close()
    this.#sandboxes.delete(sandbox)
  }

  async close() {
    await Promise.all(Array.from(this.#sandboxes.values(), each => each.close()))
  }

  /** The key and certificate that all TLS and HTTPS edges share. */
  async tls() {
    this.#tls ??= this.options.certificate()
    this.certificate = (await this.#tls).cert
    return this.#tls
  }

  #listenersOf(sandbox: Sandbox): SandboxListeners {
    let own = this.#sandboxes.get(sandbox)
    if (!own) {
      own = new SandboxListeners(sandbox, this, this.#context)
      this.#sandboxes.set(sandbox, own)
    }
    return own
  }
}

/** The listeners of one sandbox. */
class SandboxListeners {
  /** By edge and address. */
  readonly #open = new Map<string, Listener>()
  lastSync: Promise<void> = Promise.resolve()
  #closed = false

  constructor(
    readonly sandbox: Sandbox,
    readonly traffic: Traffic,
    readonly context: EdgeContext,
  ) {}

  reports(): ListenerReport[] {
    return Array.from(this.#open.values(), listener => listener.report())
  }

  /** Waits for the previous sync, so a port that it closes can be opened again. */
  sync(): Promise<void> {
    this.lastSync = this.lastSync.then(() => this.#openAndClose()).catch(error => this.context.onDefect(error))
    return this.lastSync
  }

  async close() {
    this.#closed = true
    await this.sync()
  }

  async #openAndClose() {
    const wanted = new Map<string, () => Promise<void>>()
    if (!this.#closed)
      for (const table of EDGES)
        for (const edge of this.sandbox.tables.all(table))
          for (const address of addressesOf(edge))
            wanted.set(`${edge.id} ${address.hostport}`, () => this.#listen(table, edge, address))
    // Retry failed listeners: their port may be free now.
    const closing = [...this.#open].filter(([key, { error }]) => !wanted.has(key) || error !== undefined)
    await Promise.all(
      closing.map(([key, listener]) => {
        this.#open.delete(key)
        return listener.close()
      }),
    )
    for (const [key, open] of wanted) {
      if (this.#open.has(key)) continue
      await open()
      // Opening a port never waits, so let other work run before the next one.
      await setImmediate()
    }
  }

  async #listen(table: string, edge: Row, address: Address) {
    const { sandbox, traffic } = this
    const own = new SandboxEdge(sandbox, table, edge.id, this.context, address)
    const listener = new Listener(traffic.load, own, await this.#createServer(own))
    this.#open.set(`${edge.id} ${address.hostport}`, listener)
    // Only `default` uses fixed ports. Edges of other sandboxes get free ones.
    await listener.open(sandbox.name === 'default' ? address.port : 0)
  }

  async #createServer(edge: SandboxEdge) {
    if (edge.kind === 'tcp') return createTcpEdge(edge)
    if (edge.address.plain) return createHttpsEdge(edge, undefined)
    // A TLS edge needs it even if it passes TLS through: its modules may change while it listens.
    const certificate = await this.traffic.tls()
    return edge.kind === 'tls' ? createTlsEdge(edge, certificate) : createHttpsEdge(edge, certificate)
  }
}
