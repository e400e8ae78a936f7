import { type AssumptionName, assumptions } from '../assumptions.ts'
import { fail } from '../errors.ts'
import type { Caller, Operation } from '../schema/index.ts'
import type { Change, Op, Tables } from '../state/index.ts'
import type { ActiveRules } from './active-rules.ts'
import type { Entry } from './journal.ts'
import type { Sandbox } from './sandbox.ts'

/** One request on its way through: who asks for what, in which sandbox, and what has been noted about it. */
export class Call {
  operation: Operation | undefined
  params: Record<string, string> = {}
  caller!: Caller
  body: Record<string, unknown> = {}
  change: Change | undefined
  /** Set when what decided the answer was the time in the sandbox: a clock that stands still explains a lot. */
  clockPlayedAPart = false
  readonly #assumed = new Map<AssumptionName, string>()
  /** Those in force when it came in: by the time it is answered others may be. */
  readonly rules: ActiveRules | undefined
  readonly #life: AbortSignal
  #view: Tables | undefined

  constructor(
    readonly sandbox: Sandbox,
    readonly entry: Entry,
    readonly query: URLSearchParams,
    readonly sourceIp: string,
    readonly baseUrl: string,
  ) {
    this.rules = sandbox.rules
    this.#life = sandbox.life
  }

  get id() {
    return this.entry.id
  }

  /** Ends when the sandbox is reset or dropped. */
  get life() {
    return this.#life
  }

  /** What reads see. */
  get tables(): Tables {
    return this.#view ?? this.sandbox.tables
  }

  /** From here on reads see another state than the present one. */
  look(at: Tables) {
    this.#view = at
  }

  /** The value an assumption has here; asking for it is noted, and so explains the answer. */
  assume(name: AssumptionName): string {
    const value = this.sandbox.assumed[name] ?? assumptions[name].default
    this.#assumed.set(name, value)
    return value
  }

  get assumptions() {
    return Array.from(this.#assumed, ([name, value]) => ({ name, value }))
  }

  warn(text: string) {
    this.entry.warnings.push(text)
    this.sandbox.emit({ type: 'warning', sandbox: this.sandbox.name, data: { operation_id: this.id, text } })
  }

  /** Refuses to go on in a sandbox that was reset meanwhile. */
  checkLife() {
    if (this.#life.aborted) fail('reset_meanwhile', {})
  }

  commit(ops: Op[]) {
    this.change = this.sandbox.commit({ kind: 'request', id: this.id }, ops, this.#life, () => {
      this.change = undefined
    })
  }
}
