import { signal } from '@preact/signals'
import type { Decision } from '../types.ts'

const MOST = 100
const MARKED_MS = 1500

/** What edges decided, newest first. */
export const decisions = signal<readonly Decision[]>([])

/** Edges and routes that something came to just now, and what became of it. */
export const taken = signal<ReadonlyMap<string, Decision['verdict']>>(new Map())
const timers = new Map<string, ReturnType<typeof setTimeout>>()

let life = 0

/** Another one after a reset, which begins to count anew: what was asked for before belongs to the one before. */
export const currentLife = () => life

export function forgetDecisions() {
  life++
  decisions.value = []
}

export function addDecisions(list: readonly Decision[]) {
  const known = new Set(decisions.value.map(({ id }) => id))
  const fresh = list.filter(({ id }) => !known.has(id))
  if (fresh.length > 0) decisions.value = [...fresh, ...decisions.value].sort((a, b) => b.seq - a.seq).slice(0, MOST)
}

/** For a moment: the route where one was taken, else the edge. */
export function markTaken(list: readonly Decision[]) {
  const marked = new Map(taken.value)
  for (const { route, edge, verdict } of list) {
    const id = route ?? edge
    marked.set(id, verdict)
    clearTimeout(timers.get(id))
    timers.set(
      id,
      setTimeout(() => unmark(id), MARKED_MS),
    )
  }
  taken.value = marked
}

function unmark(id: string) {
  timers.delete(id)
  const rest = new Map(taken.value)
  rest.delete(id)
  taken.value = rest
}
