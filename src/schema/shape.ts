import { isObject } from '../basics/json.ts'
import { show } from '../basics/problem.ts'
import { MOST_FLAWS, type ValueProblem } from './problem.ts'

type Json = Record<string, unknown>

/**
 * What a value may be, and how that is described to editors and in OpenAPI. Our declarations are made of these few, which
 * cost nothing to make and next to nothing to ask: a start reads a fixture, and every write is checked.
 */
export interface Shape<T = unknown> {
  /** What is wrong with a value, each problem with the path that leads to it; undefined when it fits. */
  find(value: unknown): ValueProblem[] | undefined
  /** JSON Schema. It cannot say everything that is checked. */
  json: Json
  /** Only a type: of the values that fit. */
  fits?: T
}

type Found = Partial<ValueProblem> & { expected: string }

const wrong = (value: unknown, problem: Found): ValueProblem[] => [{ path: [], received: show(value), ...problem }]

/** A shape of its own. */
export const shape = <T>(json: Json, check: (value: unknown) => Found | undefined): Shape<T> => ({
  find(value) {
    const problem = check(value)
    return problem && wrong(value, problem)
  },
  json,
})

/** A text, and what else is asked of it. */
export const text = <T extends string = string>(
  json: Json = {},
  check?: (value: string) => Found | undefined,
): Shape<T> =>
  shape({ type: 'string', ...json }, value => (typeof value === 'string' ? check?.(value) : { expected: 'a string' }))

export const matching = (pattern: RegExp, json: Json = {}) =>
  text({ pattern: pattern.source, ...json }, value =>
    pattern.test(value) ? undefined : { expected: `a string like ${pattern}` },
  )

export const truth: Shape<boolean> = shape({ type: 'boolean' }, value =>
  typeof value === 'boolean' ? undefined : { expected: 'true or false' },
)

export const anyObject: Shape<Json> = shape({ type: 'object' }, value =>
  isObject(value) ? undefined : { expected: 'an object' },
)

const below = (step: string | number, problems: ValueProblem[]) =>
  problems.map(problem => ({ ...problem, path: [step, ...problem.path] }))

export const listOf = <T>(item: Shape<T>, most = Number.POSITIVE_INFINITY): Shape<T[]> => ({
  find(value) {
    if (!Array.isArray(value)) return wrong(value, { expected: 'a list' })
    if (value.length > most) return wrong(value, { expected: `a list of at most ${most}`, received: `${value.length}` })
    let found: ValueProblem[] | undefined
    for (let i = 0; i < value.length; i++) {
      const problems = item.find(value[i])
      if (!problems) continue
      found ??= []
      found.push(...below(i, problems))
      if (found.length >= MOST_FLAWS) break
    }
    return found
  },
  json: { type: 'array', items: item.json, ...(Number.isFinite(most) && { maxItems: most }) },
})

export type Members = Record<string, { shape: Shape; required?: boolean }>

/** An object with these members and no others. */
export function objectOf<T = Json>(members: Members): Shape<T> {
  const names = Object.keys(members)
  const required = names.filter(name => members[name]!.required)
  return {
    find(value) {
      if (!isObject(value)) return wrong(value, { expected: 'an object' })
      let found: ValueProblem[] | undefined
      let known = 0
      for (const name of names) {
        const given = Object.hasOwn(value, name)
        if (given) known++
        const member = given ? value[name] : undefined
        if (member === undefined && !members[name]!.required) continue
        const problems = members[name]!.shape.find(member)
        if (problems) found = [...(found ?? []), ...below(name, problems)]
      }
      const all = Object.keys(value)
      if (all.length === known) return found
      const unknown = all.filter(name => !Object.hasOwn(members, name)).slice(0, MOST_FLAWS)
      return [...(found ?? []), ...unknown.map(name => unknownMember(value, name, names))]
    },
    json: {
      type: 'object',
      properties: Object.fromEntries(names.map(name => [name, members[name]!.shape.json])),
      ...(required.length > 0 && { required }),
      additionalProperties: false,
    },
  }
}

const unknownMember = (value: Json, name: string, allowed: string[]): ValueProblem => ({
  path: [name],
  expected: 'no such field',
  received: show(value),
  unknown: { name, allowed },
})
