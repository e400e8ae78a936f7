import type { JournalEntry } from '../../contract/journal-entry.ts'
import { type ApiError, fail } from '../error.ts'
import { errors } from '../errors.ts'
import type { Caller, Operation } from '../language/index.ts'
import type { ActiveRules } from '../rules.ts'
import type { Change, Op, Tables } from '../state/index.ts'
import { Assuming } from './assuming.ts'
import type { Lifetime } from './lifetime.ts'
import type { Sandbox } from './sandbox.ts'

/** One API request: its sandbox, caller, operation and body, and the data for its journal entry. */
export class Call extends Assuming {
  operation: Operation | undefined
  params: Record<string, string> = {}
  caller!: Caller
  body: Record<string, unknown> = {}
  change: Change | undefined
  /** The error of the call, if a fault sends something else. */
  refusal: ApiError | undefined
  /** The delay caused by `--delay`. */
  delayedMs = 0
  #query: URLSearchParams | undefined
  /** The rules that were active when the request arrived. */
  readonly rules: ActiveRules | undefined
  /** Ends when the sandbox is reset or dropped. */
  readonly lifetime: Lifetime
  #view: Tables | undefined

  constructor(
    readonly sandbox: Sandbox,
    readonly entry: JournalEntry,
    readonly search: string,
    readonly sourceIp: string,
    readonly baseUrl: string,
  ) {
    super(sandbox)
    this.rules = sandbox.rules
    this.lifetime = sandbox.lifetime
  }

  get api() {
    return this.sandbox.origin.api
  }

  get id() {
    return this.entry.id
  }

  get query(): URLSearchParams {
    this.#query ??= new URLSearchParams(this.search)
    return this.#query
  }

  /** The state that reads use. */
  get tables(): Tables {
    return this.#view ?? this.sandbox.tables
  }

  /** Makes reads see the state at that time, or the oldest known one. Returns the time since when states are known. */
  readAt(time: number): number {
    const { tables, knownSince } = this.sandbox.stateAt(time)
    this.#view = tables
    return knownSince
  }

  warn(text: string) {
    this.entry.warnings.push(text)
    this.sandbox.emit({ type: 'warning', sandbox: this.sandbox.name, data: { operation_id: this.id, text } })
  }

  /** Fails if the sandbox was reset or dropped since the request arrived. */
  failIfReset() {
    if (this.lifetime.ended) fail(errors.reset_meanwhile, {})
  }

  commit(ops: Op[]) {
    this.change = this.sandbox.commit({ kind: 'request', id: this.id }, ops, this.lifetime)
  }
}
