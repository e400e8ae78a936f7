import { createParser } from 'eventsource-parser'

/** One event of a sandbox: `request`, `change`, `warning`, `traffic`, `delivery`, `reset`, or `missed` when some were lost. */
export interface SandboxEvent {
  id: string
  type: string
  data: Record<string, unknown>
}

/** An answer as it comes; Node's own type is not for the package's types. */
export interface Chunks extends AsyncIterable<string> {
  destroy(): unknown
}

/** The events as they arrive, until the reader stops or the simulator does. */
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
