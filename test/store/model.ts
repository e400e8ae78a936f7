export const TABLES = ['api_keys', 'ip_restrictions', 'ip_policy_rules'] as const
export type Table = (typeof TABLES)[number]
/** The description of each record, in the order of insertion. */
export type State = Record<Table, Map<string, string>>
/** The place of every id that was ever in a table; an id that is created again is at the end. */
type Places = Record<Table, Map<string, number>>
interface Moment {
  state: State
  places: Places
  /** Shared by states that follow from each other, with all ids known at the end. */
  line: { places: Places }
}

const ofEach = <T>(make: (table: Table) => T) =>
  Object.fromEntries(TABLES.map(table => [table, make(table)])) as Record<Table, T>

/** A simple model of an account, with which the simulator is compared. */
export class Model {
  state!: State
  line!: Moment['line']
  snapshots = new Map<string, Moment>()
  journal: (Moment & { id: string })[] = []
  #next = 0

  constructor(readonly fixture: State) {
    this.reset()
  }
  get past(): Record<Table, string[]> {
    return ofEach(table => [...this.line.places[table]].toSorted(([, one], [, other]) => one - other).map(([id]) => id))
  }
  put(table: Table, id: string, description: string) {
    if (!this.state[table].has(id)) this.line.places[table].set(id, this.#next++)
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
  moment = (): Moment => ({
    ...structuredClone({ state: this.state, places: this.line.places }),
    line: this.line,
  })
  /** Within one line, known ids stay known, unless one has moved meanwhile. */
  #go(moment: Moment, places: Places) {
    this.state = structuredClone(moment.state)
    const moved = TABLES.some(table =>
      [...moment.places[table]].some(([id, place]) => this.line.places[table].get(id) !== place),
    )
    if (moment.line !== this.line || moved) this.line = { places }
  }
  restore(name: string) {
    const moment = this.snapshots.get(name)!
    this.#go(moment, structuredClone(moment.places))
  }
  rewind(moment: Moment) {
    this.#go(
      moment,
      ofEach(table => new Map([...moment.line.places[table], ...moment.places[table]])),
    )
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
