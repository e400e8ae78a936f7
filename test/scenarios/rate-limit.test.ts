import { expect, it } from 'vitest'
import { type Client, startServer } from './client.ts'

const server = await startServer()
const clock = { now: '2026-01-01T00:00:00Z', frozen: true }
const limited = (more: Record<string, unknown> = {}, top: Record<string, unknown> = { clock }) =>
  server.under({ name: 'test', ...top, rules: [{ name: 'limit', rate_limit: { requests: 3, per: '60s' }, ...more }] })

const standing = ({ headers }: { headers: Record<string, unknown> }) =>
  ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'].map(name => Number(headers[name]))

async function use(client: Client, times: number) {
  const statuses: (number | undefined)[] = []
  for (let i = 0; i < times; i++) statuses.push((await client.send('GET', '/api_keys')).status)
  return statuses
}

it('A rate limit refuses excess calls as the vendor does, with the time to retry', async () => {
  const client = await limited()
  expect(standing(await client.send('GET', '/api_keys'))).toEqual([3, 2, 60])
  await client.advance('15s')
  expect(standing(await client.send('GET', '/api_keys/ak_nobody'))).toEqual([3, 1, 45])
  expect(standing(await client.send('POST', '/api_keys'))).toEqual([3, 0, 45])
  const seen = await client.send('POST', '/api_keys', { body: { description: 'too much' } })
  expect(seen).toMatchObject({
    status: 429,
    headers: { 'retry-after': '45', 'content-type': 'application/json' },
    body: { error_code: 'ERR_SERVICE_226', status_code: 429, msg: expect.stringMatching(/3 requests in 60s.*45 s/) },
  })
  expect(standing(seen)).toEqual([3, 0, 45])
  expect(await client.keys()).not.toContain('too much')
})

it('A rate limit counts in windows on the clock of the sandbox', async () => {
  const client = await limited()
  expect(await use(client, 4)).toEqual([200, 200, 200, 429])
  await client.advance('59s')
  expect(await use(client, 1)).toEqual([429])
  await client.advance('1s')
  expect(await use(client, 4)).toEqual([200, 200, 200, 429])
})

it('A rate limit starts again if the clock is set back', async () => {
  const client = await limited()
  expect(await use(client, 4)).toEqual([200, 200, 200, 429])
  await client.control('PUT', '/clock', { now: '2025-06-01T00:00:00Z' })
  expect(await use(client, 1)).toEqual([200])
})

it('A rate limit fires if it refuses, and its explanation mentions a frozen clock', async () => {
  const client = await limited()
  await use(client, 5)
  expect(await client.counts()).toEqual([[5, 2]])
  const entry = await client.entry()
  expect(entry).toMatchObject({
    status: 429,
    change: null,
    rules: [{ name: 'limit', fired: true, effect: 'refused: more than 3 requests in 60s' }],
    explanation: { decided_by: 'rate_limited', section: '8' },
  })
  expect(entry.explanation!.text).toMatch(/"limit" of the scenario "test"/)
  expect(entry.explanation!.text).toMatch(/clock stands at 2026-01-01T00:00:00Z/)
})

it('A rate limit does not mention a running clock', async () => {
  const client = await limited({}, {})
  expect(await use(client, 4)).toEqual([200, 200, 200, 429])
  expect((await client.entry()).explanation!.text).not.toMatch(/clock/)
})

it('A rate limit counts only matching calls', async () => {
  const client = await limited({ when: { owner: 'usr_member' } })
  const member = { token: client.token.replace('admin', 'member') }
  expect(await use(client, 5)).toEqual(Array(5).fill(200))
  for (const status of [200, 200, 200, 429]) expect((await client.send('GET', '/api_keys', member)).status).toBe(status)
  expect((await client.send('GET', '/api_keys')).headers).not.toHaveProperty('x-ratelimit-limit')
})

it('A rate limit counts per sandbox, and from zero after a reset', async () => {
  const [one, other] = [await limited(), await limited()]
  expect(await use(one, 4)).toEqual([200, 200, 200, 429])
  expect(await use(other, 3)).toEqual([200, 200, 200])
  await one.control('POST', '/reset')
  expect(await use(one, 4)).toEqual([200, 200, 200, 429])
})

it('A rate limit lets a client pass that waits for the given time', async () => {
  const client = await limited()
  const patient = async () => {
    for (;;) {
      const { status, headers } = await client.send('POST', '/api_keys', { body: { description: 'patient' } })
      if (status !== 429) return status
      await client.advance(`${headers['retry-after']}s`)
    }
  }
  for (let i = 0; i < 10; i++) expect(await patient()).toBe(201)
  expect((await client.keys()).filter(description => description === 'patient')).toHaveLength(10)
})
