import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import * as z from 'zod'
import { describeProblem } from '../../../src/basics/problem.ts'
import { findProblems } from '../../../src/engine/language/index.ts'

const cases: [what: string, value: unknown, messages: string[]][] = parse(
  readFileSync(new URL('problem.yaml', import.meta.url), 'utf8'),
)

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

describe('A problem with a value is described:', () => {
  it.each(cases)('%s', (_, value, messages) => {
    expect(describeAll(value)).toEqual(messages)
  })
})
