import { signal as createSignal } from '@preact/signals'
import { createParser } from 'eventsource-parser'
import { INSTANCE_HEADER } from '../../contract/names.ts'
import { openControl } from './control.ts'
import { RequestError } from './request-error.ts'

export interface ServerEvent {
  type: string
  data: unknown
}

export type StreamState = 'connecting' | 'live' | 'lost' | 'gone'

interface Listener {
  signal: AbortSignal
  /** All events of one frame, so the dashboard renders once. */
  onEvents(events: readonly ServerEvent[]): void
  onState?(state: StreamState): void
}

/** While the simulator doesn't respond, it is called again at this interval. */
export const RETRY_MS = 1_000
/** The simulator sends data every 15 seconds. After a longer silence the connection is considered dead. */
const SILENCE_MS = 40_000

/** The instance that sends the events. */
export const servedBy = createSignal<string | undefined>(undefined)

/**
 * Reads events with fetch, because EventSource cannot send the control token. Reconnects with the last event id: if there
 * were others since, the first event is `missed`, as it is without an id.
 */
export async function followEvents(path: string, { signal, onEvents, onState }: Listener) {
  let lastId: string | undefined
  let queue: ServerEvent[] = []
  function flush() {
    const events = queue
    queue = []
    if (!signal.aborted) onEvents(events)
  }
  function add(event: ServerEvent) {
    if (queue.push(event) > 1) return
    // Hidden tabs get no animation frames.
    if (document.hidden) setTimeout(flush, 250)
    else requestAnimationFrame(flush)
  }
  while (!signal.aborted) {
    try {
      const headers: Record<string, string> = lastId === undefined ? {} : { 'last-event-id': lastId }
      const response = await openControl('GET', path, { signal, headers })
      servedBy.value = response.headers.get(INSTANCE_HEADER) ?? undefined
      onState?.('live')
      if (lastId === undefined) add({ type: 'missed', data: {} })
      const parser = createParser({
        onEvent({ id, event = 'message', data }) {
          lastId = id ?? lastId
          add({ type: event, data: JSON.parse(data) })
        },
      })
      await readText(response.body!, text => parser.feed(text))
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof RequestError && error.status === 404) return onState?.('gone')
    }
    if (signal.aborted) return
    onState?.('lost')
    await pause(RETRY_MS, signal)
  }
}

async function readText(stream: ReadableStream<Uint8Array>, onText: (text: string) => void) {
  const decoder = new TextDecoderStream() as unknown as TransformStream<Uint8Array, string>
  const reader = stream.pipeThrough(decoder).getReader()
  for (;;) {
    // A hung process does not close the connection.
    const silence = setTimeout(() => void reader.cancel(), SILENCE_MS)
    const { done, value } = await reader.read().finally(() => clearTimeout(silence))
    if (done) return
    onText(value)
  }
}

/** Ends early when the signal aborts. */
export const pause = (ms: number, signal?: AbortSignal) =>
  new Promise<void>(resolve => {
    setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => resolve())
  })
