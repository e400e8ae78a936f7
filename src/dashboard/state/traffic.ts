import { signal } from '@preact/signals'
import type { Decision } from '../types.ts'

const MAX_DECISIONS = 100
const MARKED_MS = 1500

/** Edge decisions, newest first. */
export const decisions = signal<readonly Decision[]>([])

/** The latest decision of each edge and route that is highlighted. */
const justDecided = signal<ReadonlyMap<string, Decision>>(new Map())

export function clearDecisions() {
  decisions.value = []
}

export function addDecisions(list: readonly Decision[]) {
  const known = new Set(decisions.value.map(({ id }) => id))
  const fresh = list.filter(({ id }) => !known.has(id))
  if (fresh.length > 0)
    decisions.value = [...fresh, ...decisions.value].sort((a, b) => b.seq - a.seq).slice(0, MAX_DECISIONS)
}

/** Briefly highlights each route, or the edge if no route matched. */
export function markDecided(list: readonly Decision[]) {
  justDecided.value = new Map([...justDecided.value, ...list.map(each => [each.route ?? each.edge, each] as const)])
  // A later decision replaces the mark, and removes it later.
  const unmark = () => {
    justDecided.value = new Map([...justDecided.value].filter(([, decision]) => !list.includes(decision)))
  }
  setTimeout(unmark, MARKED_MS)
}

/** The class of a highlighted edge or route. */
export function markOf(id: string): string {
  const decision = justDecided.value.get(id)
  return decision ? `just-decided ${decision.verdict}` : ''
}
