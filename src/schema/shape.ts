import { isObject } from '../basics/json.ts'
import { MAX_PROBLEMS, show } from '../basics/problem.ts'
import type { ValueError, ValueProblem } from './problem.ts'

type Json = Record<string, unknown>

/**
 * Checks a value, and describes it to editors and in OpenAPI. Declarations use these instead of zod schemas, which take
 * longer to make and to run: a start checks a whole fixture, and every write is checked.
 */
export interface Shape<T = unknown> {
  /** The problems of a value, each with the path to it; undefined if the value fits. */
  find(value: unknown): ValueProblem[] | undefined
  /** JSON Schema. It cannot express everything that is checked. */
  json: Json
  /** Never set: it only carries the type of the values that fit. */
  fits?: T
}

export type Mismatch = Partial<ValueProblem> & { expected: string }

export const toProblems = (value: unknown, mismatch: Mismatch): ValueProblem[] => [
  { path: [], received: show(value), ...mismatch },
]

const shape = <T>(json: Json, check: (value: unknown) => Mismatch | undefined): Shape<T> => ({
  find(value) {
    const mismatch = check(value)
    return mismatch && toProblems(value, mismatch)
  },
  json,
})

/** A string, with a further check. */
export const textShape = <T extends string = string>(
  json: Json = {},
  check?: (value: string) => Mismatch | undefined,
): Shape<T> =>
  shape({ type: 'string', ...json }, value => (typeof value === 'string' ? check?.(value) : { expected: 'a string' }))

export const matching = (pattern: RegExp, json: Json = {}) =>
  textShape({ pattern: pattern.source, ...json }, value =>
    pattern.test(value) ? undefined : { expected: `a string like ${pattern}` },
  )

const AFTER_PREFIX = /^[A-Za-z0-9_-]{1,64}$/

/** Ids start with the prefix of their kind: `ak_…` is an API key wherever it appears. */
export const isIdentifier = (prefix: string, id: string) =>
  id.startsWith(`${prefix}_`) && AFTER_PREFIX.test(id.slice(prefix.length + 1))

export const looksLikeIdentifier = (id: string) => /^[a-z][a-z0-9]*_[A-Za-z0-9_-]{1,64}$/.test(id)

export const identifier = (prefix: string) =>
  textShape({ pattern: `^${prefix}_[A-Za-z0-9_-]{1,64}$` }, value =>
    isIdentifier(prefix, value)
      ? undefined
      : { expected: `an id that starts with ${prefix}_, then 1 to 64 of A-Z a-z 0-9 _ -` },
  )

export const boolean: Shape<boolean> = shape({ type: 'boolean' }, value =>
  typeof value === 'boolean' ? undefined : { expected: 'true or false' },
)

interface Limits {
  minimum: number
  maximum: number
}

/** The error for a number beyond the limits: one, or those for one that is too small or too large. */
type Beyond = ValueError | { below?: ValueError; above?: ValueError }

function between(kind: 'integer' | 'number', noun: string, limits: Limits, beyond: Beyond) {
  const { below, above } = typeof beyond === 'string' ? { below: beyond, above: beyond } : beyond
  const { minimum, maximum } = limits
  const expected = `a ${noun} from ${minimum} to ${maximum}`
  return shape<number>({ type: kind, ...limits }, value => {
    if (typeof value !== 'number' || (kind === 'integer' && !Number.isInteger(value))) return { expected }
    if (value < minimum) return { error: below, expected }
    return value > maximum ? { error: above, expected } : undefined
  })
}

export const integer = (limits: Limits, beyond: Beyond = {}) => between('integer', 'whole number', limits, beyond)

export const number = (limits: Limits, beyond: Beyond = {}) => between('number', 'number', limits, beyond)

export const anyObject: Shape<Json> = shape({ type: 'object' }, value =>
  isObject(value) ? undefined : { expected: 'an object' },
)

export const inside = (step: string | number, problems: ValueProblem[]) =>
  problems.map(problem => ({ ...problem, path: [step, ...problem.path] }))

export const listOf = <T>(item: Shape<T>, max = Number.POSITIVE_INFINITY): Shape<T[]> => ({
  find(value) {
    if (!Array.isArray(value)) return toProblems(value, { expected: 'a list' })
    if (value.length > max)
      return toProblems(value, { expected: `a list of at most ${max}`, received: `${value.length}` })
    let found: ValueProblem[] | undefined
    for (let i = 0; i < value.length; i++) {
      const problems = item.find(value[i])
      if (!problems) continue
      found ??= []
      found.push(...inside(i, problems))
      if (found.length >= MAX_PROBLEMS) break
    }
    return found
  },
  json: { type: 'array', items: item.json, ...(Number.isFinite(max) && { maxItems: max }) },
})

/** An object with any members, all of one shape. */
export const mapOf = <T>(item: Shape<T>): Shape<Record<string, T>> => ({
  find(value) {
    if (!isObject(value)) return toProblems(value, { expected: 'an object' })
    const found = Object.entries(value).flatMap(([name, each]) => inside(name, item.find(each) ?? []))
    return found.length > 0 ? found.slice(0, MAX_PROBLEMS) : undefined
  },
  json: { type: 'object', additionalProperties: item.json },
})

export type Members = Record<string, { shape: Shape; required?: boolean }>

/** An object with these members and no others. */
export function objectOf<T = Json>(members: Members): Shape<T> {
  const names = Object.keys(members)
  const required = names.filter(name => members[name]!.required)
  let json: Json | undefined
  return {
    find(value) {
      if (!isObject(value)) return toProblems(value, { expected: 'an object' })
      let found: ValueProblem[] | undefined
      for (const name of names) {
        const member = Object.hasOwn(value, name) ? value[name] : undefined
        if (member === undefined && !members[name]!.required) continue
        const problems = members[name]!.shape.find(member)
        if (problems) found = [...(found ?? []), ...inside(name, problems)]
      }
      const unknown = Object.keys(value).filter(name => !Object.hasOwn(members, name))
      if (unknown.length === 0) return found
      const received = show(value)
      const toProblem = (name: string) => ({
        path: [name],
        expected: 'no such field',
        received,
        unknown: { name, allowed: names },
      })
      return [...(found ?? []), ...unknown.slice(0, MAX_PROBLEMS).map(toProblem)]
    },
    // Made when it is asked for: a start makes many shapes and describes none.
    get json() {
      json ??= {
        type: 'object',
        properties: Object.fromEntries(names.map(name => [name, members[name]!.shape.json])),
        ...(required.length > 0 && { required }),
        additionalProperties: false,
      }
      return json
    },
  }
}
