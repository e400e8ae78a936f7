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

describe('A slow regular expression', () => {
  const inSandbox = async (name: string, text: string) => {
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

  it('is rejected if its size times the string length is too large', async () => {
    const verify = await inSandbox('long', 'ab'.repeat(5_000))
    expect((await verify('a.{40}[^ab]')).status).toBe(409)
    expect(expectError(await verify('a.{90}[^ab]'), 400, 400).msg).toMatch(
      /"a\.\{90\}\[\^ab\]" is too large for 10000 characters: it can have up to 50 instructions, got 94/,
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
