import { effect, signal, untracked } from '@preact/signals'
import type { Change, Decision, Entry } from '../types.ts'
import { control, sandboxPath } from '../wire/control.ts'
import { followEvents, type ServerEvent, type StreamState } from '../wire/events.ts'
import { notify } from './actions.ts'
import { addEntries, replaceEntries } from './journal.ts'
import { sandbox } from './place.ts'
import { beat, count, forgetPulse } from './pulse.ts'
import { addDecisions, forgetDecisions, markTaken } from './traffic.ts'

const LOAD = 1000

export const live = signal<StreamState>('connecting')
/** Grows with every change of the state; what shows state looks at it to know when to ask anew. */
export const stateVersion = signal(0)
/** The same for what requests count: rules that matched and fired. */
export const requestVersion = signal(0)
/** The same for what edges count. */
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

/** Follows the sandbox that is looked at, until another one is. */
export function startLive() {
  setInterval(beat, 1000)
  effect(() => {
    const name = sandbox.value
    const ending = new AbortController()
    untracked(() => {
      live.value = 'connecting'
      replaceEntries([])
      forgetDecisions()
      forgetPulse()
      follow(name, ending.signal)
    })
    return () => ending.abort()
  })
}

function follow(name: string, signal: AbortSignal) {
  let loaded = false
  let queue: ServerEvent[] = []
  let planned = false

  /** What came while the journal was loaded: the answer may be older than that. */
  let meanwhile: Entry[] | undefined

  async function load() {
    const path = sandboxPath(name, `/requests?limit=${LOAD}`)
    const own: Entry[] = []
    meanwhile = own
    const { requests } = await control<{ requests: Entry[] }>('GET', path, { signal })
    // Loaded again since, or not looked at any more.
    if (signal.aborted || meanwhile !== own) return
    meanwhile = undefined
    replaceEntries(requests)
    addEntries(own)
    forgetPulse()
    for (const entry of requests) count(entry, Date.parse(entry.at))
    beat()
    touchState()
    touchRequests()
  }

  /** However fast events come, the page is drawn once a frame. */
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
        // There may have been a reset among them.
        forgetDecisions()
        touchTraffic()
        void load().catch(() => {})
      } else if (type === 'reset') {
        fresh = []
        decided = []
        replaceEntries([])
        forgetDecisions()
        touchTraffic()
        touchState()
        // What is being loaded may be from before.
        if (meanwhile) void load().catch(() => {})
      }
      if (type === 'change' && (data as Change).cause.kind === 'scenario') touchRequests()
    }
    for (const entry of fresh) count(entry, Date.now())
    addEntries(fresh)
    meanwhile?.push(...fresh)
    if (decided.length > 0) {
      addDecisions(decided)
      markTaken(decided)
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
      // A hidden page is given no frames.
      if (document.hidden) setTimeout(flush, 250)
      else requestAnimationFrame(flush)
    },
  })
}
