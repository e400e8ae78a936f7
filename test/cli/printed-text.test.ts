import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { prettyLog } from '../../src/cli/log/pretty-log.ts'
import type { SandboxEvent } from '../../src/engine/sandbox/index.ts'
import { folderWith } from '../support/afterwards.ts'
import { edgesimHere, simulate } from '../support/in-process.ts'

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)
const marks = [0x061c, 0x200e, 0x200f, ...range(0x2028, 0x202e), ...range(0x2066, 0x2069)]
const codes = [...range(0x00, 0x1f), ...range(0x7f, 0x9f), ...marks]
/** All control characters, including those that change the text direction. */
const nasty = String.fromCharCode(...codes)
const escaped = codes.map(code => `\\u${code.toString(16).padStart(4, '0')}`).join('')
const SHORT = '\u009b31m\u202e\u007f'
const NASTY = new RegExp(`[${escaped}]`)

function printed(tell: (log: ReturnType<typeof prettyLog>) => void, isTTY = false): string {
  const texts: string[] = []
  const log = prettyLog({ isTTY, write: (text: string) => texts.push(text) } as never, {})
  tell(log)
  log.flush()
  return texts.join('').replaceAll('\n', '')
}

const rules = [{ name: nasty, fired: true, effect: nasty }]
const request = (more: object) => ({
  ...{ id: `op_${nasty}`, status: 404, method: 'GET', path: '/', duration_ms: 1, sandbox: 'default', rules: [] },
  ...more,
})
const decision = (more: object) => ({
  ...{ edge: 'edgtcp_a', verdict: 'pass', source_ip: '::1', method: null, path: null, status: null },
  ...{ sandbox: 'default', rules: [], explanation: { text: '' }, failure: null },
  ...more,
})

it('The pretty log suggests corrections for a request', async () => {
  const sim = await simulate({}, { onEvent: event => events.push(event) })
  const events: SandboxEvent[] = []
  await sim.call('GET', '/api_key')
  await sim.call('POST', '/api_keys', { descripton: '' })
  await sim.call('GET', '/api_keys/ak_nobody_at_all')
  const lines = events.filter(({ type }) => type === 'request').map(event => printed(log => log.event(event)))
  expect(lines).toEqual([
    expect.stringMatching(/^\S+ 404 .* Path \/api_key not found\. Did you mean \/api_keys\? op_\w+$/),
    expect.stringMatching(/^\S+ 400 .* "descripton"[^.]*\. Did you mean description\? op_\w+$/),
    expect.stringMatching(/^\S+ 404 .* API key ak_nobody_at_all not found\. op_\w+$/),
  ])
})

describe('The pretty log', () => {
  it('prints the addresses of the simulator', async () => {
    const everywhere = await simulate({ host: '0.0.0.0', controlToken: 'secret' })
    const launched = { fixture: 'default', scenario: null, vendor: 'service' }
    const said = printed(log => log.ready(everywhere, launched))
    expect(said).toMatch(/^edgesim listens on http:\/\/127\.0\.0\.1:\d+and on all network interfaces/)
    const local = { ...everywhere, otherUrls: () => undefined }
    expect(printed(log => log.ready(local, launched))).not.toContain('all network interfaces')
  })

  it('reports stored records on exit', () => {
    expect(printed(log => log.stopped({ file: 'db.json', records: 29, changes: 1 }))).toBe(
      'Stopped. Stored 29 records in db.json (1 change since startup).',
    )
    expect(printed(log => log.stopped(undefined))).toBe('')
  })

  it('shows ten tokens and counts the rest', async () => {
    const keys = Array.from({ length: 13 }, (_, i) => ({ id: `ak_${i}`, owner_id: 'usr_a', token: `token_n${i}` }))
    const fixture = { users: [{ id: 'usr_a', admin: true }], api_keys: keys }
    const simulator = await simulate({ db: join(folderWith(), 'db.json'), fixture })
    const said = printed(log => log.ready(simulator, { fixture: 'inline', scenario: null, vendor: 'service' }))
    expect(said.match(/token_n\d+ \(/g)).toHaveLength(10)
    expect(said).toContain(', and 3 more')
    expect(said).toMatch(/database: .*, created from the fixture inline with 14 records/)
  })
})

describe('The pretty log escapes control characters', () => {
  it.each<[where: string, type: string, data: object]>([
    ['in a path', 'request', request({ path: `/${nasty}` })],
    ['in a method', 'request', request({ method: nasty })],
    ['in a sandbox name', 'request', request({ sandbox: nasty })],
    ['in the effect of a rule', 'request', request({ rules })],
    ['in an error message', 'request', request({ response: { body: { msg: nasty } } })],
    ['in an edge', 'traffic', decision({ edge: nasty })],
    ['in a source', 'traffic', decision({ source_ip: nasty })],
    ['in the path of an edge request', 'traffic', decision({ method: 'GET', path: nasty })],
    ['in an explanation', 'traffic', decision({ verdict: 'refuse', explanation: { text: nasty } })],
    ['in an upstream failure', 'traffic', decision({ failure: nasty })],
    ['in the effect of a rule on traffic', 'traffic', decision({ rules })],
    ['in a warning', 'warning', { text: nasty }],
    ['in names of dropped sandboxes', 'expired', { count: 1, sandboxes: [nasty], unused_for: '1h' }],
  ])('%s', (_, type, data) => {
    const event = { type, sandbox: 'default', data } as unknown as SandboxEvent
    const text = printed(log => log.event(event))
    expect(text).toContain(escaped)
    expect(text).not.toMatch(NASTY)
    const coloured = printed(log => log.event(event), true)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the colours of the log itself
    expect(coloured.replaceAll(/\u001b\[\d+m/g, '')).toBe(text)
  })

  it('in file names and edge errors at startup', async () => {
    const text = printed(log =>
      log.ready(
        {
          url: 'http://127.0.0.1:1',
          tokens: [{ token: nasty, owner_id: nasty }],
          database: nasty,
          listeners: [{ edge: nasty, error: nasty }],
          otherUrls: () => undefined,
          api: { tokens: true, headers: { [nasty]: nasty }, first: { path: nasty } },
        } as never,
        { fixture: nasty, scenario: nasty, vendor: 'service', certificate: nasty },
      ),
    )
    expect(text.split(escaped.replace('\\u000a', ''))).toHaveLength(12)
    expect(text).not.toMatch(NASTY)
  })

  it('in client input', async () => {
    const events: SandboxEvent[] = []
    const { call } = await simulate({}, { onEvent: event => events.push(event) })
    await call('POST', '/ip_restrictions', { type: SHORT })
    await call('POST', '/api_keys', { [SHORT]: 1 })
    expect(events).toHaveLength(2)
    const text = events.map(event => printed(log => log.event(event))).join('')
    expect(text.match(/\\u009b/g)?.length).toBe(2)
    expect(text).not.toMatch(NASTY)
  })
})

it('File problems are printed without control characters', async () => {
  const file = join(folderWith({ 'bad.json': JSON.stringify({ rules: [{ [SHORT]: 1 }] }) }), 'bad.json')
  const { code, err } = await edgesimHere(['validate', file])
  expect(code).toBe(2)
  expect(err).toContain('\\u009b')
  expect(err.replaceAll('\n', '')).not.toMatch(NASTY)
})
