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

const say = (value: unknown) => findProblems(schema, value).map(problem => describeProblem(problem))
const noField = (where: string) => `${where}.nam: unknown field "nam". Did you mean name?`

describe('A problem of a value is described:', () => {
  it.each([
    ['nothing', {}, []],
    ['one of a few', { kind: 'medium' }, ['kind: must be one of small, large, got the string "medium"']],
    ['another kind of value', { list: 'none' }, ['list: must be a list, got the string "none"']],
    ['no object at all', 7, ['the file must be an object, got the number 7']],
    ['a number in a list', { list: [{ name: 1 }] }, ['list[0].name: must be a string, got the number 1']],
    ['a fraction', { list: [{ name: 'a', size: 1.5 }] }, ['list[0].size: must be an integer, got the number 1.5']],
    ['a pattern', { shape: 'b' }, ['shape: must be a string like /^a+$/, got the string "b"']],
    ['an unknown member at the top', { kinds: 1 }, ['kinds: unknown field "kinds". Did you mean kind?']],
    ['one in a list', { list: [{ name: 'a', nam: 'b' }] }, [noField('list[0]')]],
    ['one in a member by name', { byName: { x: { name: 'a', nam: 'b' } } }, [noField('byName.x')]],
    ['one in what may be null', { maybe: { name: 'a', nam: 'b' } }, [noField('maybe')]],
    ['one in what may be something else', { either: { name: 'a', nam: 'b' } }, [noField('either')]],
    ['one of two things', { either: 7 }, ['either: must be a string or an object, got the number 7']],
    [
      'more than one thing',
      { kind: 'x', list: 7 },
      ['kind: must be one of small, large, got the string "x"', 'list: must be a list, got the number 7'],
    ],
  ])('%s', (_, value, said) => {
    expect(say(value)).toEqual(said)
  })
})
