import { signal } from '@preact/signals'
import { MAX_JOURNAL_BYTES, MAX_JOURNAL_ENTRIES } from '../../contract/journal-entry.ts'
import type { EventEntry, ListedEntry } from '../types.ts'
import { CLIENT_HEADER, control, ownCalls } from '../wire/control.ts'
import { followEvents, type ServerEvent, type StreamState } from '../wire/events.ts'
import { notify } from './actions.ts'

const MAX_ENTRIES = 10_000

export const logLimit = () =>
  `the request log stores the last ${MAX_JOURNAL_ENTRIES.toLocaleString('en')} requests, up to ${MAX_JOURNAL_BYTES / 1024 ** 2} MB`

/** The response of GET /_sim/requests. */
export interface Listed {
  requests: ListedEntry[]
  /** Number of older entries dropped by the simulator. */
  dropped?: number
}

/** The requests known to the dashboard. It also keeps entries that the simulator has dropped. */
function createJournal(order: (newestFirst: ListedEntry[]) => ListedEntry[]) {
  const entries = signal<readonly ListedEntry[]>([])
  /** By sandbox: the seq of the oldest entry still stored by the simulator. */
  const oldest = signal<ReadonlyMap<string, number>>(new Map())
  /** Number of entries dropped by the simulator before they were loaded. */
  const droppedBefore = signal(0)

  function replace({ requests, dropped = 0 }: Listed) {
    entries.value = requests
    oldest.value = new Map()
    droppedBefore.value = dropped
  }

  function add(list: readonly EventEntry[]) {
    const known = new Set(entries.value.map(({ id }) => id))
    const fresh = list.filter(({ id }) => !known.has(id))
    if (fresh.length === 0) return
    entries.value = order([...fresh.toReversed(), ...entries.value]).slice(0, MAX_ENTRIES)
    oldest.value = new Map([...oldest.value, ...fresh.map(each => [each.sandbox, each.oldest_seq] as const)])
  }

  /** Removes the entries of a sandbox after its reset. */
  function clearSandbox(name: string) {
    entries.value = entries.value.filter(({ sandbox }) => sandbox !== name)
    oldest.value = new Map([...oldest.value].filter(([sandbox]) => sandbox !== name))
    droppedBefore.value = 0
  }

  const isDropped = ({ sandbox, seq }: ListedEntry) => seq < (oldest.value.get(sandbox) ?? 0)

  return { entries, droppedBefore, replace, add, clearSandbox, isDropped }
}

export type Journal = ReturnType<typeof createJournal>

/** Entries of the current sandbox, by start: a slow request may end after requests that started later. */
export const journal = createJournal(list => list.sort((a, b) => b.seq - a.seq))
/** Entries of all sandboxes, by end: each has its own clock and sequence numbers. Filled only while they are shown. */
export const allJournal = createJournal(list => list)
export const { entries } = journal

export const isOwn = (entry: ListedEntry) =>
  ownCalls.value.has(entry.id) || entry.request?.headers[CLIENT_HEADER] === 'page'

interface Feed {
  signal: AbortSignal
  /** The path of the entries to load, and that of the events. */
  entries: string
  events: string
  onLoaded?(listed: Listed): void
  /** `fresh` are the entries that have just arrived. */
  onEvents?(events: readonly ServerEvent[], fresh: readonly EventEntry[]): void
  onState?(state: StreamState): void
}

/** Fills a journal with the loaded entries and with entries from events, in whichever order they arrive. */
export function followJournal(journal: Journal, { signal, entries, events, onLoaded, onEvents, onState }: Feed) {
  /** Entries that arrived while the journal was loading: the response might not contain them. */
  let arrivedWhileLoading: EventEntry[] | undefined

  async function load() {
    const own: EventEntry[] = []
    arrivedWhileLoading = own
    try {
      const listed = await control<Listed>('GET', entries, { signal })
      // A later load has replaced this one, or another sandbox is shown.
      if (signal.aborted || arrivedWhileLoading !== own) return
      arrivedWhileLoading = undefined
      journal.replace(listed)
      journal.add(own)
      onLoaded?.(listed)
    } catch (error) {
      if (!signal.aborted) notify('error', (error as Error).message)
    }
  }

  function receive(list: readonly ServerEvent[]) {
    let fresh: EventEntry[] = []
    for (const { type, data } of list) {
      if (type === 'request') fresh.push(data as EventEntry)
      else if (type === 'missed') void load()
      else if (type === 'reset') {
        const { sandbox } = data as { sandbox: string }
        fresh = fresh.filter(entry => entry.sandbox !== sandbox)
        journal.clearSandbox(sandbox)
        // The journal being loaded may be from before the reset.
        if (arrivedWhileLoading) void load()
      }
    }
    journal.add(fresh)
    arrivedWhileLoading?.push(...fresh)
    onEvents?.(list, fresh)
  }
  void followEvents(events, { signal, onEvents: receive, onState })
}
