import { describe, expect, it } from 'vitest'
import { launch, startEdgesim } from '../support/as-process.ts'
import { LONG } from '../support/long.ts'
import { pooledClient } from '../support/raw-http.ts'

const REQUESTS = LONG ? 3_000 : 600
/** Long paths, so the lines exceed the buffer of the log. */
const path = `/api_keys/ak_${'x'.repeat(LONG ? 1_000 : 5_000)}`
const MOST_KEPT = 4 * 1024 * 1024

async function flood(port: number) {
  const client = pooledClient(port, 8)
  const statuses = await Promise.all(
    Array.from({ length: REQUESTS }, async () => (await client.send({ method: 'GET', path })).status),
  )
  client.close()
  expect(new Set(statuses)).toEqual(new Set([404]))
}

async function startUnread(log: 'json' | 'pretty') {
  const started = log === 'json' ? await startEdgesim() : launch(['--port', '0', '--log', 'pretty'])
  const out = await started.until(log === 'json' ? /\n/ : /curl .*\n\n/)
  started.child.stdout.pause()
  const port = Number(/https?:\/\/127\.0\.0\.1:(\d+)/.exec(out)![1])
  return { ...started, port, greeting: out.length }
}

describe.each(['json', 'pretty'] as const)('An unread %s log', log => {
  it('does not stop the server, and drops and counts lines over a limit', async () => {
    const { port, child, printed, greeting } = await startUnread(log)
    await flood(port)
    child.stdout.resume()
    // First the buffered lines, then the number of dropped lines.
    let more = 0
    await expect
      .poll(async () => {
        await fetch(`http://127.0.0.1:${port}/more`)
        more++
        return printed.out
      })
      .toMatch(/Dropped \d+ log lines/)
    const lines = () => printed.out.slice(greeting).trimEnd().split('\n')
    const dropped = () => lines().map(line => Number(/Dropped (\d+) log lines/.exec(line)?.[1] ?? 0))
    const requests = () => lines().filter(line => / \/(api_keys|more)|"path":/.test(line)).length
    await expect.poll(() => requests() + dropped().reduce((a, b) => a + b)).toBe(REQUESTS + more)
    expect(printed.out.length).toBeLessThan(MOST_KEPT)
    if (log === 'json') for (const line of lines()) expect(JSON.parse(line)).toHaveProperty('level')
  })
})

it('An unread log does not keep the process running', async () => {
  const { port, child } = await startUnread('json')
  await flood(port)
  const exited = new Promise(resolve => child.once('exit', resolve))
  child.kill('SIGTERM')
  expect(await exited).toBe(0)
})
