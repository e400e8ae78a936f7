import type { Socket } from 'node:net'
import { parseDuration } from '../basics/duration.ts'
import type { Decision } from '../contract/traffic.ts'
import { wait } from '../http/sockets.ts'
import { normaliseAddress } from '../ip/cidr.ts'
import type { Sandbox } from '../sandbox/index.ts'
import type { Effects } from '../scenarios/effects.ts'
import { meetEdgeRules } from '../scenarios/rule-set.ts'
import type { Row } from '../schema/index.ts'
import { Assuming, type Judgement, judgeSource } from './judge.ts'
import type { Resolver } from './upstream.ts'

/** What all edges of a simulator have in common. */
export interface Context {
  vendor: string
  resolver: Resolver
  /** Called with errors that are bugs of ours. */
  onDefect(error: unknown): void
}

/** One edge of one sandbox, as what comes to it finds it: its record is looked up anew each time. */
export class Site {
  constructor(
    readonly sandbox: Sandbox,
    readonly table: string,
    readonly id: string,
    readonly context: Context,
  ) {}

  get edge(): Row | undefined {
    return this.sandbox.tables.of(this.table).get(this.id)
  }

  get kind(): Decision['kind'] {
    return this.table === 'tcp_edges' ? 'tcp' : 'https'
  }

  arrive(socket: Socket, edge: Row): Arrival {
    return new Arrival(this, edge, normaliseAddress(socket.remoteAddress ?? ''))
  }
}

type Told = Pick<Decision, 'method' | 'path' | 'route' | 'upstream' | 'failure' | 'status' | 'headers'>

/** One connection or request that has come to an edge, and what is decided about it. */
export class Arrival {
  readonly judged: Judgement
  readonly assuming: Assuming
  readonly rules: Decision['rules'] = []
  #clock = false
  #told = false

  constructor(
    readonly site: Site,
    readonly edge: Row,
    readonly source: string,
  ) {
    this.assuming = new Assuming(site.sandbox.assumed)
    this.judged = judgeSource(site.sandbox, edge, source, this.assuming)
  }

  /** What the rules of the scenario do to it. */
  meetRules(path: string): Effects | undefined {
    const subject = {
      sandbox: this.site.sandbox,
      sourceIp: this.source,
      edge: this.site.id,
      entry: { path, rules: this.rules },
      clockPlayedAPart: false,
    }
    const effects = meetEdgeRules(subject)
    this.#clock = subject.clockPlayedAPart
    return effects
  }

  /** Notes and tells what became of it, once. */
  conclude(verdict: Decision['verdict'], told: Partial<Told>, why = '') {
    if (this.#told) return
    this.#told = true
    const { judged, site, rules } = this
    const { sandbox } = site
    const around = this.#around()
    const decision = sandbox.decisions.add({
      id: '',
      seq: 0,
      at: sandbox.clock.timestamp(),
      sandbox: sandbox.name,
      edge: site.id,
      kind: site.kind,
      verdict,
      source_ip: this.source,
      method: null,
      path: null,
      route: null,
      upstream: null,
      failure: null,
      status: null,
      headers: null,
      ...told,
      rule: judged.rule ? bare(judged.rule) : null,
      decided_by: judged.decidedBy,
      rules,
      assumptions: this.assuming.noted,
      warnings: judged.warnings,
      // Put into words when somebody reads it: most are never read.
      get explanation() {
        const said = [judged.text(), ...judged.warnings, why || failed(told.failure), ...around]
        return { section: judged.section, text: said.filter(Boolean).join(' ') }
      },
    })
    for (const text of judged.warnings)
      sandbox.emit({ type: 'warning', sandbox: sandbox.name, data: { operation_id: decision.id, text } })
    sandbox.emit({ type: 'traffic', sandbox: sandbox.name, data: decision })
  }

  #around(): string[] {
    const { sandbox } = this.site
    return [
      ...this.rules
        .filter(({ fired }) => fired)
        .map(({ name, effect }) => `The rule "${name}" of the scenario "${sandbox.rules?.name}": ${effect}.`),
      ...this.assuming.noted.map(({ name, value }) => `Assumed: ${name}=${value}.`),
      ...(this.#clock ? [`The sandbox's clock stands at ${sandbox.clock.timestamp()}.`] : []),
    ]
  }
}

const failed = (failure: string | null | undefined) => (failure ? `It went nowhere: ${failure}.` : '')

const bare = ({ id, ip_policy_id, action, cidr }: NonNullable<Decision['rule']>) => ({ id, ip_policy_id, action, cidr })

/** Resolves after that long in real time, or as soon as the client leaves or the sandbox is reset; true when it left. */
export async function pause(ms: number, socket: Socket, { lifetime }: Sandbox): Promise<boolean> {
  if (ms > 0) await wait(ms, socket, lifetime)
  return socket.destroyed
}

/** How long a fault that hangs does so. */
export const hangMs = (settings: Record<string, unknown> = {}) =>
  settings.for === undefined ? Number.POSITIVE_INFINITY : parseDuration(settings.for as string)!
