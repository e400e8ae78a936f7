import { isObject } from './json.ts'
import { nearest } from './nearest.ts'
import { MAX_PROBLEMS, type Problem, show, type ValueError } from './problem.ts'

type Json = Record<string, unknown>

/**
 * Checks a value, and describes it in OpenAPI and for editors. Used for whatever users write: requests, fixtures, scenarios,
 * evidence. Schemas of a library take longer to create and to run, which matters because startup checks a whole fixture and
 * every write is checked.
 */
export interface Shape<T = unknown> {
  /** The problems, each with its path. Undefined if the value is valid. */
  find(value: unknown): Problem[] | undefined
  /** JSON Schema, which cannot express every check. */
  readonly json: Json
  /** Never set. Carries the type of valid values. */
  fits?: T
}

/** The type of valid values. */
export type Valid<S> = S extends Shape<infer T> ? T : never

/** Without `expected`, its message says what is wrong. */
export type Mismatch = Partial<Problem>

export const toProblems = (value: unknown, mismatch: Mismatch): Problem[] => [
  { path: [], expected: '', received: show(value), ...mismatch },
]

const shape = <T>(json: Json, check: (value: unknown) => Mismatch | undefined): Shape<T> => ({
  find(value) {
    const mismatch = check(value)
    return mismatch && toProblems(value, mismatch)
  },
  json,
})

/** A value that a function accepts. */
export const suchThat = <T = unknown>(expected: string, is: (value: unknown) => boolean, json: Json = {}): Shape<T> =>
  shape(json, value => (is(value) ? undefined : { expected }))

/** A valid value that also passes a check. */
export const checked = <T>(
  { find, json }: Shape<T>,
  check: (value: T) => Mismatch | readonly Mismatch[] | undefined,
): Shape<T> => ({
  find(value) {
    const problems = find(value)
    if (problems) return problems
    const found = [check(value as T) ?? []].flat().flatMap(mismatch => toProblems(value, mismatch))
    return found.length > 0 ? found : undefined
  },
  json,
})

/** With more JSON Schema. */
export const withJson = <T>({ find, json }: Shape<T>, more: Json): Shape<T> => ({ find, json: { ...json, ...more } })

/** With other words for a value of another type. */
export const withType = <T>({ find, json }: Shape<T>, expected: string): Shape<T> => ({
  find: value => (hasType(json, value) ? find(value) : toProblems(value, { expected })),
  json,
})

const typeOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)
const hasType = ({ type }: Json, value: unknown) =>
  type === 'integer' ? Number.isInteger(value) : type === typeOf(value)

/** A value of one of several types. Reports the problems with the shape that is closest to the value. */
export const either = <S extends readonly Shape[]>(...shapes: S): Shape<Valid<S[number]>> => ({
  find(value) {
    const found: Problem[][] = []
    const close: Problem[][] = []
    for (const { find, json } of shapes) {
      const problems = find(value)
      if (!problems) return undefined
      found.push(problems)
      if (hasType(json, value)) close.push(problems)
    }
    const closest = close.toSorted((a, b) => a.length - b.length)[0]
    if (closest) return closest
    const expected = [...new Set(found.map(([first]) => first!.expected))].join(' or ')
    return toProblems(value, { expected })
  },
  json: isPlain(shapes) ? { type: shapes.map(({ json }) => json.type) } : { anyOf: shapes.map(({ json }) => json) },
})

/** Whether only the types of the shapes matter. */
const isPlain = (shapes: readonly Shape[]) => shapes.every(({ json }) => Object.keys(json).join() === 'type')

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

/** One of these words. */
export const oneOf = <const V extends string>(words: readonly V[], error?: ValueError) => {
  const expected = `one of ${words.join(', ')}`
  return textShape<V>({ enum: [...words] }, value =>
    (words as readonly string[]).includes(value) ? undefined : { error, expected, near: nearest(value, words) },
  )
}

export const boolean: Shape<boolean> = shape({ type: 'boolean' }, value =>
  typeof value === 'boolean' ? undefined : { expected: 'true or false' },
)

interface Limits {
  minimum: number
  maximum?: number
}

/** The error for a number outside the limits, or one error for each side. */
type Beyond = ValueError | { below?: ValueError; above?: ValueError }

function between(kind: 'integer' | 'number', limits: Limits, beyond: Beyond) {
  const { below, above } = 'message' in beyond ? { below: beyond, above: beyond } : beyond
  const { minimum, maximum } = limits
  const range = maximum === undefined ? `of ${minimum} or more` : `from ${minimum} to ${maximum}`
  const expected = `${kind === 'integer' ? 'an' : 'a'} ${kind} ${range}`
  return shape<number>({ type: kind, ...limits }, value => {
    if (typeof value !== 'number' || (kind === 'integer' && !Number.isInteger(value))) return { expected }
    if (value < minimum) return { error: below, expected }
    return maximum !== undefined && value > maximum ? { error: above, expected } : undefined
  })
}

export const anyNumber: Shape<number> = suchThat('a number', value => typeof value === 'number', { type: 'number' })
export const anyInteger: Shape<number> = suchThat('an integer', Number.isInteger, { type: 'integer' })

export const integer = (limits: Limits, beyond: Beyond = {}) => between('integer', limits, beyond)

export const number = (limits: Limits, beyond: Beyond = {}) => between('number', limits, beyond)

export const nothing: Shape<null> = suchThat('null', value => value === null, { type: 'null' })

export const anyObject: Shape<Json> = shape({ type: 'object' }, value =>
  isObject(value) ? undefined : { expected: 'an object' },
)

export const inside = (step: string | number, problems: Problem[]) =>
  problems.map(problem => ({ ...problem, path: [step, ...problem.path] }))

export const listOf = <T>(item: Shape<T>, max = Number.POSITIVE_INFINITY, min = 0): Shape<T[]> => ({
  find(value) {
    if (!Array.isArray(value)) return toProblems(value, { expected: 'a list' })
    if (value.length > max)
      return toProblems(value, { expected: `a list of up to ${max}`, received: `${value.length}` })
    if (value.length < min) return toProblems(value, { expected: `a list of ${min} or more` })
    let found: Problem[] | undefined
    for (let i = 0; i < value.length; i++) {
      const problems = item.find(value[i])
      if (!problems) continue
      found ??= []
      found.push(...inside(i, problems))
      if (found.length >= MAX_PROBLEMS) break
    }
    return found
  },
  json: {
    type: 'array',
    items: item.json,
    ...(Number.isFinite(max) && { maxItems: max }),
    ...(min && { minItems: min }),
  },
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

export interface Member {
  shape: Shape
  required?: boolean
  describe?: string
}
export type Members = Record<string, Member>

type Required<M extends Members> = { [K in keyof M]: M[K]['required'] extends true ? K : never }[keyof M]
/** The type of objects with these fields. */
export type ObjectOf<M extends Members> = { [K in Required<M>]: Valid<M[K]['shape']> } & {
  [K in Exclude<keyof M, Required<M>>]?: Valid<M[K]['shape']>
}

/** An object with these fields only. */
export function objectOf<const M extends Members>(members: M): Shape<ObjectOf<M>> {
  const names = Object.keys(members)
  const required = names.filter(name => members[name]!.required)
  let json: Json | undefined
  return {
    find(value) {
      if (!isObject(value)) return toProblems(value, { expected: 'an object' })
      let found: Problem[] | undefined
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

/** An object of one of several kinds. A field names the kind. */
export function kindsOf<T = Json>(field: string, kinds: Record<string, Members>): Shape<T> {
  const names = Object.keys(kinds)
  const shapes = Object.fromEntries(
    Object.entries(kinds).map(([kind, members]) => {
      const own = { shape: textShape({ const: kind }), required: true }
      return [kind, objectOf({ [field]: own, ...members })]
    }),
  )
  return {
    find(value) {
      if (!isObject(value)) return toProblems(value, { expected: 'an object' })
      const kind = value[field]
      if (typeof kind === 'string' && Object.hasOwn(shapes, kind)) return shapes[kind]!.find(value)
      return toProblems(kind, {
        path: [field],
        expected: `one of ${names.join(', ')}`,
        near: nearest(String(kind), names),
      })
    },
    json: { oneOf: Object.values(shapes).map(({ json }) => json) },
  }
}
