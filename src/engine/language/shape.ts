import { isObject } from '../../basics/json.ts'
import { MAX_PROBLEMS, show } from '../../basics/problem.ts'
import type { ValueError, ValueProblem } from './problem.ts'

type Json = Record<string, unknown>

/**
 * Checks a value, and describes it in OpenAPI and for editors. Zod schemas take longer to create and to run, which matters
 * because startup checks a whole fixture and every write is checked.
 */
export interface Shape<T = unknown> {
  /** The problems, each with its path. Undefined if the value is valid. */
  find(value: unknown): ValueProblem[] | undefined
  /** JSON Schema, which cannot express every check. */
  json: Json
  /** Never set. Carries the type of valid values. */
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

/** A string, with an additional check. */
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

/** Ids start with the prefix of their kind, such as `tas_` for tasks. */
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

/** The error for a number outside the limits, or one error for each side. */
type Beyond = ValueError | { below?: ValueError; above?: ValueError }

function between(kind: 'integer' | 'number', limits: Limits, beyond: Beyond) {
  const { below, above } = 'message' in beyond ? { below: beyond, above: beyond } : beyond
  const { minimum, maximum } = limits
  const expected = `${kind === 'integer' ? 'an' : 'a'} ${kind} from ${minimum} to ${maximum}`
  return shape<number>({ type: kind, ...limits }, value => {
    if (typeof value !== 'number' || (kind === 'integer' && !Number.isInteger(value))) return { expected }
    if (value < minimum) return { error: below, expected }
    return value > maximum ? { error: above, expected } : undefined
  })
}

export const integer = (limits: Limits, beyond: Beyond = {}) => between('integer', limits, beyond)

export const number = (limits: Limits, beyond: Beyond = {}) => between('number', limits, beyond)

export const anyObject: Shape<Json> = shape({ type: 'object' }, value =>
  isObject(value) ? undefined : { expected: 'an object' },
)

export const inside = (step: string | number, problems: ValueProblem[]) =>
  problems.map(problem => ({ ...problem, path: [step, ...problem.path] }))

export const listOf = <T>(item: Shape<T>, max = Number.POSITIVE_INFINITY): Shape<T[]> => ({
  find(value) {
    if (!Array.isArray(value)) return toProblems(value, { expected: 'a list' })
    if (value.length > max)
      return toProblems(value, { expected: `a list of up to ${max}`, received: `${value.length}` })
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

/** An object with any field names, and values of one shape. */
export const mapOf = <T>(item: Shape<T>): Shape<Record<string, T>> => ({
  find(value) {
    if (!isObject(value)) return toProblems(value, { expected: 'an object' })
    const found = Object.entries(value).flatMap(([name, each]) => inside(name, item.find(each) ?? []))
    return found.length > 0 ? found.slice(0, MAX_PROBLEMS) : undefined
  },
  json: { type: 'object', additionalProperties: item.json },
})

/** JSON Schema with the field's description. */
export const describedJson = ({ shape: { json }, describe }: { shape: Shape; describe?: string }): Json =>
  describe === undefined ? json : { ...json, description: describe }

export type Members = Record<string, { shape: Shape; required?: boolean; describe?: string }>

/** An object with these fields only. */
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
    // Lazy: startup creates many shapes and describes none.
    get json() {
      json ??= {
        type: 'object',
        properties: Object.fromEntries(names.map(name => [name, describedJson(members[name]!)])),
        ...(required.length > 0 && { required }),
        additionalProperties: false,
      }
      return json
    },
  }
}
