import { setImmediate } from 'node:timers/promises'
import { performance } from '../basics/real-time.ts'
import { SLICE_MS } from '../basics/slices.ts'
import type { ListenerReport, TrafficQuestion, TrafficReport, TrafficVerdict } from '../contract/traffic.ts'
import type { Sandbox } from '../sandbox/index.ts'
import type { Row } from '../schema/index.ts'
import { type Address, addressesOf, EDGES } from './addresses.ts'
import { TrafficLoad, trafficBounds } from './bounds.ts'
import { check } from './check.ts'
import { createHttpsEdge } from './https-edge.ts'
import { Listener } from './listener.ts'
import { type Context, Site } from './site.ts'
import { createTcpEdge } from './tcp-edge.ts'
import { Resolver } from './upstream.ts'

export interface TrafficOptions {
  vendor: string
  /** Hosts that upstreams may have although they are elsewhere. */
  allowUpstream: readonly string[]
  /** What HTTPS edges serve with; made when the first of them opens. */
  certificate(): Promise<{ key: string; cert: string }>
  warn(text: string): void
  onDefect(error: unknown): void
  /** How many files and sockets the process may have open, if not as many as the system says. */
  openFiles?: number
}

/** The listeners of all sandboxes. */
export class Traffic {
  readonly #boxes = new Map<Sandbox, Box>()
  readonly #context: Context
  readonly load: TrafficLoad
  #tls: Promise<{ key: string; cert: string }> | undefined
  /** The PEM that clients of HTTPS edges trust; undefined until one has opened. */
  certificate: string | undefined

  constructor(readonly options: TrafficOptions) {
    const { vendor, allowUpstream, onDefect } = options
    const resolver = new Resolver(allowUpstream.map(host => host.toLowerCase()))
    this.#context = { vendor, resolver, onDefect }
    this.load = new TrafficLoad(trafficBounds(options.openFiles), options.warn)
  }

  /** Brings the ports of a sandbox in line with its edges. Others than `default` have none until they are asked for. */
  sync(sandbox: Sandbox) {
    if (sandbox.name === 'default' || this.#boxes.has(sandbox)) this.#boxOf(sandbox).sync()
  }

  /** What listens where, how much went through, and the latest decisions. */
  async report(sandbox: Sandbox): Promise<TrafficReport> {
    const box = this.#boxOf(sandbox)
    box.sync()
    await sandbox.pendingListeners
    return {
      listeners: box.listeners.map(listener => listener.report()),
      decisions: sandbox.decisions.newestFirst().slice(0, 100),
      certificate: this.certificate ?? null,
    }
  }

  listeners(sandbox: Sandbox): ListenerReport[] {
    return this.#boxes.get(sandbox)?.listeners.map(listener => listener.report()) ?? []
  }

  check(sandbox: Sandbox, question: TrafficQuestion): TrafficVerdict {
    return check(sandbox, question)
  }

  async drop(sandbox: Sandbox) {
    await this.#boxes.get(sandbox)?.close()
    this.#boxes.delete(sandbox)
  }

  async close() {
    await Promise.all(Array.from(this.#boxes.values(), box => box.close()))
  }

  /** One for all HTTPS edges. */
  async tls() {
    this.#tls ??= this.options.certificate()
    const made = await this.#tls
    this.certificate = made.cert
    return made
  }

  #boxOf(sandbox: Sandbox): Box {
    let box = this.#boxes.get(sandbox)
    if (!box) {
      box = new Box(sandbox, this, this.#context)
      this.#boxes.set(sandbox, box)
    }
    return box
  }
}

/** The listeners of one sandbox. */
class Box {
  /** By edge and address. */
  readonly #open = new Map<string, Listener>()
  #turn: Promise<void> = Promise.resolve()
  #closed = false

  constructor(
    readonly sandbox: Sandbox,
    readonly traffic: Traffic,
    readonly context: Context,
  ) {}

  get listeners(): Listener[] {
    return [...this.#open.values()]
  }

  /** One after the other, so that a port that is given up can be taken. */
  sync() {
    const { sandbox } = this
    const turn = this.#turn.then(() => this.#align()).catch(error => this.context.onDefect(error))
    this.#turn = turn
    sandbox.pendingListeners = turn
    void turn.then(() => {
      if (sandbox.pendingListeners === turn) sandbox.pendingListeners = undefined
    })
  }

  async close() {
    this.#closed = true
    this.sync()
    await this.#turn
  }

  async #align() {
    const wanted = new Map<string, () => Promise<void>>()
    if (!this.#closed)
      for (const table of EDGES)
        for (const edge of this.sandbox.tables.of(table).oldestFirst())
          for (const address of addressesOf(edge))
            wanted.set(`${edge.id} ${address.hostport}`, () => this.#listen(table, edge, address))
    // One that could not have its port tries again: whoever had it may have gone.
    const gone = [...this.#open].filter(([key, { error }]) => !wanted.has(key) || error !== undefined)
    await Promise.all(
      gone.map(([key, listener]) => {
        this.#open.delete(key)
        return listener.close()
      }),
    )
    let until = performance.now() + SLICE_MS
    for (const [key, open] of wanted) {
      if (this.#open.has(key)) continue
      await open()
      // To open a port is done at once: with many of them, others come first now and then.
      if (performance.now() < until) continue
      await setImmediate()
      until = performance.now() + SLICE_MS
    }
  }

  async #listen(table: string, edge: Row, { hostport, host, port, plain }: Address) {
    const { sandbox, traffic } = this
    const site = new Site(sandbox, table, edge.id, this.context)
    const isTcp = table === 'tcp_edges'
    const scheme = isTcp ? 'tcp' : plain ? 'http' : 'https'
    const tls = scheme === 'https' ? await traffic.tls() : undefined
    const self = () => listener
    const server = isTcp ? createTcpEdge(site, self) : createHttpsEdge(site, self, tls)
    const listener: Listener = new Listener(
      traffic.load,
      edge.id,
      isTcp ? 'tcp' : 'https',
      hostport,
      scheme,
      host,
      server,
    )
    this.#open.set(`${edge.id} ${hostport}`, listener)
    // A port can only be one sandbox's.
    await listener.open(sandbox.name === 'default' ? port : 0)
  }
}
