export type Table = 'api_keys' | 'ip_restrictions'
/** Of each record its description, in the order of insertion. */
export type State = Record<Table, Map<string, string>>
interface Moment {
  state: State
  /** Every id that was ever in a table. */
  past: Record<Table, string[]>
  /** The same as long as one state came from the other: who goes back then still knows what came after. */
  line: object
}

/** The plainest account there could be: what the simulator must look like from outside. */
export class Model implements Moment {
  state!: State
  past!: Moment['past']
  line!: object
  snapshots = new Map<string, Moment>()
  journal: (Moment & { id: string })[] = []

  constructor(readonly fixture: State) {
    this.reset()
  }
  put(table: Table, id: string, description: string) {
    if (!this.past[table].includes(id)) this.past[table].push(id)
    this.state[table].set(id, description)
  }
  page(table: Table, limit: number, before?: string): string[] {
    const past = this.past[table].slice(0, before === undefined ? undefined : this.past[table].indexOf(before))
    const alive = past.filter(id => this.state[table].has(id))
    return alive.toReversed().slice(0, limit)
  }
  moment = (): Moment => ({ ...structuredClone({ state: this.state, past: this.past }), line: this.line })
  go({ state, past, line }: Moment) {
    this.state = structuredClone(state)
    if (line === this.line) return
    this.past = structuredClone(past)
    this.line = {}
  }
  replace(state: State) {
    const { api_keys, ip_restrictions } = state
    this.go({ state, past: { api_keys: [...api_keys.keys()], ip_restrictions: [...ip_restrictions.keys()] }, line: {} })
  }
  reset() {
    this.replace(this.fixture)
    this.journal = []
  }
  restart() {
    this.line = {}
    this.journal = []
  }
}
