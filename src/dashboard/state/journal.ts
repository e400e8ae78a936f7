import { signal } from '@preact/signals'
import type { Entry } from '../types.ts'
import { CLIENT_HEADER, ownCalls } from '../wire/api.ts'

const MAX_ENTRIES = 10_000

/** Newest first. It may be longer than the simulator's journal, so that what was shown stays. */
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
  // Sorted by when they began: a slow request ends after some that began later.
  const all = [...fresh, ...entries.value].sort((a, b) => b.seq - a.seq)
  for (const { id } of all.slice(MAX_ENTRIES)) known.delete(id)
  entries.value = all.slice(0, MAX_ENTRIES)
}

export const isOwn = (entry: Entry) => ownCalls.value.has(entry.id) || entry.request?.headers[CLIENT_HEADER] === 'page'

/** What kind of failure an answer is, in a word; undefined when it is none. */
export function failureOf(entry: Entry): string | undefined {
  const { status, explanation, rules } = entry
  if (status !== null && status < 400) return undefined
  if (explanation?.decided_by !== 'rule' && explanation) return explanation.decided_by
  // Latency of a rule is left out: it is not what failed.
  const effects = rules.filter(({ fired }) => fired).map(({ effect }) => effect.replace(/^\d+ ms of latency(, )?/, ''))
  return effects.find(effect => effect !== '') ?? 'no answer'
}
