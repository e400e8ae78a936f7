import { computed, effect, signal, untracked } from '@preact/signals'
import type { Change, Decision } from '../types.ts'
import { sandboxPath } from '../wire/control.ts'
import type { ServerEvent, StreamState } from '../wire/events.ts'
import { allJournal, journal } from './journal.ts'
import { followInFrames, followJournal } from './journal-feed.ts'
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

function follow(name: string, signal: AbortSignal) {
  live.value = 'connecting'
  journal.replace({ requests: [] })
  clearDecisions()
  clearCounts()

  /** Clears what a reset clears. A reset may be among missed events. */
  function resetTraffic() {
    clearDecisions()
    bumpTrafficVersion()
  }
  function onEvents(events: readonly ServerEvent[]) {
    const has = (...types: string[]) => events.some(({ type }) => types.includes(type))
    const of = (wanted: string) => events.flatMap(({ type, data }) => (type === wanted ? [data] : []))
    const lastReset = events.findLastIndex(({ type }) => type === 'reset' || type === 'missed')
    const decided = events
      .slice(lastReset + 1)
      .flatMap(({ type, data }) => (type === 'traffic' ? [data as Decision] : []))
    if (lastReset >= 0) resetTraffic()
    if (has('change', 'reset')) bumpStateVersion()
    const isScenario = (of('change') as Change[]).some(({ cause }) => cause.kind === 'scenario')
    if (has('request', 'reset') || isScenario) bumpRequestVersion()
    if (decided.length === 0) return
    addDecisions(decided)
    markDecided(decided)
    bumpTrafficVersion()
  }

  followJournal(journal, {
    signal,
    entries: sandboxPath(name, `/requests?limit=${LOADED_ENTRIES}`),
    events: sandboxPath(name, '/events'),
    onLoaded({ requests, dropped }) {
      countJournal(requests, !dropped && requests.length < LOADED_ENTRIES)
      bumpStateVersion()
      bumpRequestVersion()
    },
    onFresh(fresh) {
      for (const entry of fresh) countEntry(entry, Date.now())
    },
    onState(state) {
      live.value = state
    },
    onEvents,
  })
}

function followAll(name: string, signal: AbortSignal) {
  signal.addEventListener('abort', () => allJournal.replace({ requests: [] }))
  followJournal(allJournal, {
    signal,
    entries: sandboxPath(name, `/requests?sandboxes=all&limit=${LOADED_OF_ALL}`),
    events: sandboxPath(name, '/events?sandboxes=all'),
  })
}

/** The report counts the requests of all sandboxes. */
const followReport = (name: string, signal: AbortSignal) =>
  followInFrames(sandboxPath(name, '/events?sandboxes=all'), {
    signal,
    onOpen: bumpRequestVersion,
    onEvents: bumpRequestVersion,
  })
