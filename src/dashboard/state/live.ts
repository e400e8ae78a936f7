import { computed, effect, signal, untracked } from '@preact/signals'
import type { Change, Decision, EventEntry } from '../types.ts'
import { sandboxPath } from '../wire/control.ts'
import type { ServerEvent, StreamState } from '../wire/events.ts'
import { notify } from './actions.ts'
import { allJournal, journal } from './journal.ts'
import { followInFrames, journalFeed } from './journal-feed.ts'
import { clearCounts, countEntry, countJournal, updateCounts } from './last-hour.ts'
import { place, sandbox } from './place.ts'
import { addDecisions, clearDecisions, markDecided } from './traffic.ts'

const LOADED_ENTRIES = 1000
const LOADED_OF_ALL = 10_000

export const live = signal<StreamState>('connecting')
/** Incremented on every state change. Views that show state then reload it. */
export const stateVersion = signal(0)
/** Incremented on requests, which update rule counters. */
export const requestVersion = signal(0)
/** Incremented on edge decisions, which update edge counters. */
export const trafficVersion = signal(0)

const bumpStateVersion = throttle(250, () => {
  stateVersion.value++
})
const bumpRequestVersion = throttle(1000, () => {
  requestVersion.value++
})
const bumpTrafficVersion = throttle(500, () => {
  trafficVersion.value++
})

/** Calls `act` immediately, then at most once per interval. */
function throttle(ms: number, act: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let again = false
  return function run() {
    if (timer !== undefined) {
      again = true
      return
    }
    act()
    timer = setTimeout(() => {
      timer = undefined
      if (again) {
        again = false
        run()
      }
    }, ms)
  }
}

export const showsAll = computed(() => place.value.view === 'requests' && place.value.query.sandboxes === 'all')

/** Runs `start` while `isNeeded`, and again for another sandbox. */
function following(isNeeded: () => boolean, start: (name: string, signal: AbortSignal) => void) {
  effect(() => {
    const name = sandbox.value
    if (!isNeeded()) return
    const ending = new AbortController()
    untracked(() => start(name, ending.signal))
    return () => ending.abort()
  })
}

/** Follows the events of the current sandbox, and of all sandboxes while a view needs them. */
export function startLive() {
  setInterval(updateCounts, 1000)
  following(() => true, follow)
  following(() => showsAll.value, followAll)
  following(() => place.value.view === 'report', followReport)
}

const reportError = (signal: AbortSignal) => (error: unknown) => {
  if (!signal.aborted) notify('error', (error as Error).message)
}

function follow(name: string, signal: AbortSignal) {
  live.value = 'connecting'
  journal.replace({ requests: [] })
  clearDecisions()
  clearCounts()
  const path = sandboxPath(name, `/requests?limit=${LOADED_ENTRIES}`)
  const feed = journalFeed(journal, path, signal, ({ requests, dropped }) => {
    countJournal(requests, !dropped && requests.length < LOADED_ENTRIES)
    bumpStateVersion()
    bumpRequestVersion()
  })

  function onEvents(events: readonly ServerEvent[]) {
    let fresh: EventEntry[] = []
    let decided: Decision[] = []
    for (const { type, data } of events) {
      if (type === 'request') fresh.push(data as EventEntry)
      else if (type === 'change') bumpStateVersion()
      else if (type === 'traffic') decided.push(data as Decision)
      else if (type === 'missed') {
        // A reset may be among the missed events.
        clearDecisions()
        bumpTrafficVersion()
        feed.loadQuietly()
      } else if (type === 'reset') {
        fresh = []
        decided = []
        feed.clearSandbox(name)
        clearDecisions()
        bumpTrafficVersion()
        bumpStateVersion()
      }
      if (type === 'change' && (data as Change).cause.kind === 'scenario') bumpRequestVersion()
    }
    for (const entry of fresh) countEntry(entry, Date.now())
    feed.add(fresh)
    if (decided.length > 0) {
      addDecisions(decided)
      markDecided(decided)
      bumpTrafficVersion()
    }
    if (fresh.length > 0 || events.some(({ type }) => type === 'reset')) bumpRequestVersion()
  }

  followInFrames(sandboxPath(name, '/events'), {
    signal,
    onState(state) {
      live.value = state
    },
    onOpen: () => void feed.load().catch(reportError(signal)),
    onEvents,
  })
}

function followAll(name: string, signal: AbortSignal) {
  const path = sandboxPath(name, `/requests?sandboxes=all&limit=${LOADED_OF_ALL}`)
  const feed = journalFeed(allJournal, path, signal)
  signal.addEventListener('abort', () => allJournal.replace({ requests: [] }))

  function onEvents(events: readonly ServerEvent[]) {
    let fresh: EventEntry[] = []
    for (const { type, data } of events) {
      if (type === 'request') fresh.push(data as EventEntry)
      else if (type === 'missed') feed.loadQuietly()
      else if (type === 'reset') {
        const { sandbox: cleared } = data as { sandbox: string }
        fresh = fresh.filter(entry => entry.sandbox !== cleared)
        feed.clearSandbox(cleared)
      }
    }
    feed.add(fresh)
  }

  followInFrames(sandboxPath(name, '/events?sandboxes=all'), {
    signal,
    onOpen: () => void feed.load().catch(reportError(signal)),
    onEvents,
  })
}

/** The report counts the requests of all sandboxes. */
function followReport(name: string, signal: AbortSignal) {
  followInFrames(sandboxPath(name, '/events?sandboxes=all'), {
    signal,
    onOpen: bumpRequestVersion,
    onEvents: bumpRequestVersion,
  })
}
