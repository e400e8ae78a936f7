import { computed, effect, type Signal, signal, untracked } from '@preact/signals'
import type { Decision, EventEntry } from '../types.ts'
import { sandboxPath } from '../wire/control.ts'
import { followEvents, type ServerEvent, type StreamState } from '../wire/events.ts'
import { allJournal, followJournal, journal } from './journal.ts'
import { clearCounts, countEntry, countJournal, updateCounts } from './last-hour.ts'
import { place, sandbox } from './place.ts'
import { writer } from './signals.ts'
import { addDecisions, clearDecisions, markDecided } from './traffic.ts'

const LOADED_ENTRIES = 1000
const LOADED_OF_ALL = 10_000

export const live = signal<StreamState>('connecting')
/** Incremented on every state change. Views that show state then reload it. */
export const stateVersion = signal(0)
/** Incremented on requests and changes: rule counters, the report and searches then load again. */
export const requestVersion = signal(0)
/** Incremented on edge decisions, which update edge counters. */
export const trafficVersion = signal(0)

const bumpStateVersion = incrementer(stateVersion, 250)
const bumpRequestVersion = incrementer(requestVersion, 1000)
const bumpTrafficVersion = incrementer(trafficVersion, 500)

/** A function that increments a version soon, at most once per interval. */
function incrementer(version: Signal<number>, ms: number) {
  let earliest = 0
  let isWaiting = false
  return () => {
    if (isWaiting) return
    isWaiting = true
    setTimeout(() => {
      isWaiting = false
      earliest = performance.now() + ms
      version.value++
    }, earliest - performance.now())
  }
}

export const showsAll = computed(() => place.value.view === 'requests' && place.value.query.sandboxes === 'all')

/** The journal of the sandbox, or of all sandboxes. */
export const shownJournal = computed(() => (showsAll.value ? allJournal : journal))

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

const eventsOfAll = (name: string) => sandboxPath(name, '/events?sandboxes=all')

/** Follows the events of the current sandbox, and of all sandboxes while a view needs them. */
export function startLive() {
  setInterval(updateCounts, 1000)
  following(() => true, follow)
  following(() => showsAll.value, followAll)
  // The report counts the requests of all sandboxes.
  following(
    () => place.value.view === 'report',
    (name, signal) => void followEvents(eventsOfAll(name), { signal, onEvents: bumpRequestVersion }),
  )
}

function follow(name: string, signal: AbortSignal) {
  live.value = 'connecting'
  journal.replace({ requests: [] })
  clearDecisions()
  clearCounts()

  function onEvents(events: readonly ServerEvent[], fresh: readonly EventEntry[]) {
    for (const entry of fresh) countEntry(entry, Date.now())
    const has = (...types: string[]) => events.some(({ type }) => types.includes(type))
    if (has('change', 'reset')) bumpStateVersion()
    if (has('request', 'change', 'reset')) bumpRequestVersion()
    if (has('traffic', 'reset', 'missed')) bumpTrafficVersion()
    // A reset may be among missed events.
    const lastReset = events.findLastIndex(({ type }) => type === 'reset' || type === 'missed')
    if (lastReset >= 0) clearDecisions()
    const traffic = events.slice(lastReset + 1).filter(({ type }) => type === 'traffic')
    const decided = traffic.map(({ data }) => data as Decision)
    addDecisions(decided)
    if (decided.length > 0) markDecided(decided)
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
    onState: writer(live),
    onEvents,
  })
}

function followAll(name: string, signal: AbortSignal) {
  signal.addEventListener('abort', () => allJournal.replace({ requests: [] }))
  followJournal(allJournal, {
    signal,
    entries: sandboxPath(name, `/requests?sandboxes=all&limit=${LOADED_OF_ALL}`),
    events: eventsOfAll(name),
    onLoaded: bumpRequestVersion,
    onEvents: bumpRequestVersion,
  })
}
