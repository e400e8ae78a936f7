import type { EventEntry } from '../types.ts'
import { control } from '../wire/control.ts'
import { followEvents, type ServerEvent, type StreamState } from '../wire/events.ts'
import { notify } from './actions.ts'
import type { Journal, Listed } from './journal.ts'

interface Reader {
  signal: AbortSignal
  onOpen(): void
  onState?(state: StreamState): void
  /** All events of one frame, so the dashboard renders once. */
  onEvents(events: readonly ServerEvent[]): void
}

/** Calls `onOpen` only once: after a reconnect the simulator sends the missed events. */
export function followInFrames(path: string, { signal, onOpen, onState, onEvents }: Reader) {
  let opened = false
  let queue: ServerEvent[] = []
  let scheduled = false
  const flush = () => {
    scheduled = false
    const events = queue
    queue = []
    if (!signal.aborted) onEvents(events)
  }
  void followEvents(path, {
    signal,
    onState(state) {
      if (!signal.aborted) onState?.(state)
    },
    onOpen() {
      if (!opened) onOpen()
      opened = true
    },
    onEvent(event) {
      queue.push(event)
      if (scheduled) return
      scheduled = true
      // Hidden tabs get no animation frames.
      if (document.hidden) setTimeout(flush, 250)
      else requestAnimationFrame(flush)
    },
  })
}

interface Feed extends Partial<Pick<Reader, 'onState' | 'onEvents'>> {
  signal: AbortSignal
  /** The path of the loaded entries, and that of the events. */
  entries: string
  events: string
  onLoaded?(listed: Listed): void
  /** Entries that have just arrived. */
  onFresh?(entries: readonly EventEntry[]): void
}

/** Fills a journal with the loaded entries and with entries from events, in whichever order they arrive. */
export function followJournal(journal: Journal, { signal, entries, events, onLoaded, onFresh, ...reader }: Feed) {
  /** Entries that arrived while the journal was loading: the response might not contain them. */
  let arrivedWhileLoading: EventEntry[] | undefined

  async function load() {
    const own: EventEntry[] = []
    arrivedWhileLoading = own
    const listed = await control<Listed>('GET', entries, { signal })
    // A later load has replaced this one, or another sandbox is shown.
    if (signal.aborted || arrivedWhileLoading !== own) return
    arrivedWhileLoading = undefined
    journal.replace(listed)
    journal.add(own)
    onLoaded?.(listed)
  }
  const loadAgain = () => void load().catch(() => {})

  function onEvents(list: readonly ServerEvent[]) {
    let fresh: EventEntry[] = []
    for (const { type, data } of list) {
      if (type === 'request') fresh.push(data as EventEntry)
      else if (type === 'missed') loadAgain()
      else if (type === 'reset') {
        const { sandbox } = data as { sandbox: string }
        fresh = fresh.filter(entry => entry.sandbox !== sandbox)
        journal.clearSandbox(sandbox)
        // The journal being loaded may be from before the reset.
        if (arrivedWhileLoading) loadAgain()
      }
    }
    onFresh?.(fresh)
    journal.add(fresh)
    arrivedWhileLoading?.push(...fresh)
    reader.onEvents?.(list)
  }

  const onOpen = () =>
    void load().catch(error => {
      if (!signal.aborted) notify('error', (error as Error).message)
    })
  followInFrames(events, { signal, onState: reader.onState, onOpen, onEvents })
}
