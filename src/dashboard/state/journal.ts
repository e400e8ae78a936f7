import { signal } from '@preact/signals'
import type { EventEntry, ListedEntry } from '../types.ts'
import { CLIENT_HEADER, ownCalls } from '../wire/api.ts'

const MAX_ENTRIES = 10_000

/** The answer of the simulator to a question about its journals. */
export interface Listed {
  requests: ListedEntry[]
  /** How many older ones the simulator had dropped. */
  dropped?: number
}

type Order = (fresh: readonly ListedEntry[], before: readonly ListedEntry[]) => ListedEntry[]

/** Sorted by when they began: a slow request ends after some that began later. */
const bySeq: Order = (fresh, before) => [...fresh, ...before].sort((a, b) => b.seq - a.seq)
/** Sandboxes have clocks and numbers of their own, so those that ended last come first. */
const byEnd: Order = (fresh, before) => [...fresh.toReversed(), ...before]

/** The requests that the page knows. They may be more than the simulator keeps, so that what was shown stays. */
function createJournal(order: Order) {
  const entries = signal<readonly ListedEntry[]>([])
  /** By sandbox: the seq of the oldest entry that the simulator still has. */
  const oldest = signal<ReadonlyMap<string, number>>(new Map())
  /** Dropped by the simulator before the page could know them. */
  const droppedBefore = signal(0)
  let known = new Set<string>()

  function replace({ requests, dropped = 0 }: Listed) {
    known = new Set(requests.map(({ id }) => id))
    entries.value = requests
    oldest.value = new Map()
    droppedBefore.value = dropped
  }

  function add(list: readonly EventEntry[]) {
    const fresh = list.filter(({ id }) => !known.has(id))
    if (fresh.length === 0) return
    for (const { id } of fresh) known.add(id)
    const all = order(fresh, entries.value)
    for (const { id } of all.slice(MAX_ENTRIES)) known.delete(id)
    entries.value = all.slice(0, MAX_ENTRIES)
    const seqs = new Map(oldest.value)
    for (const { sandbox, oldest_seq } of fresh) seqs.set(sandbox, oldest_seq)
    oldest.value = seqs
  }

  /** Forgets those of a sandbox that was reset. */
  function forget(name: string) {
    entries.value = entries.value.filter(({ sandbox }) => sandbox !== name)
    known = new Set(entries.value.map(({ id }) => id))
    oldest.value = new Map([...oldest.value].filter(([sandbox]) => sandbox !== name))
    droppedBefore.value = 0
  }

  const isDropped = ({ sandbox, seq }: ListedEntry) => seq < (oldest.value.get(sandbox) ?? 0)

  return { entries, droppedBefore, replace, add, forget, isDropped }
}

export type Journal = ReturnType<typeof createJournal>

/** Of the sandbox that is shown, newest first. */
export const journal = createJournal(bySeq)
/** Of all sandboxes; filled only while it is shown. */
export const allJournal = createJournal(byEnd)
export const { entries } = journal

export const isOwn = (entry: ListedEntry) =>
  ownCalls.value.has(entry.id) || entry.request?.headers[CLIENT_HEADER] === 'page'
