import { openControl } from './control.ts'
import { Refusal } from './refusal.ts'

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

/** Reads events by fetch, as EventSource could not send the control token; comes back with the last id it saw. */
export async function followEvents(path: string, listener: Listener) {
  const { signal, onState } = listener
  let lastId: string | undefined
  let wait = FIRST_WAIT_MS
  while (!signal.aborted) {
    try {
      const headers: Record<string, string> = lastId === undefined ? {} : { 'last-event-id': lastId }
      const response = await openControl('GET', path, { signal, headers })
      onState('live')
      listener.onOpen()
      wait = FIRST_WAIT_MS
      for await (const { id, ...event } of parse(response.body!)) {
        lastId = id ?? lastId
        listener.onEvent(event)
      }
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof Refusal && error.status === 404) return onState('gone')
    }
    if (signal.aborted) return
    onState('lost')
    await pause(wait, signal)
    wait = Math.min(wait * 2, LONGEST_WAIT_MS)
  }
}

async function* parse(stream: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent & { id?: string }> {
  const reader = stream
    .pipeThrough(new TextDecoderStream() as unknown as TransformStream<Uint8Array, string>)
    .getReader()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const blocks = (rest + value).split('\n\n')
    rest = blocks.pop()!
    for (const block of blocks) {
      const event = readBlock(block)
      if (event) yield event
    }
  }
}

function readBlock(block: string): (ServerEvent & { id?: string }) | undefined {
  const lines = block.split('\n')
  const field = (name: string) => lines.find(line => line.startsWith(`${name}: `))?.slice(name.length + 2)
  const data = field('data')
  if (data === undefined) return undefined
  return { id: field('id'), type: field('event') ?? 'message', data: JSON.parse(data) }
}

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>(resolve => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
