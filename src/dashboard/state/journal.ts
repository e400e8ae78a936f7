import { signal } from '@preact/signals'
import type { Entry } from '../types.ts'
import { MARK, ownCalls } from '../wire/api.ts'

const MOST = 10_000

/** Newest first. Longer than the simulator's own journal, as what has been seen need not be forgotten. */
export const entries = signal<readonly Entry[]>([])
let known = new Set<string>()

export function replaceEntries(list: readonly Entry[]) {
  known = new Set(list.map(({ id }) => id))
  entries.value = list
}

export function addEntries(list: readonly Entry[]) {
  const fresh = list.filter(({ id }) => !known.has(id))
  if (fresh.length === 0) return
  for (const { id } of fresh) known.add(id)
  // A slow request ends after those that began later: its place is where it began.
  const all = [...fresh, ...entries.value].sort((a, b) => b.seq - a.seq)
  for (const { id } of all.slice(MOST)) known.delete(id)
  entries.value = all.slice(0, MOST)
}

export const isOwn = (entry: Entry) => ownCalls.value.has(entry.id) || entry.request?.headers[MARK] === 'page'

/** What kind of failure an answer is, in a word; undefined when it is none. */
export function failureOf(entry: Entry): string | undefined {
  const { status, explanation, rules } = entry
  if (status !== null && status < 400) return undefined
  if (explanation?.decided_by !== 'rule' && explanation) return explanation.decided_by
  // A rule may also have slowed it down: that is not what failed.
  const effects = rules.filter(({ fired }) => fired).map(({ effect }) => effect.replace(/^\d+ ms of latency(, )?/, ''))
  return effects.find(effect => effect !== '') ?? 'no answer'
}
