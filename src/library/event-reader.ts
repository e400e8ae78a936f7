import { createParser } from 'eventsource-parser'

/** One event of a sandbox: `request`, `change`, `warning`, `traffic`, `delivery`, `reset`, or `missed` when some were lost. */
export interface SandboxEvent {
  id: string
  type: string
  data: Record<string, unknown>
}

/** A response body, without Node's types in the public types. */
export interface Chunks extends AsyncIterable<string> {
  destroy(): unknown
}

/** The events as they arrive, until the reader or the simulator stops. */
export async function* readEvents(response: Chunks): AsyncGenerator<SandboxEvent, void, undefined> {
  const events: SandboxEvent[] = []
  const parser = createParser({
    onEvent: ({ id, event, data }) => events.push({ id: id!, type: event!, data: JSON.parse(data) }),
  })
  try {
    for await (const chunk of response) {
      parser.feed(chunk)
      yield* events.splice(0)
    }
  } finally {
    response.destroy()
  }
}
