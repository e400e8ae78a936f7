/** One event of a sandbox: `request`, `change`, `warning`, `reset`, or `missed` when some were lost. */
export interface SandboxEvent {
  id: string
  type: string
  data: Record<string, unknown>
}

/** An answer as it comes; Node's own type is not for the package's types. */
export interface Chunks extends AsyncIterable<string> {
  destroy(): unknown
}

/** Server-sent events as they come, until the reader stops or the simulator does. */
export async function* readEvents(answer: Chunks): AsyncGenerator<SandboxEvent, void, undefined> {
  let rest = ''
  try {
    for await (const chunk of answer) {
      const blocks = (rest + chunk).split('\n\n')
      rest = blocks.pop()!
      for (const block of blocks) {
        const event = parse(block)
        if (event) yield event
      }
    }
  } finally {
    answer.destroy()
  }
}

function parse(block: string): SandboxEvent | undefined {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]
  const data = field('data')
  return data === undefined ? undefined : { id: field('id')!, type: field('event')!, data: JSON.parse(data) }
}
