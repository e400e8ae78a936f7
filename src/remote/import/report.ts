import { shorten } from '../../basics/problem.ts'
import { printable } from '../../basics/text.ts'

/** Limit the places that a report tells one by one: an answer may have any number of members. */
export const MAX_REPORTED_PLACES = 200

/** What became of values that the fixture does not have as the account has them. */
export const OUTCOMES = {
  secret: 'replaced by sim_secret or left out, since they are secrets',
  text: 'left out, since people write secrets into such texts; --keep-texts keeps them',
  stripped: 'without the password, query or fragment of a URL',
  spelled: 'written in another way, as the simulator stores them',
  otherwise: 'not as here: the simulator makes them itself',
  unknown: 'left out, since edgesim does not know them',
  unclassified: 'left out, since nothing is declared of what they hold',
  unfit: 'left out, since a fixture cannot have such a value there',
  dangling: 'left out, since there is no such record',
  incomplete: 'left out, since values are missing that a fixture must have',
  repeated: 'left out, since the account listed them twice',
  conflict: 'left out, since they conflict with another record',
  anonymous: 'left out, since they cannot be made anonymous',
  asked: 'kept as they are, since --keep-texts says so: names may be in them',
  smaller: 'blocks that became smaller, since no documentation range is so large',
  reused: 'addresses given twice, since the documentation ranges ran out',
} as const
export type Outcome = keyof typeof OUTCOMES

/** By outcome and place, how many values. */
export type Tally = Partial<Record<Outcome, Record<string, number>>>

/** Counts what is not copied as it is. It knows places and types, and never a value. */
export class Report {
  readonly #tally = new Map<Outcome, Map<string, number>>()
  #places = 0

  constructor(before: Tally = {}) {
    for (const [outcome, places] of Object.entries(before))
      for (const [place, count] of Object.entries(places)) this.#add(outcome as Outcome, place, count)
  }

  /** Names of members come from the service, and are only told in part. */
  note(outcome: Outcome, place: string, value?: unknown) {
    const type = value === undefined ? '' : ` (${typeOf(value)})`
    this.#add(outcome, printable(shorten(place, 120)) + type, 1)
  }

  #add(outcome: Outcome, place: string, count: number) {
    const places = this.#tally.get(outcome) ?? new Map<string, number>()
    this.#tally.set(outcome, places)
    const known = places.has(place) || this.#places < MAX_REPORTED_PLACES
    if (known && !places.has(place)) this.#places++
    const told = known ? place : OTHERS
    places.set(told, (places.get(told) ?? 0) + count)
  }

  toJSON(): Tally {
    return Object.fromEntries([...this.#tally].map(([outcome, places]) => [outcome, Object.fromEntries(places)]))
  }

  /** A line for each outcome, and one for each place. */
  lines(): string[] {
    const outcomes = (Object.keys(OUTCOMES) as Outcome[]).filter(outcome => this.#tally.has(outcome))
    return outcomes.flatMap(outcome => {
      const places = this.#tally.get(outcome)!
      const sum = [...places.values()].reduce((all, each) => all + each, 0)
      return [
        `${OUTCOMES[outcome]} (${sum}):`,
        ...[...places].map(([place, count]) => `  ${place}${count > 1 ? `: ${count}` : ''}`),
      ]
    })
  }
}

const OTHERS = 'at other places'

const typeOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value)
