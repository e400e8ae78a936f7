export const TABLES = ['api_keys', 'ip_restrictions', 'ip_policy_rules'] as const
export type Table = (typeof TABLES)[number]
/** The description of each record, in the order of insertion. */
export type State = Record<Table, Map<string, string>>
/** The place of every known id; an id that is created again is at the end. */
type Places = Record<Table, Map<string, number>>
interface Moment {
  state: State
  places: Places
  /** Shared by states that follow from each other: their places can be compared. */
  line: object
}

const ofEach = <T>(make: (table: Table) => T) =>
  Object.fromEntries(TABLES.map(table => [table, make(table)])) as Record<Table, T>

/** A simple model of an account, with which the simulator is compared. */
export class Model {
  state!: State
  places!: Places
  line!: object
  snapshots = new Map<string, Moment>()
  journal: (Moment & { id: string })[] = []
  #next = 0

  constructor(readonly fixture: State) {
    this.reset()
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
  /** Records return to the places that they had. Within one line, other known ids stay known. */
  go({ state, places, line }: Moment) {
    this.state = structuredClone(state)
    if (line !== this.line) {
      this.places = structuredClone(places)
      this.line = {}
    }
    for (const table of TABLES) for (const id of state[table].keys()) this.places[table].set(id, places[table].get(id)!)
  }
  replace(state: State) {
    this.state = structuredClone(state)
    this.places = ofEach(table => new Map([...state[table].keys()].map(id => [id, this.#next++])))
    this.line = {}
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
