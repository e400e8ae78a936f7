import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contains } from '../../../src/basics/text.ts'
import { expectError } from '../../support/http.ts'
import { simulate } from '../../support/in-process.ts'

const { call } = await simulate()

/** A filter counts towards the 16 KB of a request's head. Encoded characters take three bytes each. */
const LONGEST = 15_000

const pathOf = (filter: string) => `/api_keys?filter=${encodeURIComponent(filter)}`
const filtered = (filter: string) => call('GET', pathOf(filter))

/** Builds a string of 8 × 4^levels characters. */
function doubled(levels: number, use: string) {
  let text = use.replace('LAST', `v${levels}`)
  for (let i = levels; i > 0; i--) text = `cel.bind(v${i}, v${i - 1} + v${i - 1} + v${i - 1} + v${i - 1}, ${text})`
  return `cel.bind(v0, "aaaaaaaa", ${text})`
}

const nested = (depth: number): string =>
  depth === 0 ? 'obj.id == "x"' : `[0,1,2,3,4,5,6,7,8,9].exists(v${depth}, ${nested(depth - 1)})`

function grown(steps: number) {
  let text = 'obj.id'
  for (let i = 0; i < steps; i++) text = `[${text}].map(t, t + t)[0]`
  return `${text}.contains("zzz")`
}

const MALICIOUS: [what: string, filter: string][] = [
  ['a string that doubles, then is split', doubled(12, 'LAST.split("").size() > 0')],
  ['a string that doubles beyond the maximum length', doubled(15, 'LAST.size() > 0')],
  ['a string that doubles, in a joined list', doubled(9, '[LAST, LAST, LAST].join(LAST).size() > 0')],
  ['a string that doubles in a macro', grown(18)],
  ['nested lists', nested(6)],
  ['a regular expression that backtracks', `("${'a'.repeat(40)}!" + obj.id).matches("^(a+)+$")`],
  ['many parentheses', `${'('.repeat(7_000)}true${')'.repeat(7_000)}`],
  ['many unclosed parentheses', '('.repeat(LONGEST)],
  ['many negations', `${'!'.repeat(LONGEST)}true`],
  ['many brackets', '['.repeat(LONGEST / 3)],
  ['many calls', `${'size('.repeat(2_900)}"a"`],
  ['many fields', `obj${'.a'.repeat(LONGEST / 2)}`],
  ['many chained comparisons', `true${' == true'.repeat(1_000)}`],
  ['an unclosed string', `obj.id == "${'\\\\'.repeat(2_400)}`],
  ['many quotes', '"'.repeat(LONGEST / 3)],
  ['many digits', `size(obj.id) == ${'9'.repeat(LONGEST - 100)}.`],
]

describe('A malicious filter', () => {
  it.each(MALICIOUS)('is rejected: %s', async (_, filter) => {
    expectError(await filtered(filter), 400, 250)
  })

  it.each<[what: string, filter: string, ids: string[]]>([
    ['or', `${'obj.id=="x"||'.repeat(500)}obj.id=="ak_ci"`, ['ak_ci']],
    ['and', `${'obj.id!="x"&&'.repeat(500)}obj.id!="ak_ci"`, ['ak_member', 'ak_admin']],
    ['in', `obj.id in["ak_ci"${',"ak_x"'.repeat(1_000)}]`, ['ak_ci']],
    ['a long string', `obj.metadata != "${'a'.repeat(LONGEST - 200)}"`, ['ak_ci', 'ak_member', 'ak_admin']],
    ['a long number', `size(obj.id) < ${'9'.repeat(LONGEST - 200)}`, ['ak_ci', 'ak_member', 'ak_admin']],
  ])('that is only long gets a response: %s', async (_, filter, ids) => {
    const { status, body } = await filtered(filter)
    expect({ status, ids: body.keys?.map(({ id }: { id: string }) => id) }).toEqual({ status: 200, ids })
  })

  it('is rejected 60 times in parallel, and the next filter works', async () => {
    const responses = await Promise.all(
      Array.from({ length: 60 }, async (_, i) => (await filtered(MALICIOUS[i % MALICIOUS.length]![1])).status),
    )
    expect(new Set(responses)).toEqual(new Set([400]))
    expect((await filtered('obj.id == "ak_ci"')).body.keys).toHaveLength(1)
  })
})

describe('A search that is too long for the number of records or requests is rejected:', () => {
  const long = (length: number) => 'obj.id=="x"||'.repeat(length / 13)
  const many = async (name: string) => {
    await call('POST', '/_sim/sandboxes', { name })
    await call('PUT', `/_sim/sandboxes/${name}/state`, {
      users: [{ id: 'usr_admin', admin: true }],
      api_keys: [{ id: 'ak_admin', owner_id: 'usr_admin', token: 'sim_admin' }],
      ip_policies: Array.from({ length: 10_000 }, (_, i) => ({ id: `ipp_${i}` })),
    })
    return { token: `sim_admin~${name}` }
  }

  it('a filter', async () => {
    const as = await many('filters')
    const list = (length: number) =>
      call('GET', `/ip_policies?filter=${encodeURIComponent(`${long(length)}false`)}`, undefined, as)
    expect((await list(1_990)).status).toBe(200)
    expect(expectError(await list(2_010), 400, 250).msg).toMatch(
      /Error at its end: 2000 characters are the limit for 10000 records, got 2007/,
    )
  })

  it('a query of /_sim/db', async () => {
    await many('queries')
    const find = (length: number) =>
      call('GET', `/_sim/sandboxes/queries/db/ip_policies?metadata:contains=${'x'.repeat(length)}`)
    expect((await find(1_900)).status).toBe(200)
    expect(expectError(await find(2_000), 400, 400).msg).toMatch(
      /^The query would take too long: 2000 characters are the limit for 10000 records/,
    )
  })

  it('an expectation, and the paths of a scenario', async () => {
    await call('POST', '/_sim/sandboxes', { name: 'expectations' })
    for (let i = 0; i < 100; i++) await call('GET', '/api_keys', undefined, { token: 'sim_admin~expectations' })
    const verify = (body: object) => call('POST', '/_sim/sandboxes/expectations/requests/verify', body)
    const wanted = (length: number) => ({ where: { 'body.description': 'x'.repeat(length) } })
    expect((await verify(wanted(199_000))).status).toBe(409)
    expect(expectError(await verify(wanted(200_000)), 400, 400).msg).toMatch(
      /^The expectation would take too long: 200000 characters are the limit for 100 requests/,
    )
    const rules = (count: number) => ({
      rules: Array.from({ length: count }, (_, i) => ({
        when: { path: `/api_keys/${i}${'*'.repeat(30)}` },
        latency: '1ms',
      })),
    })
    const use = (count: number) => call('PUT', '/_sim/sandboxes/expectations/scenario?dry_run=true', rules(count))
    expect((await use(100)).status).toBe(200)
    const many = {
      rules: rules(1_000).rules.map(({ when }) => ({ when: { path: Array(10).fill(when.path) }, latency: '1ms' })),
    }
    expect(expectError(await call('PUT', '/_sim/sandboxes/expectations/scenario', many), 400, 400).msg).toMatch(
      /rules: all paths or event types together are too long: .* operations/,
    )
    const paths = { sequence: Array.from({ length: 250 }, (_, i) => ({ path: `/${i}${'/*'.repeat(400)}` })) }
    expect(expectError(await verify(paths), 400, 400).msg).toMatch(/^The paths would take too long: .* 100 requests/)
  })
})

describe('A slow regular expression', () => {
  const inSandbox = async (name: string, text: string, count = 1) => {
    for (let i = 0; i < count; i++)
      await call('POST', '/api_keys', { description: text }, { token: `sim_admin~${name}` })
    return (matches: string) =>
      call('POST', `/_sim/sandboxes/${name}/requests/verify`, { where: { 'body.description': { matches } } })
  }

  it.each([
    ['^(a+)+$', 409],
    ['(a|aa)+$', 409],
    ['^(a|a?)+$', 409],
    ['(.*)*x', 409],
    ['^(([a-z])+.)+[A-Z]([a-z])+$', 409],
    ['(a+)+!', 200],
  ])('gets a response: %s', async (matches, status) => {
    const verify = await inSandbox('slow', `${'a'.repeat(200)}!`)
    expect((await verify(matches)).status).toBe(status)
  })

  it.each([
    ['a.{400}[^ab]', 3, 4],
    ['[\\pL\\pN]{50}z', 4, 5],
  ])('is rejected if its size times the length of all strings is too large: %s', async (matches, few, many) => {
    const verify = await inSandbox(`long-${few}`, 'ab'.repeat(5_000), few)
    expect((await verify(matches)).status).toBe(409)
    const verifyMore = await inSandbox(`long-${few}`, 'ab'.repeat(5_000), many - few)
    expect(expectError(await verifyMore(matches), 400, 400).msg).toMatch(
      /The regular expressions would take too long: .* exceed 15000000\. Use shorter ones/,
    )
  })
})

it('A search in a long string gives the same result as String.includes', () => {
  const repeated = fc.tuple(fc.constantFrom('a', 'ab', 'aab', 'abcab', 'é', '💥'), fc.integer({ min: 1, max: 300 }))
  const long = fc
    .array(repeated, { minLength: 1, maxLength: 4 })
    .map(list => list.map(([text, count]) => text.repeat(count)).join(''))
  const inside = fc
    .tuple(long, fc.nat(), fc.nat())
    .map(([text, from, count]) => [text, text.slice(from % text.length).slice(0, 256 + (count % 300))] as const)
  fc.assert(
    fc.property(fc.oneof(fc.tuple(long, long), inside), ([text, sought]) => {
      expect(contains(text, sought)).toBe(text.includes(sought))
    }),
    { numRuns: 500 },
  )
})
