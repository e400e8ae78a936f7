import { shorten } from '../../../basics/problem.ts'
import { printable } from '../../../basics/text.ts'

/** Limit the places that a report lists: a response may have any number of fields. */
export const MAX_REPORTED_PLACES = 200

/** Headings for values that differ between the fixture and the account. */
export const OUTCOMES = {
  secret: 'Secrets, replaced by sim_secret or omitted',
  text: 'Free-text fields, omitted because they may contain secrets (--keep-texts includes them)',
  stripped: 'URLs, without password, query and fragment',
  spelled: 'Values stored in a different format',
  otherwise: 'Values that the simulator generates, and that differ',
  unknown: 'Unknown fields, omitted',
  unclassified: 'Fields with undeclared content, omitted',
  unfit: 'Values that are invalid in a fixture, omitted',
  dangling: 'References to missing records, omitted',
  incomplete: 'Objects without required values, omitted',
  repeated: 'Records listed twice, imported once',
  conflict: 'Records that conflict with another record, omitted',
  anonymous: 'Values that cannot be anonymised, omitted',
  asked: 'Free-text fields, unchanged because of --keep-texts (they may contain names)',
  smaller: 'CIDR blocks, smaller because no documentation range is large enough',
  reused: 'Addresses, repeated because the documentation ranges ran out',
} as const
export type Outcome = keyof typeof OUTCOMES

/** The number of values, by outcome and place. */
export type Tally = Partial<Record<Outcome, Record<string, number>>>

/** Counts values that are not copied unchanged. It stores places and types, never values. */
export class Report {
  readonly #tally = new Map<Outcome, Map<string, number>>()
  #places = 0

  constructor(before: Tally = {}) {
    for (const [outcome, places] of Object.entries(before))
      for (const [place, count] of Object.entries(places)) this.#add(outcome as Outcome, place, count)
  }

  /** Field names come from the API, so they are shortened. */
  note(outcome: Outcome, place: string, value?: unknown) {
    const type = value === undefined ? '' : ` (${typeOf(value)})`
    this.#add(outcome, printable(shorten(place, 120)) + type, 1)
  }

  #add(outcome: Outcome, place: string, count: number) {
    const places = this.#tally.get(outcome) ?? new Map<string, number>()
    this.#tally.set(outcome, places)
    const known = places.has(place) || this.#places < MAX_REPORTED_PLACES
    if (known && !places.has(place)) this.#places++
    const listed = known ? place : OTHERS
    places.set(listed, (places.get(listed) ?? 0) + count)
  }

  toJSON(): Tally {
    return Object.fromEntries([...this.#tally].map(([outcome, places]) => [outcome, Object.fromEntries(places)]))
  }

  /** One line per outcome, then one per place. */
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

const OTHERS = 'other places'

const typeOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value)
