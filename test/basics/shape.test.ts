import { describe, expect, it } from 'vitest'
import { describeProblem } from '../../src/basics/problem.ts'
import {
  anyInteger,
  checked,
  either,
  integer,
  kindsOf,
  listOf,
  mapOf,
  matching,
  nothing,
  objectOf,
  oneOf,
  textShape,
  withType,
} from '../../src/basics/shape.ts'
import { tableIn } from '../support/tables.ts'

const cases: [what: string, value: unknown, messages: string[]][] = tableIn(import.meta.url, 'shape.yaml')

const inner = objectOf({ name: { shape: textShape(), required: true }, size: { shape: anyInteger } })
const shape = objectOf({
  kind: { shape: oneOf(['small', 'large']) },
  list: { shape: listOf(inner, 2, 1) },
  byName: { shape: mapOf(inner) },
  maybe: { shape: either(inner, nothing) },
  either: { shape: either(textShape(), inner) },
  pattern: { shape: matching(/^a+$/) },
  least: { shape: integer({ minimum: 2 }) },
  even: { shape: checked(anyInteger, value => (value % 2 ? { message: 'must be even' } : undefined)) },
  words: { shape: withType(listOf(textShape()), 'words') },
  tagged: { shape: kindsOf('type', { dog: { barks: { shape: anyInteger } }, cat: {} }) },
})

it('Types without further checks are one list in JSON Schema', () => {
  expect(either(textShape(), nothing).json).toEqual({ type: ['string', 'null'] })
  expect(either(textShape(), integer({ minimum: 1 })).json).toHaveProperty('anyOf')
})

describe('A problem with a value is described:', () => {
  it.each(cases)('%s', (_, value, messages) => {
    expect(shape.find(value)?.map(problem => describeProblem(problem)) ?? []).toEqual(messages)
  })
})
