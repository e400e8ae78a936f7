import { describe, expect, it } from 'vitest'
import { BINARY, edgesim, startEdgesim } from '../support/as-process.ts'

const THROWS = `data:text/javascript,${encodeURIComponent(`
  process.stdin.on('data', text => {
    if (String(text) === 'throw') throw new Error('out of the blue')
    Promise.reject(new Error('into the dark'))
  }).unref()
`)}`

// The executable accepts no Node options.
describe.skipIf(BINARY)('An uncaught error', () => {
  it.each([
    ['throw', 'out of the blue'],
    ['reject', 'into the dark'],
  ])('of a %s is reported, and the server continues with its state', async (how, message) => {
    const { child, call, until, stop } = await startEdgesim([], { env: { NODE_OPTIONS: `--import ${THROWS}` } })
    const made = await call('POST', '/api_keys', { description: 'before' })
    child.stdin.write(how)
    expect(await until(/"level":"error".*\n/)).toContain(`Internal error. Please report it: Error: ${message}`)
    expect((await call('GET', `/api_keys/${made.body.id}`)).body.description).toBe('before')
    expect((await call('POST', '/api_keys', {})).status).toBe(201)
    expect((await stop()).code).toBe(0)
  })
})

const DEAF = `data:text/javascript,${encodeURIComponent(`
  import http from 'node:http'
  import { syncBuiltinESMExports } from 'node:module'
  const request = { on: () => request, once: () => request, end: () => request }
  http.request = () => request
  syncBuiltinESMExports()
`)}`

it.skipIf(BINARY)('A command with nothing left to wait for returns 1 and a message', async () => {
  const { code, out, err } = await edgesim(['health'], { env: { NODE_OPTIONS: `--import ${DEAF}` } })
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err).toContain('Internal error: the command stopped before it was done')
})
