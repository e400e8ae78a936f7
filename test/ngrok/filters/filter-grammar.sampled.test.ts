import fc from 'fast-check'
import { expect, it } from 'vitest'
import { simulate } from '../../support/in-process.ts'
import { samples } from '../../support/long.ts'

/** An expression, and the items that match it, computed without the parser. */
interface Expression {
  text: string
  matches: (item: Item) => boolean
}

interface Item {
  id: string
  created_at: string
  description?: string
  metadata?: string
  action: string
  ip_policy_id: string
}

const NOW = Date.parse('2026-01-10T12:00:00Z')
const TEXTS = ['', 'a', 'ab', 'A "quoted" text', "it's", 'back\\slash', 'new\nline', 'é', '💥 and more', 'size(obj.id)']
const TIMES = ['2026-01-01T00:00:00Z', '2026-01-05T12:30:00Z', '2026-01-09T12:00:00Z', '2026-01-10T12:00:00Z']
const ACTIONS = ['allow', 'deny']
const POLICIES = ['ipp_1', 'ipp_2', 'ipp_3']

const items: Item[] = Array.from({ length: 24 }, (_, i) => ({
  id: `ipr_${i}`,
  created_at: TIMES[i % TIMES.length]!,
  ...(TEXTS[i % TEXTS.length] && { description: TEXTS[i % TEXTS.length] }),
  ...(TEXTS[(i * 7) % 9] && { metadata: TEXTS[(i * 7) % 9] }),
  action: ACTIONS[i % 2]!,
  cidr: `10.0.${i}.0/24`,
  ip_policy_id: POLICIES[i % 3]!,
}))

const pick = <T>(list: readonly T[]) => fc.constantFrom(...list)
const ORDERS: Record<string, (a: string | number, b: string | number) => boolean> = {
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
}
const compared = (member: string, value: string, read: (item: Item) => string | number, other: string | number) =>
  fc.tuple(pick(Object.keys(ORDERS)), fc.boolean()).map(
    ([operator, turned]): Expression => ({
      text: turned ? `${value} ${operator} ${member}` : `${member} ${operator} ${value}`,
      matches: item => (turned ? ORDERS[operator]!(other, read(item)) : ORDERS[operator]!(read(item), other)),
    }),
  )

const quoted = (text: string, quote: string) =>
  quote +
  text
    .replace(/[\\"']/g, '\\$&')
    .replaceAll('\n', '\\n')
    .replaceAll('é', '\\u00e9') +
  quote
const textOf = (item: Item, name: string) =>
  name === 'ip_policy.id' ? item.ip_policy_id : String((item as unknown as Record<string, unknown>)[name] ?? '')
const member = pick(['id', 'description', 'metadata', 'action', 'cidr', 'ip_policy.id'])
const free = pick(['description', 'metadata', 'action', 'cidr'])
const literal = fc.tuple(pick([...TEXTS, ...ACTIONS, ...POLICIES, '10.0.7.0/24', 'ipr_7']), pick(['"', "'"]))

const texts = fc
  .tuple(member, literal)
  .chain(([name, [text, quote]]) => compared(`obj.${name}`, quoted(text, quote), item => textOf(item, name), text))
const parts = fc.tuple(free, literal, pick(['startsWith', 'endsWith', 'contains'] as const)).map(
  ([name, [text, quote], by]): Expression => ({
    text: `obj.${name}.${by}(${quoted(text, quote)})`,
    matches: item => textOf(item, name)[by === 'contains' ? 'includes' : by](text),
  }),
)
const among = fc.tuple(member, fc.array(literal, { maxLength: 4 })).map(
  ([name, list]): Expression => ({
    text: `obj.${name} in [${list.map(([text, quote]) => quoted(text, quote)).join(', ')}]`,
    matches: item => list.some(([text]) => text === textOf(item, name)),
  }),
)
const sizes = fc
  .tuple(pick(['description', 'metadata', 'action']), fc.integer({ min: -1, max: 18 }), fc.boolean())
  .chain(([name, size, method]) =>
    compared(
      method ? `obj.${name}.size()` : `size(obj.${name})`,
      `${size}`,
      item => [...textOf(item, name)].length,
      size,
    ),
  )
const unset = fc.tuple(pick(['description', 'metadata', 'ip_policy']), pick(['==', '!='])).map(
  ([name, operator]): Expression => ({
    text: `obj.${name} ${operator} null`,
    matches: item => (name !== 'ip_policy' && textOf(item, name) === '') === (operator === '=='),
  }),
)
const HOURS = { h: 1, d: 24 }
const times = fc
  .oneof(
    pick(TIMES).chain(time =>
      pick([
        { expressions: `timestamp("${time}")`, ms: Date.parse(time) },
        { expressions: `"${time}"`, ms: Date.parse(time) },
        { expressions: `timestamp("${time.replace('Z', '-02:00')}")`, ms: Date.parse(time) + 7_200_000 },
      ]),
    ),
    fc
      .array(fc.tuple(pick(['add', 'subtract']), fc.nat(9), pick(['h', 'd'] as const)), { maxLength: 3 })
      .map(moves => ({
        expressions: `timestamp(time.now)${moves.map(([by, count, unit]) => `.${by}("${count}${unit}")`).join('')}`,
        ms: moves.reduce(
          (ms, [by, count, unit]) => ms + (by === 'add' ? 1 : -1) * count * HOURS[unit] * 3_600_000,
          NOW,
        ),
      })),
  )
  .chain(({ expressions, ms }) => compared('obj.created_at', expressions, item => Date.parse(item.created_at), ms))
const plain = pick<Expression>([
  { text: 'true', matches: () => true },
  { text: 'false', matches: () => false },
  { text: '(obj.action == "deny") == true', matches: ({ action }) => action === 'deny' },
])

const { either } = fc.letrec<{ either: Expression; both: Expression; single: Expression }>(tie => ({
  either: fc.array(tie('both'), { minLength: 1, maxLength: 3 }).map(expressions => ({
    text: expressions.map(({ text }) => text).join(' || '),
    matches: item => expressions.some(({ matches }) => matches(item)),
  })),
  both: fc.array(tie('single'), { minLength: 1, maxLength: 3 }).map(expressions => ({
    text: expressions.map(({ text }) => text).join('&&'),
    matches: item => expressions.every(({ matches }) => matches(item)),
  })),
  single: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.oneof(texts, parts, among, sizes, unset, times, plain),
    tie('either').map(({ text, matches }) => ({ text: `( ${text} )`, matches })),
    tie('either').map(({ text, matches }) => ({ text: `!(${text})`, matches: (item: Item) => !matches(item) })),
  ),
}))

const { call } = await simulate({
  clock: new Date(NOW).toISOString(),
  fixture: {
    users: [{ id: 'usr_a', admin: true }],
    ip_policies: POLICIES.map(id => ({
      id,
      rules: items.filter(item => item.ip_policy_id === id).map(({ ip_policy_id: _, ...rule }) => rule as never),
    })),
  },
})
const ask = (filter: string) => call('GET', `/ip_policy_rules?filter=${encodeURIComponent(filter)}`)

it('Any filter selects the same records as an independent evaluator', async () => {
  await fc.assert(
    fc.asyncProperty(either, async ({ text, matches }) => {
      const { status, body } = await ask(text)
      const chosen = body.ip_policy_rules?.map(({ id }: Item) => id).sort()
      const expected = items
        .filter(matches)
        .map(({ id }) => id)
        .sort()
      expect({ status, msg: body.msg, chosen }).toEqual({ status: 200, msg: undefined, chosen: expected })
    }),
    { numRuns: samples(50, 150) },
  )
})

it('Any string as a filter returns a list or 400', async () => {
  const words =
    `obj .id .cidr .size() "a" ' " ( ) [ ] , ! && || == < in null true 1 - ? : { } + timestamp( time.now`.split(' ')
  const more = ['.add("1h")', '\\', ' ']
  const damaged = fc.tuple(either, fc.nat(), pick([...words, ...more, ''])).map(([{ text }, place, by]) => {
    const at = place % (text.length + 1)
    return text.slice(0, at) + by + text.slice(at + 1)
  })
  const garbage = fc.oneof(
    damaged,
    fc.array(pick([...words, ...more]), { maxLength: 30 }).map(list => list.join('')),
    fc.string({ unit: 'grapheme', maxLength: 40 }),
  )
  await fc.assert(
    fc.asyncProperty(garbage, async text => {
      // A URL cannot contain half a character.
      const { status, body } = await ask(text.replace(/\p{Surrogate}/gu, ''))
      if (status === 200) return
      expect({ status, code: body.error_code, field: body.details.field }).toEqual({
        status: 400,
        code: 'ERR_SERVICE_250',
        field: 'filter',
      })
    }),
    { numRuns: samples(50, 150) },
  )
})
