import type { EventEntry } from '../types.ts'
import { control } from '../wire/control.ts'
import { followEvents, type ServerEvent, type StreamState } from '../wire/events.ts'
import type { Journal, Listed } from './journal.ts'

/** Fills a journal with the loaded entries and with entries from events, in whichever order they arrive. */
export function journalFeed(journal: Journal, path: string, signal: AbortSignal, onLoaded = (_: Listed) => {}) {
  /** Entries that arrived while the journal was loading: the response might not contain them. */
  let arrivedWhileLoading: EventEntry[] | undefined

  async function load() {
    const own: EventEntry[] = []
    arrivedWhileLoading = own
    const listed = await control<Listed>('GET', path, { signal })
    // A later load has replaced this one, or another sandbox is shown.
    if (signal.aborted || arrivedWhileLoading !== own) return
    arrivedWhileLoading = undefined
    journal.replace(listed)
    journal.add(own)
    onLoaded(listed)
  }

  return {
    load,
    loadQuietly: () => void load().catch(() => {}),
    add(fresh: readonly EventEntry[]) {
      journal.add(fresh)
      arrivedWhileLoading?.push(...fresh)
    },
    clearSandbox(sandbox: string) {
      journal.clearSandbox(sandbox)
      // The journal being loaded may be from before the reset.
      if (arrivedWhileLoading) void load().catch(() => {})
    },
  }
}

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
