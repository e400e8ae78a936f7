import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { afterwards } from '../support/afterwards.ts'

export interface ServerEvent {
  id: string
  type: string
  // biome-ignore lint/suspicious/noExplicitAny: events have many shapes
  data: any
}

/** Reads server-sent events until the test is over. */
export async function openEvents(url: string, headers: Record<string, string> = {}) {
  const request = get(url, { headers, agent: false })
  afterwards(() => void request.destroy())
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  const events: ServerEvent[] = []
  const comments: string[] = []
  let rest = ''
  let wake = () => {}
  let over = false
  const take = (block: string) => {
    const lines = block.split('\n')
    const field = (name: string) => lines.find(line => line.startsWith(`${name}: `))?.slice(name.length + 2)
    comments.push(...lines.filter(line => line.startsWith(':')))
    const data = field('data')
    if (data !== undefined) events.push({ id: field('id')!, type: field('event')!, data: JSON.parse(data) })
  }
  answer.setEncoding('utf8').on('data', (chunk: string) => {
    const blocks = (rest + chunk).split('\n\n')
    rest = blocks.pop()!
    blocks.forEach(take)
    wake()
  })
  const ended = new Promise<void>(resolve => {
    answer.on('close', () => {
      over = true
      wake()
      resolve()
    })
  })
  answer.on('error', () => {})

  /** Waits until that is so of what has come. */
  async function until(fulfilled: () => boolean) {
    while (!fulfilled()) {
      if (over) throw new Error(`the stream ended after ${JSON.stringify(events)}`)
      await new Promise<void>(resolve => {
        wake = resolve
      })
    }
  }

  return {
    answer,
    events,
    comments,
    ended,
    until,
    untilCount: (count: number) => until(() => events.length >= count),
    leave: () => request.destroy(),
  }
}
