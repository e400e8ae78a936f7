export type Table = 'api_keys' | 'ip_restrictions'
/** Of each record its description, in the order of insertion. */
export type State = Record<Table, Map<string, string>>
/** Every id that was ever in a table. */
type Past = Record<Table, string[]>
interface Moment {
  state: State
  past: Past
  /** The same as long as one state came from the other, with all that was known by its end. */
  line: { past: Past }
}

/** The plainest account there could be: what the simulator must look like from outside. */
export class Model {
  state!: State
  line!: Moment['line']
  snapshots = new Map<string, Moment>()
  journal: (Moment & { id: string })[] = []

  constructor(readonly fixture: State) {
    this.reset()
  }
  get past(): Past {
    return this.line.past
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
  /** Within one line, what came to be known stays known. */
  go({ state, line }: Moment, past: Past) {
    this.state = structuredClone(state)
    if (line !== this.line) this.line = structuredClone({ past })
  }
  restore = (name: string) => this.go(this.snapshots.get(name)!, this.snapshots.get(name)!.past)
  rewind = (moment: Moment) => this.go(moment, moment.line.past)
  replace(state: State) {
    this.state = structuredClone(state)
    this.line = { past: { api_keys: [...state.api_keys.keys()], ip_restrictions: [...state.ip_restrictions.keys()] } }
  }
  reset() {
    this.replace(this.fixture)
    this.journal = []
  }
  restart() {
    this.line = structuredClone(this.line)
    this.journal = []
  }
}
