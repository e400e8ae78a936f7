import type { Socket } from 'node:net'
import { parseDuration } from '../basics/duration.ts'
import type { Decision } from '../contract/traffic.ts'
import { wait } from '../http/sockets.ts'
import { normaliseAddress } from '../ip/cidr.ts'
import { Assuming, type Sandbox } from '../sandbox/index.ts'
import type { Effects } from '../scenarios/fault.ts'
import { applyEdgeRules } from '../scenarios/rule-set.ts'
import type { Row } from '../schema/index.ts'
import { type Access, checkEdge } from '../state/index.ts'
import type { Resolver } from './upstream.ts'

/** What all edges of a simulator share. */
export interface EdgeContext {
  vendor: string
  resolver: Resolver
  /** Called with errors that are bugs of ours. */
  onDefect(error: unknown): void
}

/** One edge of one sandbox. Its record is looked up for every connection or request, since it may have changed. */
export class SandboxEdge {
  constructor(
    readonly sandbox: Sandbox,
    readonly table: string,
    readonly id: string,
    readonly context: EdgeContext,
  ) {}

  get record(): Row | undefined {
    return this.sandbox.tables.of(this.table).get(this.id)
  }

  get kind(): Decision['kind'] {
    return this.table === 'tcp_edges' ? 'tcp' : 'https'
  }

  decide(socket: Socket, record: Row): PendingDecision {
    return new PendingDecision(this, record, normaliseAddress(socket.remoteAddress ?? ''))
  }

  /** Waits in real time, until the client disconnects or the sandbox is reset. Returns whether the client is gone. */
  async pause(ms: number, socket: Socket): Promise<boolean> {
    if (ms > 0) await wait(ms, socket, this.sandbox.lifetime)
    return socket.destroyed
  }
}

type Details = Pick<Decision, 'method' | 'path' | 'route' | 'upstream' | 'failure' | 'status' | 'headers'>

/** The decision about one connection or request, until it is known what became of it. */
export class PendingDecision extends Assuming {
  readonly access: Access
  readonly rules: Decision['rules'] = []
  #usedFrozenClock = false
  #published = false

  constructor(
    readonly edge: SandboxEdge,
    readonly record: Row,
    readonly source: string,
  ) {
    super(edge.sandbox.assumed)
    this.access = checkEdge(edge.sandbox.tables, record, source, this)
  }

  /** The effects of the scenario's rules on it. */
  applyRules(path: string): Effects | undefined {
    const subject = {
      sandbox: this.edge.sandbox,
      sourceIp: this.source,
      edge: this.edge.id,
      entry: { path, rules: this.rules },
      clockPlayedAPart: false,
    }
    const effects = applyEdgeRules(subject)
    this.#usedFrozenClock = subject.clockPlayedAPart
    return effects
  }

  /** Adds the decision to those of the sandbox and emits its events. Calls after the first do nothing. */
  publish(verdict: Decision['verdict'], details: Partial<Details>, outcome = '') {
    if (this.#published) return
    this.#published = true
    const { access, edge, rules } = this
    const { sandbox } = edge
    const circumstances = this.#circumstances()
    const decision = sandbox.decisions.add({
      id: '',
      seq: 0,
      at: sandbox.clock.timestamp(),
      sandbox: sandbox.name,
      edge: edge.id,
      kind: edge.kind,
      verdict,
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
      warnings: [...access.warnings],
      // Put into words when it is read: most decisions never are.
      get explanation() {
        const texts = [access.text(), ...access.warnings, outcome || failed(details.failure), ...circumstances]
        return { section: access.section, text: texts.filter(Boolean).join(' ') }
      },
    })
    for (const text of access.warnings)
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

const failed = (failure: string | null | undefined) => (failure ? `It was not forwarded: ${failure}.` : '')

/** How long a hang fault lasts. */
export const hangMs = (settings: Record<string, unknown> = {}) =>
  settings.for === undefined ? Number.POSITIVE_INFINITY : parseDuration(settings.for as string)!
