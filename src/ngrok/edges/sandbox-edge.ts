import type { Socket } from 'node:net'
import { normaliseAddress } from '../../basics/cidr.ts'
import type { Decision, TrafficCounts } from '../../contract/traffic.ts'
import type { Row } from '../../engine/language/index.ts'
import type { Deliver, Effects, ReplyOutcome } from '../../engine/rules.ts'
import { Assuming, type Sandbox } from '../../engine/sandbox/index.ts'
import { applyEffects } from '../../engine/scenarios/fault.ts'
import { endEarly, FaultyDelivery } from '../../server/http/delivery.ts'
import { wait } from '../../server/http/sockets.ts'
import type { Resolver } from '../access/resolver.ts'
import { type Access, checkEdge } from '../access/restrictions.ts'
import { type Address, kindOfEdge } from './addresses.ts'
import type { Circuits } from './circuit-breaker.ts'
import { policyWarning } from './route-modules.ts'
import { mutualTlsWarning, withCertificate, withWarnings } from './tls-settings.ts'
import type { PatternCache } from './user-agent-filter.ts'

/** Shared by all edges of a simulator. */
export interface EdgeContext {
  vendor: string
  resolver: Resolver
  /** Client timeouts, in seconds. */
  timeouts: { headers: number; request: number }
  circuits: Circuits
  patterns: PatternCache
  /** Called with internal errors. */
  onDefect(error: unknown): void
}

/** An edge at one of its addresses. The record is looked up for every connection or request, because it may change. */
export class SandboxEdge {
  readonly counters: TrafficCounts = {
    connections: 0,
    open: 0,
    allowed: 0,
    refused: 0,
    failed: 0,
    bytes_in: 0,
    bytes_out: 0,
  }

  constructor(
    readonly sandbox: Sandbox,
    readonly table: string,
    readonly id: string,
    readonly context: EdgeContext,
    readonly address: Address,
  ) {}

  get record(): Row | undefined {
    return this.sandbox.tables.get(this.table, this.id)
  }

  /** Whether the edge allows the source address. */
  admits(record: Row, { remoteAddress = '' }: Socket): boolean {
    const { sandbox } = this
    return checkEdge(sandbox.tables, record, normaliseAddress(remoteAddress), new Assuming(sandbox)).passes
  }

  get kind(): Decision['kind'] {
    return kindOfEdge(this.table)
  }
}

type Faulty = Pick<FaultyDelivery, 'body' | 'to'> & Partial<Pick<FaultyDelivery, 'length' | 'head'>>

/** Closes `other` when `closing` has closed. If `closing` was read to its end, pending writes are sent first. */
export function closeAfter(closing: Socket, other: Socket) {
  const close = () => (closing.readableEnded ? other.destroySoon() : other.destroy())
  if (closing.closed) close()
  else closing.once('close', close)
}

/** The decision about one connection or request, until its outcome is known. */
export class PendingDecision extends Assuming {
  readonly source: string
  /** The result of the edge, then of the route modules. */
  access: Access
  readonly rules: Decision['rules'] = []
  /** Sentences about backend choices and attempts. */
  readonly notes: string[] = []
  /** Filled in as they become known. */
  readonly details: Partial<Decision> = {}
  #published = false

  constructor(
    readonly edge: SandboxEdge,
    readonly record: Row,
    readonly socket: Socket,
    /** Set if the connection was already blocked. */
    blocked?: Access,
  ) {
    super(edge.sandbox)
    this.source = normaliseAddress(socket.remoteAddress ?? '')
    const access = blocked ?? withCertificate(checkEdge(edge.sandbox.tables, record, this.source, this), record, socket)
    this.access = withWarnings(access, mutualTlsWarning(edge.kind, record, edge.address.plain), policyWarning(record))
  }

  /** The effects of scenario rules. */
  effects(): Effects | undefined {
    return this.edge.sandbox.rules?.apply({
      sourceIp: this.source,
      target: this.edge.id,
      entry: { path: this.details.path ?? '', rules: this.rules },
      now: () => this.now(),
    })
  }

  /** Executes the request with the rule effects. Returns undefined if a rule or the client has ended the connection. */
  async execute<A>(effects: Effects | undefined, execute: () => Promise<A>): Promise<ReplyOutcome<A> | undefined> {
    const { socket, rules } = this
    if (!effects) return { kind: 'reply', reply: await execute() }
    const { signal } = this.edge.sandbox.lifetime
    const isStillConnected = async (ms: number) => {
      await wait(ms, socket, signal)
      return !socket.destroyed
    }
    const outcome = await applyEffects(effects, { rules, execute, wait: isStillConnected })
    if (outcome.kind === 'reply') return outcome
    this.publish(socket.destroyed ? 'The client disconnected before the response.' : '')
    // A disconnect is only noticed while the socket is being read.
    if (this.edge.kind !== 'https') socket.resume().once('end', () => socket.destroy())
    await endEarly(socket, signal, outcome)
  }

  /** Connects the client and the upstream. A fault may deliver the upstream's bytes. */
  async join(upstream: Socket, deliver: Deliver | undefined) {
    const { socket } = this
    closeAfter(socket, upstream)
    socket.pipe(upstream)
    if (deliver) return this.deliver(deliver, { body: upstream, to: socket })
    closeAfter(upstream, socket)
    upstream.pipe(socket)
  }

  /** Lets a fault send the response. A truncated response must not look complete. */
  async deliver(deliver: Deliver, { body, length, to, head }: Faulty) {
    const delivery = new FaultyDelivery(body, length, to, this.socket, this.edge.sandbox.lifetime.signal, head)
    await deliver(delivery).catch(() => delivery.cut())
  }

  /** The connection or request was allowed, but could not be forwarded. */
  fail(failure: string) {
    this.edge.counters.failed++
    this.details.failure = failure
    this.publish()
  }

  /** Records the decision and emits its events, once. */
  publish(outcome = '') {
    if (this.#published) return
    this.#published = true
    const { access, edge, rules, notes, details } = this
    const { sandbox } = edge
    edge.counters[access.passes ? 'allowed' : 'refused']++
    const { warnings } = access
    const circumstances = this.#circumstances()
    const decision: Decision = {
      id: '',
      seq: 0,
      at: sandbox.clock.timestamp(),
      sandbox: sandbox.name,
      edge: edge.id,
      kind: edge.kind,
      verdict: access.passes ? 'allow' : 'refuse',
      source_ip: this.source,
      method: null,
      path: null,
      route: null,
      upstream: null,
      failure: null,
      status: null,
      headers: null,
      ...details,
      rule: access.rule ?? null,
      decided_by: access.decidedBy,
      rules,
      assumptions: this.assumptions,
      warnings,
      // Built when it is read: most explanations never are.
      get explanation() {
        const failed = details.failure ? `Forwarding failed: ${details.failure}.` : ''
        const texts = [access.text(), ...warnings, ...notes, outcome || failed, ...circumstances]
        return { section: access.section, text: texts.filter(Boolean).join(' ') }
      },
    }
    sandbox.decisions.push(decision, sizeOf(decision))
    decision.id = `tr_${decision.seq}`
    for (const text of warnings)
      sandbox.emit({ type: 'warning', sandbox: sandbox.name, data: { operation_id: decision.id, text } })
    sandbox.emit({ type: 'traffic', sandbox: sandbox.name, data: decision })
  }

  #circumstances(): string[] {
    const { sandbox } = this.edge
    return [
      ...this.rules
        .filter(({ fired }) => fired)
        .map(({ name, effect }) => `The rule "${name}" of the scenario "${sandbox.rules?.name}": ${effect}.`),
      ...this.assumptions.map(({ name, value }) => `Assumed: ${name}=${value}.`),
      ...(this.usedFrozenClock ? [`The sandbox clock is frozen at ${sandbox.clock.timestamp()}.`] : []),
    ]
  }
}

/** An estimate for the parts of a decision that are not counted. */
const OTHER_BYTES = 1024

/** The approximate size. */
function sizeOf({ path, explanation, headers }: Decision): number {
  let bytes = OTHER_BYTES + (path?.length ?? 0) + explanation.text.length
  for (const [name, value] of Object.entries(headers?.added ?? {})) bytes += name.length + value.length
  for (const name of headers?.removed ?? []) bytes += name.length
  return bytes
}
