import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseInSteps } from '../../src/basics/long-json.ts'
import { runSync, sortInSteps } from '../../src/basics/slices.ts'
import { samples } from '../support/long.ts'

const parse = (text: string) => runSync(parseInSteps(text))
const outcomeOf = (read: () => unknown) => {
  try {
    return { value: read() }
  } catch (error) {
    return { error: (error as Error).name }
  }
}

describe('JSON parsed in steps', () => {
  /** Long enough for several steps. */
  const padding = JSON.stringify('x\\"[{,}]'.repeat(4_000))
  const item = fc.oneof(fc.json({ maxDepth: 2 }), fc.constant(padding))
  const list = fc.array(item, { maxLength: 8 }).map(items => `[${[padding, padding, ...items, padding].join(', ')}]`)
  const name = fc.oneof(fc.string(), fc.constantFrom('__proto__', '1', 'a')).map(text => JSON.stringify(text))
  const objectOf = (member: fc.Arbitrary<string>) =>
    fc.array(fc.tuple(name, member), { maxLength: 4 }).map(members => `{${members.map(each => each.join(':')).join()}}`)
  const text = fc.oneof(list, objectOf(fc.oneof(list, item)), objectOf(objectOf(fc.oneof(list, item))))

  it('has the same value as with JSON.parse', () => {
    fc.assert(
      fc.property(text, given => void expect(parse(given)).toEqual(JSON.parse(given))),
      { numRuns: samples(300, 3_000) },
    )
  })

  it('is rejected if JSON.parse rejects it', () => {
    const broken = fc
      .tuple(text, fc.nat(), fc.constantFrom('', ',', '"', '[', ']', '}', '1', '\\'))
      .map(([given, at, by]) => {
        const place = at % given.length
        return given.slice(0, place) + by + given.slice(place + 1)
      })
    fc.assert(
      fc.property(
        broken,
        given => void expect(outcomeOf(() => parse(given))).toEqual(outcomeOf(() => JSON.parse(given))),
      ),
      { numRuns: samples(300, 3_000) },
    )
  })

  it('takes many steps, and reports the position of an error', () => {
    const many = `{"a":[${Array.from({ length: 50_000 }, (_, i) => `{"n":${i}}`).join()}]}`
    expect([...parseInSteps(many)].length).toBeGreaterThan(10)
    const bad = many.indexOf('{"n":40000}') + 1
    expect(() => parse(`${many.slice(0, bad)}n${many.slice(bad)}`)).toThrow(`position ${bad}`)
    const item = JSON.stringify('x'.repeat(70_000))
    for (const list of [`[${item},,${item}]`, `[${item},${item},]`, `[,${item},${item}]`])
      expect(() => parse(list)).toThrow(SyntaxError)
    expect(() => parse(`${many},`)).toThrow('outside the long lists')
  })
})

it.each([0, 1, 1024, 1025, 5_000])('A sort of %d items in steps has the same result as toSorted', count => {
  const list = Array.from({ length: count }, (_, i) => [(i * 7919) % 101, i] as const)
  const byFirst = (a: readonly number[], b: readonly number[]) => a[0]! - b[0]!
  expect(runSync(sortInSteps(list, byFirst)).join(' ') === list.toSorted(byFirst).join(' ')).toBe(true)
})
