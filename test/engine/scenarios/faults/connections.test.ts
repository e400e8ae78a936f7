import { describe, expect, it } from 'vitest'
import type { Seen } from '../../../support/http.ts'
import { simulate } from '../../../support/in-process.ts'
import { startServer } from '../client.ts'

const rule = (type: string, settings: object = {}, when: object = {}) => ({
  name: 'broken',
  when: { method: ['POST', 'DELETE'], ...when },
  fault: { type, ...settings },
})

interface Create {
  type: string
  what: string
  settings?: object
  /** How the client sees its create. */
  seen: Partial<Record<keyof Seen, unknown>>
  changed?: false
  entry: (seen: Seen) => object
  says: RegExp
}

const length = ({ headers }: Seen) => Number(headers['content-length'])
const CUT_OFF = { error: 'ECONNRESET', syscall: 'read', status: undefined, text: '' }
const NO_ANSWER = { status: null, response: null }

// biome-ignore format: settings, response, journal
const creates: Create[] = [
  { type: 'reset', what: 'resets the connection without executing the request', changed: false,
    seen: CUT_OFF, says: /Nothing was changed.*"broken" of the scenario "test"/,
    entry: () => ({ ...NO_ANSWER, rules: [{ fired: true, effect: 'connection reset, request not executed' }] }) },
  { type: 'lost-reply', what: 'executes the request and resets the connection before the response',
    seen: CUT_OFF, says: /Executed as change 1\..*"broken" of the scenario "test"/,
    entry: () => NO_ANSWER },
  { type: 'garbage', what: 'returns 200 with an invalid JSON body',
    seen: { status: 200, error: undefined, headers: { 'content-type': 'application/json' } },
    says: /Executed as change.*"broken" of the scenario "test".*not JSON/,
    entry: seen => {
      expect(seen.text).toHaveLength(length(seen))
      expect(() => JSON.parse(seen.text)).toThrow()
      return { status: 200, response: { body: { unreadable: expect.stringMatching(/html/) } } }
    } },
  { type: 'garbage', what: 'of http sends bytes that are not HTTP, and closes', settings: { what: 'http' },
    seen: { status: undefined, error: expect.stringMatching(/^HPE_/) },
    says: /"broken" of the scenario "test".*bytes that are not HTTP/,
    entry: () => NO_ANSWER },
  { type: 'truncate', what: 'announces the whole response and sends half',
    seen: { status: 201, error: 'ECONNRESET', text: expect.stringMatching(/^\{"id":"ak_/) },
    says: /Executed as change.*"broken" of the scenario "test".*cut off after half/,
    entry: seen => {
      expect(seen.text).toHaveLength(Math.floor(length(seen) / 2))
      const headers = { 'content-length': String(length(seen)) }
      return { status: 201, response: { headers, body: { token: '[redacted]' } } }
    } },
]

describe.each([
  ['over plain connections', {}],
  ['over TLS', { tls: true }],
])('Faults %s:', async (_, options) => {
  const server = await startServer(options)

  const named = creates.map(each => [each.type, each.what, each] as const)
  it.each(named)('%s %s', async (type, _, { settings, seen, changed = true, entry, says }) => {
    const client = await server.underRules(rule(type, settings))
    const before = await client.keys()
    const body = { description: 'made' }
    const response = await client.send('POST', '/api_keys', { body })
    expect(response).toMatchObject(seen)
    expect(await client.keys()).toEqual(changed ? ['made', ...before] : before)
    expect(await client.entry()).toMatchObject({
      operation: 'create_api_key',
      request: { body },
      change: changed ? { seq: 1, ops: [{ table: 'api_keys', before: null, after: body }] } : null,
      rules: [{ name: 'broken', fired: true }],
      explanation: { decided_by: 'rule', text: expect.stringMatching(says) },
      ...entry(response),
    })
  })

  it('garbage of http never starts like a response', async () => {
    const client = await server.underRules(rule('garbage', { what: 'http' }))
    const { said, error } = await client.bytes('POST', '/api_keys')
    expect(error).toBeUndefined()
    expect(said.length).toBeGreaterThan(10)
    expect(said).not.toMatch(/^HTTP/)
  })

  it.each([
    [0, 0],
    [7, 7],
    [100_000, -1],
  ])('truncate with "after" %d sends up to all bytes except one', async (after, sent) => {
    const client = await server.underRules(rule('truncate', { after }))
    const seen = await client.send('POST', '/api_keys')
    expect(seen.error).toBe('ECONNRESET')
    expect(seen.text).toHaveLength(sent < 0 ? length(seen) + sent : sent)
  })

  it('truncate cuts off the head of a response without a body', async () => {
    const client = await server.underRules(rule('truncate'))
    const seen = await client.send('DELETE', '/api_keys/ak_ci')
    expect(seen).toMatchObject({ status: undefined, error: 'ECONNRESET' })
    expect(await client.entry()).toMatchObject({ status: null, change: { seq: 1 } })
    expect(await client.keys()).toHaveLength(2)
  })

  it('hang sends nothing until the client disconnects, and changes nothing', async () => {
    const client = await server.underRules(rule('hang'))
    const before = await client.keys()
    const seen = await client.leave('POST', '/api_keys', { body: { description: 'never' } })
    expect(seen).toMatchObject({ status: undefined, text: '' })
    const text = expect.stringMatching(/"broken" of the scenario "test": no response until the client disconnects/)
    expect(await client.entry()).toMatchObject({ ...NO_ANSWER, change: null, explanation: { text } })
    expect(await client.keys()).toEqual(before)
  })

  it('hang ends the connection after "for"', async () => {
    const client = await server.underRules(rule('hang', { for: '120ms' }))
    const seen = await client.send('POST', '/api_keys')
    expect(seen).toMatchObject({ status: undefined, error: 'ECONNRESET' })
    expect(seen.ms).toBeGreaterThan(115)
    expect(await client.entry()).toMatchObject({ status: null, change: null })
  })

  it.each([
    ['a reset', 'POST', '/reset', /reset/],
    ['dropping its sandbox', 'DELETE', '', /dropped/],
  ])('hang is ended by %s with 503', async (_, method, path, says) => {
    const client = await server.underRules(rule('hang'))
    const hanging = client.send('POST', '/api_keys')
    await client.underWay(1)
    expect((await client.control(method, path)).status).toBe(204)
    expect(await hanging).toMatchObject({ status: 503, body: { msg: expect.stringMatching(says) } })
  })
})

it('The fault hang does not stop the simulator from closing, which names the requests it cuts off', async () => {
  const simulator = await simulate({ scenario: { name: 'test', rules: [rule('hang')] }, stopGrace: '50ms' })
  const hanging = simulator.call('POST', '/api_keys')
  const refused = expect(hanging).rejects.toThrow('other side closed')
  await expect.poll(() => simulator.sandboxes.default.rules!.report().rules).toMatchObject([{ fired: 1 }])
  await simulator.close()
  await refused
  const text = expect.stringMatching(
    /^Cut off 1 request after 50ms: POST \/api_keys \(op_\w+\)\. To wait longer, use --stop-grace\.$/,
  )
  expect(simulator.notices).toContainEqual({ level: 'warn', text })
})

it('Closing waits for requests that end within the stop grace', async () => {
  const simulator = await simulate({ scenario: { rules: [{ latency: '50ms' }] }, stopGrace: '1h' })
  const slow = simulator.call('POST', '/api_keys')
  await expect.poll(() => simulator.sandboxes.default.rules!.report().rules).toMatchObject([{ fired: 1 }])
  await simulator.close()
  expect((await slow).status).toBe(201)
  expect(simulator.notices.filter(({ text }) => text.startsWith('Cut off'))).toEqual([])
})
