import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { describeProblem } from '../../src/basics/problem.ts'
import { findProblems } from '../../src/schema/index.ts'

const inner = z.strictObject({ name: z.string(), size: z.int().optional() })
const schema = z.strictObject({
  kind: z.enum(['small', 'large']).optional(),
  list: z.array(inner).optional(),
  byName: z.record(z.string(), inner).optional(),
  maybe: inner.nullable().optional(),
  either: z.union([z.string(), inner]).optional(),
  shape: z.string().regex(/^a+$/).optional(),
})

const describeAll = (value: unknown) => findProblems(schema, value).map(problem => describeProblem(problem))
const noField = (where: string) => `${where}.nam: unknown field "nam". Did you mean name?`

describe('A problem with a value is described:', () => {
  it.each([
    ['nothing', {}, []],
    ['an enum', { kind: 'medium' }, ['kind: must be one of small, large, got the string "medium"']],
    ['a wrong type', { list: 'none' }, ['list: must be a list, got the string "none"']],
    ['not an object', 7, ['the file must be an object, got the number 7']],
    ['a number in a list', { list: [{ name: 1 }] }, ['list[0].name: must be a string, got the number 1']],
    ['a fraction', { list: [{ name: 'a', size: 1.5 }] }, ['list[0].size: must be an integer, got the number 1.5']],
    ['a pattern', { shape: 'b' }, ['shape: must be a string like /^a+$/, got the string "b"']],
    ['an unknown field at the top', { kinds: 1 }, ['kinds: unknown field "kinds". Did you mean kind?']],
    ['an unknown field in a list', { list: [{ name: 'a', nam: 'b' }] }, [noField('list[0]')]],
    ['an unknown field in a record', { byName: { x: { name: 'a', nam: 'b' } } }, [noField('byName.x')]],
    ['an unknown field in a nullable', { maybe: { name: 'a', nam: 'b' } }, [noField('maybe')]],
    ['an unknown field in a union', { either: { name: 'a', nam: 'b' } }, [noField('either')]],
    ['a union', { either: 7 }, ['either: must be a string or an object, got the number 7']],
    [
      'two problems',
      { kind: 'x', list: 7 },
      ['kind: must be one of small, large, got the string "x"', 'list: must be a list, got the number 7'],
    ],
  ])('%s', (_, value, messages) => {
    expect(describeAll(value)).toEqual(messages)
  })
})
