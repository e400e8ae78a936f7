import type { EventEntry } from '../types.ts'
import { control } from '../wire/control.ts'
import { followEvents, type ServerEvent, type StreamState } from '../wire/events.ts'
import type { Journal, Listed } from './journal.ts'

/** Fills a journal: loads what the simulator has, and adds what events tell, in whichever order both come. */
export function journalFeed(journal: Journal, path: string, signal: AbortSignal, onLoaded = (_: Listed) => {}) {
  /** Entries that arrived while the journal was being loaded: the answer may not have them. */
  let meanwhile: EventEntry[] | undefined

  async function load() {
    const own: EventEntry[] = []
    meanwhile = own
    const listed = await control<Listed>('GET', path, { signal })
    // A later load has replaced this one, or another sandbox is shown.
    if (signal.aborted || meanwhile !== own) return
    meanwhile = undefined
    journal.replace(listed)
    journal.add(own)
    onLoaded(listed)
  }

  return {
    load,
    loadQuietly: () => void load().catch(() => {}),
    add(fresh: readonly EventEntry[]) {
      journal.add(fresh)
      meanwhile?.push(...fresh)
    },
    forget(sandbox: string) {
      journal.forget(sandbox)
      // The journal being loaded may be from before the reset.
      if (meanwhile) void load().catch(() => {})
    },
  }
}

interface Reader {
  signal: AbortSignal
  onOpen(): void
  onState(state: StreamState): void
  /** The events of a frame together, so that the page is drawn once. */
  onEvents(events: readonly ServerEvent[]): void
}

/** `onOpen` is called once: after a break the simulator sends what was missed. */
export function followInFrames(path: string, { signal, onOpen, onState, onEvents }: Reader) {
  let opened = false
  let queue: ServerEvent[] = []
  let planned = false
  const flush = () => {
    planned = false
    const events = queue
    queue = []
    if (!signal.aborted) onEvents(events)
  }
  void followEvents(path, {
    signal,
    onState(state) {
      if (!signal.aborted) onState(state)
    },
    onOpen() {
      if (!opened) onOpen()
      opened = true
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
