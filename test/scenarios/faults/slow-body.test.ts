import { expect, it } from 'vitest'
import { startServer } from '../client.ts'

const server = await startServer()
const under = (bytes_per_second: number) =>
  server.underRules({
    name: 'dribble',
    when: { operation: 'create_api_key' },
    fault: { type: 'slow-body', bytes_per_second },
  })

it('The fault slow-body sends the whole answer at the given rate', async () => {
  const client = await under(1000)
  const seen = await client.send('POST', '/api_keys', { body: { description: 'made' } })
  expect(seen).toMatchObject({ status: 201, error: undefined, body: { description: 'made' } })
  expect(seen.text).toHaveLength(Number(seen.headers['content-length']))
  // As many milliseconds as bytes, give or take the step it goes in.
  expect(seen.ms).toBeGreaterThan(seen.text.length - 60)
  expect(await client.entry()).toMatchObject({
    status: 201,
    change: { seq: 1 },
    explanation: { text: expect.stringMatching(/"dribble" of the scenario "test".*1000 bytes a second/) },
  })
})

it('The fault slow-body stops when the client leaves', async () => {
  const client = await under(1)
  const leaving = new AbortController()
  const seen = await client.send('POST', '/api_keys', { leave: leaving.signal, onHead: () => leaving.abort() })
  expect(seen.status).toBe(201)
  expect(seen.text.length).toBeLessThan(Number(seen.headers['content-length']))
  expect(await client.entry()).toMatchObject({ change: { seq: 1 } })
})

it('The fault slow-body is cut off by a reset', async () => {
  const client = await under(1)
  let slow: ReturnType<typeof client.send> | undefined
  await new Promise<void>(onHead => {
    slow = client.send('POST', '/api_keys', { onHead })
  })
  await client.control('POST', '/reset')
  expect(await slow).toMatchObject({ status: 201, error: 'ECONNRESET' })
})
