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
  onOpen(): void
  onEvent(event: ServerEvent): void
  onState(state: StreamState): void
}

const FIRST_WAIT_MS = 300
const LONGEST_WAIT_MS = 5_000
/** The simulator sends data every 15 seconds. After a longer silence the connection is considered dead. */
const SILENCE_MS = 40_000

/** The instance that sends the events. */
export const servedBy = createSignal<string | undefined>(undefined)

/** Reads events with fetch, because EventSource cannot send the control token. Reconnects with the last event id. */
export async function followEvents(path: string, listener: Listener) {
  const { signal, onState } = listener
  let lastId: string | undefined
  let opened = false
  let wait = FIRST_WAIT_MS
  while (!signal.aborted) {
    try {
      const headers: Record<string, string> = lastId === undefined ? {} : { 'last-event-id': lastId }
      const response = await openControl('GET', path, { signal, headers })
      servedBy.value = response.headers.get(INSTANCE_HEADER) ?? undefined
      onState('live')
      listener.onOpen()
      // Without an id, the server cannot replay missed events.
      if (opened && lastId === undefined) listener.onEvent({ type: 'missed', data: {} })
      opened = true
      wait = FIRST_WAIT_MS
      const parser = createParser({
        onEvent({ id, event = 'message', data }) {
          lastId = id ?? lastId
          listener.onEvent({ type: event, data: JSON.parse(data) })
        },
      })
      await readText(response.body!, text => parser.feed(text))
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof RequestError && error.status === 404) return onState('gone')
    }
    if (signal.aborted) return
    onState('lost')
    await pause(wait, signal)
    wait = Math.min(wait * 2, LONGEST_WAIT_MS)
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

export const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>(resolve => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
  })
