import { describe, expect, it } from 'vitest'
import { codingFor } from '../../../src/ngrok/edges/compression.ts'
import { MAX_FILTER_PROGRAM } from '../../../src/ngrok/resources/edges/modules/user-agent-filter.ts'
import { ask } from '../../support/http.ts'
import { withRoute } from './edges.ts'

/** Generous: a backtracking engine takes far longer. */
const MAX_CPU_MS = 2_000

const WIDE = `(?i)[${'\\x{80}-\\x{1ffff}'.repeat(11)}]`
/** Short patterns that are too large to compile: 280 of them would take half a minute. */
const COSTLY = [
  ['wide classes', WIDE],
  ['wide classes in a group', `(?i:${WIDE.slice(4)})`],
  ['negated wide classes', `(?i)[^${'\u0080-\u{10ffff}'.repeat(45)}]`],
  ['Unicode classes', `(?i)[${'\\pL'.repeat(60)}]`],
  ['alternated Unicode classes', `${'\\PL|'.repeat(49)}x`],
  ['copied groups', `(${'()'.repeat(90)}){1000}`],
  ['counts', 'a{1000}'.repeat(28)],
] as const

/** Checks CPU time, because a busy machine may delay the work. */
async function expectLittleWork<T>(work: () => T | Promise<T>): Promise<T> {
  const before = process.cpuUsage()
  const result = await work()
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 1000).toBeLessThan(MAX_CPU_MS)
  return result
}

describe('A slow user agent filter', () => {
  it.each([
    '(a+)+$',
    '(a|aa)+$',
    '(.*a){12}$',
    '^(([a-z])+.)+[A-Z]([a-z])+$',
  ])('responds fast with %s', async pattern => {
    const { at, call, modulePath } = await withRoute({})
    const { status } = await call('PUT', modulePath('user_agent_filter'), { deny: [pattern] })
    expect(status).toBe(200)
    await ask(at, { headers: { 'User-Agent': 'a' } })
    const seen = await expectLittleWork(() => ask(at, { headers: { 'User-Agent': `${'a'.repeat(12_000)}!` } }))
    expect([200, 403]).toContain(seen.status)
  })

  it('rejects a long User-Agent for large patterns', async () => {
    const { at } = await withRoute({ user_agent_filter: { deny: ['(.*a){300}$'] } })
    const headers = { 'User-Agent': 'a'.repeat(12_000) }
    const { status, body } = await expectLittleWork(() => ask(at, { headers }))
    expect(status).toBe(403)
    expect(body.msg).toContain('it has 12000 characters, but these patterns allow up to')
  })

  it.each([
    ['too large', ['(x{1000}){1000}']],
    ['too large together', Array.from({ length: MAX_FILTER_PROGRAM / 10 + 1 }, () => 'abcdefgh')],
    ['too long', ['a'.repeat(201)]],
    ['large many times', Array.from({ length: 2_000 }, () => 'a{1000}'.repeat(28))],
  ])('is rejected if its patterns are %s', async (_, deny) => {
    const { call, modulePath } = await withRoute({})
    const { status, body } = await expectLittleWork(() => call('PUT', modulePath('user_agent_filter'), { deny }))
    expect([400, 413]).toContain(status)
    if (status === 400) expect(body.error_code).toBe('ERR_SERVICE_2090')
  })

  it.each(COSTLY)('is rejected with %s, and not compiled from a fixture', async (_, pattern) => {
    const { at, call, modulePath } = await withRoute({ user_agent_filter: { deny: Array(280).fill(pattern) } })
    await expectLittleWork(async () => {
      for (const path of ['/a', '/b']) {
        const { status, body } = await ask(at + path, { headers: { 'User-Agent': 'a' } })
        expect({ status, msg: body.msg }).toEqual({
          status: 403,
          msg: expect.stringMatching(/narrower classes|counts/),
        })
        // A write makes the edge reload its routes.
        expect((await call('POST', '/api_keys', {})).status).toBe(201)
      }
      const allow = Array(100).fill(pattern)
      const { status, body } = await call('PUT', modulePath('user_agent_filter'), { allow })
      expect({ status, code: body.error_code }).toEqual({ status: 400, code: 'ERR_SERVICE_2090' })
      const where = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`body.m${i}`, { matches: pattern }]))
      const verify = { sequence: Array.from({ length: 300 }, () => ({ where })) }
      expect((await call('POST', '/_sim/requests/verify', verify)).status).toBe(400)
    })
  })

  it('is compiled once, regardless of the number of writes', async () => {
    const patterns = ['(?i)[\\x{80}-\\x{1ffff}]', 'a{900}', 'b{900}']
    const { at, call } = await withRoute({ user_agent_filter: { allow: patterns, deny: patterns } })
    // Compiling it each time would take over 3 s.
    await expectLittleWork(async () => {
      for (let i = 0; i < 100; i++) {
        await call('POST', '/api_keys', {})
        expect((await ask(at, { headers: { 'User-Agent': 'a' } })).status).toBe(200)
      }
    })
  })
})

describe('A slow Accept-Encoding', () => {
  it.each([
    ['with many codings', 'a,'.repeat(6_000)],
    ['of spaces', `${' '.repeat(12_000)}x`],
    ['of commas', ','.repeat(12_000)],
    ['with many weights', 'gzip;q=0.1,'.repeat(1_000)],
    ['with a long name', `${'x'.repeat(12_000)};q`],
  ])('%s is parsed fast', async (_, accepted) => {
    const { at } = await withRoute({ compression: {} })
    const { status } = await expectLittleWork(() => ask(at, { headers: { 'Accept-Encoding': accepted } }))
    expect(status).toBe(200)
    await expectLittleWork(() => {
      for (let i = 0; i < 10; i++) codingFor(accepted)
    })
  })

  it('with spaces in a coding is parsed in linear time', async () => {
    // Quadratic time would be 40 s.
    const spaces = ' '.repeat(100_000)
    expect(await expectLittleWork(() => codingFor(`gzip${spaces};${spaces}q=1${spaces}x`))).toBeUndefined()
  })
})
