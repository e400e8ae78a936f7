import { signal } from '@preact/signals'
import { MAX_JOURNAL_BYTES, MAX_JOURNAL_ENTRIES } from '../../contract/journal-entry.ts'
import type { EventEntry, ListedEntry } from '../types.ts'
import { CLIENT_HEADER, ownCalls } from '../wire/api.ts'

const MAX_ENTRIES = 10_000

export const logLimit = () =>
  `the request log stores the last ${MAX_JOURNAL_ENTRIES.toLocaleString('en')} requests, up to ${MAX_JOURNAL_BYTES / 1024 ** 2} MB`

/** The response of GET /_sim/requests. */
export interface Listed {
  requests: ListedEntry[]
  /** Number of older entries dropped by the simulator. */
  dropped?: number
}

type Order = (fresh: readonly ListedEntry[], before: readonly ListedEntry[]) => ListedEntry[]

/** By start: a slow request may end after requests that started later. */
const bySeq: Order = (fresh, before) => [...fresh, ...before].sort((a, b) => b.seq - a.seq)
/** By end, because each sandbox has its own clock and sequence numbers. */
const byEnd: Order = (fresh, before) => [...fresh.toReversed(), ...before]

/** The requests known to the dashboard. It also keeps entries that the simulator has dropped. */
function createJournal(order: Order) {
  const entries = signal<readonly ListedEntry[]>([])
  /** By sandbox: the seq of the oldest entry still stored by the simulator. */
  const oldest = signal<ReadonlyMap<string, number>>(new Map())
  /** Number of entries dropped by the simulator before they were loaded. */
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

  /** Removes the entries of a sandbox after its reset. */
  function clearSandbox(name: string) {
    entries.value = entries.value.filter(({ sandbox }) => sandbox !== name)
    known = new Set(entries.value.map(({ id }) => id))
    oldest.value = new Map([...oldest.value].filter(([sandbox]) => sandbox !== name))
    droppedBefore.value = 0
  }

  const isDropped = ({ sandbox, seq }: ListedEntry) => seq < (oldest.value.get(sandbox) ?? 0)

  return { entries, droppedBefore, replace, add, clearSandbox, isDropped }
}

export type Journal = ReturnType<typeof createJournal>

/** Entries of the current sandbox, newest first. */
export const journal = createJournal(bySeq)
/** Entries of all sandboxes. Filled only while they are shown. */
export const allJournal = createJournal(byEnd)
export const { entries } = journal

export const isOwn = (entry: ListedEntry) =>
  ownCalls.value.has(entry.id) || entry.request?.headers[CLIENT_HEADER] === 'page'
