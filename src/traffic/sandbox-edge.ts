import type { Socket } from 'node:net'
import type { Decision, TrafficCounts } from '../contract/traffic.ts'
import { endEarly, FaultyDelivery } from '../http/delivery.ts'
import type { Resolver } from '../http/resolver.ts'
import { wait } from '../http/sockets.ts'
import { normaliseAddress } from '../ip/cidr.ts'
import { Assuming, type Sandbox } from '../sandbox/index.ts'
import { applyEffects, type Deliver, type Effects, type ReplyOutcome } from '../scenarios/fault.ts'
import { applyActiveRules } from '../scenarios/rule-set.ts'
import type { Row } from '../schema/index.ts'
import { type Access, checkEdge } from '../state/index.ts'
import { type Address, kindOfEdge } from './addresses.ts'
import type { Circuits } from './circuit-breaker.ts'
import type { ReadBuffers } from './read-buffers.ts'
import { policyWarning } from './route-modules.ts'
import { mutualTlsWarning, withCertificate, withWarnings } from './tls-settings.ts'
import type { KeptPatterns } from './user-agent-filter.ts'

/** What all edges of a simulator share. */
export interface EdgeContext {
  vendor: string
  resolver: Resolver
  /** In seconds: how long clients may take. */
  timeouts: { headers: number; request: number }
  circuits: Circuits
  patterns: KeptPatterns
  buffers: ReadBuffers
  /** Called with errors that are bugs of ours. */
  onDefect(error: unknown): void
}

/** An edge at one of its addresses. Its record is looked up for every connection or request, since it may have changed. */
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
    return this.sandbox.tables.of(this.table).get(this.id)
  }

  /** Whether the source of a connection may pass. */
  admits(record: Row, { remoteAddress = '' }: Socket): boolean {
    const { tables, assumed } = this.sandbox
    return checkEdge(tables, record, normaliseAddress(remoteAddress), new Assuming(assumed)).passes
  }

  get kind(): Decision['kind'] {
    return kindOfEdge(this.table)
  }
}

type Faulty = Pick<FaultyDelivery, 'body' | 'to'> & Partial<Pick<FaultyDelivery, 'length' | 'head'>>

/** When a socket has closed, closes the other. If the first was read to its end, pending writes go out before. */
export function closeAfter(closing: Socket, other: Socket) {
  const close = () => (closing.readableEnded ? other.destroySoon() : other.destroy())
  if (closing.closed) close()
  else closing.once('close', close)
}

/** The decision about one connection or request, until it is known what became of it. */
export class PendingDecision extends Assuming {
  readonly source: string
  /** Of the edge; then of the route, if its modules have a say. */
  access: Access
  readonly rules: Decision['rules'] = []
  /** Sentences about what was drawn and tried on the way. */
  readonly notes: string[] = []
  /** Filled in as they become known. */
  readonly details: Partial<Decision> = {}
  #usedFrozenClock = false
  #published = false

  constructor(
    readonly edge: SandboxEdge,
    readonly record: Row,
    readonly socket: Socket,
    /** Where it was refused before. */
    refusal?: Access,
  ) {
    super(edge.sandbox.assumed)
    this.source = normaliseAddress(socket.remoteAddress ?? '')
    const access = refusal ?? withCertificate(checkEdge(edge.sandbox.tables, record, this.source, this), record, socket)
    this.access = withWarnings(access, mutualTlsWarning(edge.kind, record, edge.address.plain), policyWarning(record))
  }

  /** The effects of the scenario's rules on it. */
  effects(): Effects | undefined {
    const subject = {
      sandbox: this.edge.sandbox,
      sourceIp: this.source,
      edge: this.edge.id,
      entry: { path: this.details.path ?? '', rules: this.rules },
      clockPlayedAPart: false,
    }
    const effects = applyActiveRules(subject)
    this.#usedFrozenClock = subject.clockPlayedAPart
    return effects
  }

  /** The sandbox's time, where the decision depends on it. */
  now(): number {
    const { clock } = this.edge.sandbox
    this.#usedFrozenClock ||= clock.frozen
    return clock.now()
  }

  /** Carries it out as rules say. Undefined when they have ended the connection, or the client has. */
  async execute<A>(effects: Effects | undefined, execute: () => Promise<A>): Promise<ReplyOutcome<A> | undefined> {
    const { socket, rules } = this
    if (!effects) return { kind: 'reply', reply: await execute() }
    const { lifetime } = this.edge.sandbox
    const stays = async (ms: number) => {
      await wait(ms, socket, lifetime)
      return !socket.destroyed
    }
    const outcome = await applyEffects(effects, { rules, execute, wait: stays })
    if (outcome.kind === 'reply') return outcome
    this.publish(socket.destroyed ? 'The client left before it was answered.' : '')
    // Only a socket that is read notices that the client has left.
    if (this.edge.kind !== 'https') socket.resume().once('end', () => socket.destroy())
    await endEarly(socket, lifetime, outcome)
  }

  /** Carries bytes between the client and the upstream, or lets a fault deliver those of the upstream. */
  async join(upstream: Socket, deliver: Deliver | undefined) {
    const { socket } = this
    closeAfter(socket, upstream)
    socket.pipe(upstream)
    if (deliver) return this.deliver(deliver, { body: upstream, to: socket })
    closeAfter(upstream, socket)
    upstream.pipe(socket)
  }

  /** Lets a fault send an answer. One that breaks off must not look complete. */
  async deliver(deliver: Deliver, { body, length, to, head }: Faulty) {
    const delivery = new FaultyDelivery(body, length, to, this.socket, this.edge.sandbox.lifetime, head)
    await deliver(delivery).catch(() => delivery.cut())
  }

  /** It was allowed and could not be forwarded. */
  fail(failure: string) {
    this.edge.counters.failed++
    this.details.failure = failure
    this.publish()
  }

  /** Adds the decision to those of the sandbox and emits its events. Calls after the first do nothing. */
  publish(outcome = '') {
    if (this.#published) return
    this.#published = true
    const { access, edge, rules, notes, details } = this
    const { sandbox } = edge
    edge.counters[access.passes ? 'allowed' : 'refused']++
    const { warnings } = access
    const circumstances = this.#circumstances()
    const decision = sandbox.decisions.add({
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
      // Put into words when it is read: most decisions never are.
      get explanation() {
        const failed = details.failure ? `It was not forwarded: ${details.failure}.` : ''
        const texts = [access.text(), ...warnings, ...notes, outcome || failed, ...circumstances]
        return { section: access.section, text: texts.filter(Boolean).join(' ') }
      },
    })
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
      ...(this.#usedFrozenClock ? [`The sandbox's clock stands at ${sandbox.clock.timestamp()}.`] : []),
    ]
  }
}
