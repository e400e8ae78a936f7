import { signal } from '@preact/signals'
import type { Decision } from '../types.ts'

const MAX_DECISIONS = 100
const MARKED_MS = 1500

/** Edge decisions, newest first. */
export const decisions = signal<readonly Decision[]>([])

/** Edges and routes with a recent decision, and its verdict. */
export const justDecided = signal<ReadonlyMap<string, Decision['verdict']>>(new Map())
const timers = new Map<string, ReturnType<typeof setTimeout>>()

let generation = 0

/** Incremented on every reset. Decisions requested in an earlier generation are outdated. */
export const currentGeneration = () => generation

export function clearDecisions() {
  generation++
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
  const marked = new Map(justDecided.value)
  for (const { route, edge, verdict } of list) {
    const id = route ?? edge
    marked.set(id, verdict)
    clearTimeout(timers.get(id))
    timers.set(
      id,
      setTimeout(() => unmark(id), MARKED_MS),
    )
  }
  justDecided.value = marked
}

function unmark(id: string) {
  timers.delete(id)
  const rest = new Map(justDecided.value)
  rest.delete(id)
  justDecided.value = rest
}
