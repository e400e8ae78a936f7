import fc from 'fast-check'
import { expect, it } from 'vitest'
import { depthOf } from '../../src/basics/json.ts'
import { runSync } from '../../src/basics/slices.ts'
import { parseSteps } from '../../src/http/json-steps.ts'

const parse = (text: string) => runSync(parseSteps(text, 20))
/** Longer than what is parsed at once, wherever it stands. */
const long = 'x'.repeat(40_000)
const indents = fc.constantFrom(undefined, 2, '\t')

const valueWith = fc
  .tuple(fc.jsonValue({ maxDepth: 4 }), fc.jsonValue({ maxDepth: 3 }), indents)
  .map(([one, other, indent]) =>
    JSON.stringify([one, { a: long, '"\\': other, __proto__x: one }, [long, [other]]], null, indent),
  )

it('JSON is parsed in steps with the result of JSON.parse', () => {
  fc.assert(
    fc.property(valueWith, text => {
      const value = JSON.parse(text)
      expect(parse(text)).toEqual({ value, depth: depthOf(value, 20) })
    }),
    { numRuns: 200 },
  )
})

it('JSON that JSON.parse refuses is refused in steps too', () => {
  fc.assert(
    fc.property(
      valueWith,
      fc.nat(),
      fc.constantFrom('', ',', '"', '}', ']', '{', '[', ':', '\\', 'x'),
      (text, place, put) => {
        const at = place % text.length
        const broken = text.slice(0, at) + put + text.slice(at + 1)
        let whole: unknown
        try {
          whole = { value: JSON.parse(broken) }
        } catch {
          expect(() => parse(broken)).toThrow(SyntaxError)
          return
        }
        expect(parse(broken)).toMatchObject(whole as object)
      },
    ),
    { numRuns: 500 },
  )
})

it('A member called __proto__ is parsed in steps like any other', () => {
  const { value } = parse(`{"a":"${long}","__proto__":{"admin":true}}`)
  expect(Object.keys(value as object)).toEqual(['a', '__proto__'])
  expect((value as { admin?: true }).admin).toBeUndefined()
})

it('JSON nested deeper than any stack is refused in steps', () => {
  for (const [open, close] of [
    ['[', ']'],
    ['{"a":', '}'],
  ] as const)
    expect(parse(open.repeat(100_000) + close.repeat(100_000)).depth).toBeGreaterThan(20)
  expect(parse('['.repeat(100_000)).depth).toBeGreaterThan(20)
})
