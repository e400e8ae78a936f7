export const TABLES = ['api_keys', 'ip_restrictions', 'ip_policy_rules'] as const
export type Table = (typeof TABLES)[number]
/** The description of each record, in insertion order. */
export type State = Record<Table, Map<string, string>>
/** The place of every known id. An id that is created again is last. */
type Places = Record<Table, Map<string, number>>
interface Moment {
  state: State
  places: Places
  /** Shared by successive states, with all ids known at the end, to compare their places. */
  line: { places: Places }
}

export const ofEach = <T>(make: (table: Table) => T) =>
  Object.fromEntries(TABLES.map(table => [table, make(table)])) as Record<Table, T>

/** A simple model of an account, to compare with the simulator. */
export class Model {
  state!: State
  line!: Moment['line']
  snapshots = new Map<string, Moment>()
  journal: (Moment & { id: string })[] = []
  #next = 0

  constructor(readonly fixture: State) {
    this.reset()
  }
  get places(): Places {
    return this.line.places
  }
  get past(): Record<Table, string[]> {
    return ofEach(table => [...this.places[table]].toSorted(([, one], [, other]) => one - other).map(([id]) => id))
  }
  put(table: Table, id: string, description: string) {
    if (!this.state[table].has(id)) this.places[table].set(id, this.#next++)
    this.state[table].set(id, description)
  }
  page(table: Table, limit: number, before?: string): string[] {
    const past = this.past[table]
    const earlier = past.slice(0, before === undefined ? undefined : past.indexOf(before))
    return earlier
      .filter(id => this.state[table].has(id))
      .toReversed()
      .slice(0, limit)
  }
  moment = (): Moment => ({ ...structuredClone({ state: this.state, places: this.places }), line: this.line })
  /** Records return to their places. Within one line, other known ids remain known. */
  #go({ state, places, line }: Moment, known: Places) {
    this.state = structuredClone(state)
    if (line !== this.line) this.line = structuredClone({ places: known })
    for (const table of TABLES) for (const id of state[table].keys()) this.places[table].set(id, places[table].get(id)!)
  }
  restore(name: string) {
    const moment = this.snapshots.get(name)!
    this.#go(moment, moment.places)
  }
  /** A rewind deletes, so the ids remain known. */
  rewind(moment: Moment) {
    this.#go(moment, moment.line.places)
  }
  replace(state: State) {
    this.state = structuredClone(state)
    this.line = { places: ofEach(table => new Map([...state[table].keys()].map(id => [id, this.#next++]))) }
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
