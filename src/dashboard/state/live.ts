import { effect, signal, untracked } from '@preact/signals'
import type { Change, Decision, Entry } from '../types.ts'
import { control, sandboxPath } from '../wire/control.ts'
import { followEvents, type ServerEvent, type StreamState } from '../wire/events.ts'
import { notify } from './actions.ts'
import { addEntries, replaceEntries } from './journal.ts'
import { clearLastMinute, countEntry, updateLastMinute } from './last-minute.ts'
import { sandbox } from './place.ts'
import { addDecisions, clearDecisions, markDecided } from './traffic.ts'

const LOADED_ENTRIES = 1000

export const live = signal<StreamState>('connecting')
/** Grows with every change of the state: views that show state load it again. */
export const stateVersion = signal(0)
/** Grows with requests, which make the counters of rules grow. */
export const requestVersion = signal(0)
/** Grows with decisions of edges, which make their counters grow. */
export const trafficVersion = signal(0)

const touchState = throttle(250, () => {
  stateVersion.value++
})
const touchRequests = throttle(1000, () => {
  requestVersion.value++
})
const touchTraffic = throttle(500, () => {
  trafficVersion.value++
})

/** Calls `act` at most once in so many milliseconds: at once, and again at the end if it was asked for meanwhile. */
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

/** Follows the events of the sandbox that is shown. */
export function startLive() {
  setInterval(updateLastMinute, 1000)
  effect(() => {
    const name = sandbox.value
    const ending = new AbortController()
    untracked(() => {
      live.value = 'connecting'
      replaceEntries([])
      clearDecisions()
      clearLastMinute()
      follow(name, ending.signal)
    })
    return () => ending.abort()
  })
}

function follow(name: string, signal: AbortSignal) {
  let loaded = false
  let queue: ServerEvent[] = []
  let planned = false

  /** Entries that arrived while the journal was being loaded: the answer may not have them. */
  let meanwhile: Entry[] | undefined

  async function load() {
    const path = sandboxPath(name, `/requests?limit=${LOADED_ENTRIES}`)
    const own: Entry[] = []
    meanwhile = own
    const { requests } = await control<{ requests: Entry[] }>('GET', path, { signal })
    // A later load has replaced this one, or another sandbox is shown.
    if (signal.aborted || meanwhile !== own) return
    meanwhile = undefined
    replaceEntries(requests)
    addEntries(own)
    clearLastMinute()
    for (const entry of requests) countEntry(entry, Date.parse(entry.at))
    updateLastMinute()
    touchState()
    touchRequests()
  }

  /** Handles the events of a frame together, so that the page is drawn once. */
  function flush() {
    planned = false
    if (signal.aborted) return
    const events = queue
    queue = []
    let fresh: Entry[] = []
    let decided: Decision[] = []
    for (const { type, data } of events) {
      if (type === 'request') fresh.push(data as Entry)
      else if (type === 'change') touchState()
      else if (type === 'traffic') decided.push(data as Decision)
      else if (type === 'missed') {
        // A reset may be among the missed events.
        clearDecisions()
        touchTraffic()
        void load().catch(() => {})
      } else if (type === 'reset') {
        fresh = []
        decided = []
        replaceEntries([])
        clearDecisions()
        touchTraffic()
        touchState()
        // The journal being loaded may be from before the reset.
        if (meanwhile) void load().catch(() => {})
      }
      if (type === 'change' && (data as Change).cause.kind === 'scenario') touchRequests()
    }
    for (const entry of fresh) countEntry(entry, Date.now())
    addEntries(fresh)
    meanwhile?.push(...fresh)
    if (decided.length > 0) {
      addDecisions(decided)
      markDecided(decided)
      touchTraffic()
    }
    if (fresh.length > 0 || events.some(({ type }) => type === 'reset')) touchRequests()
  }

  void followEvents(sandboxPath(name, '/events'), {
    signal,
    onState(state) {
      if (!signal.aborted) live.value = state
    },
    onOpen() {
      if (!loaded) void load().catch(error => signal.aborted || notify('error', (error as Error).message))
      loaded = true
    },
    onEvent(event) {
      queue.push(event)
      if (planned) return
      planned = true
      // A hidden page gets no animation frames.
      if (document.hidden) setTimeout(flush, 250)
      else requestAnimationFrame(flush)
    },
  })
}
