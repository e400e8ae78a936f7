import type * as z from 'zod'
import type { ErrorOf } from '../errors.ts'
import { type Flaw, show } from '../words/flaw.ts'

/** An error that says of a value what it must be and what it is. */
export type ValueError = ErrorOf<{ field: string; expected: string; received: string }>

/** A flaw that a schema found. */
export interface ValueFlaw extends Flaw {
  /** Without one, the value is simply not valid. */
  error?: ValueError
}

/** A check of a schema says `issue(ctx, …)` and the flaw comes out of `findFlaws` as it was put in. */
export function issue(
  ctx: { value: unknown; issues: z.core.$ZodRawIssue[] },
  flaw: Omit<ValueFlaw, 'path' | 'received'> & { path?: (string | number)[]; received?: string },
) {
  ctx.issues.push({ code: 'custom', input: ctx.value, path: flaw.path ?? [], params: flaw, message: flaw.expected })
}

const NOUNS: Record<string, string> = {
  string: 'a string',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  number: 'a number',
  int: 'a whole number',
  undefined: 'nothing',
}

export function findFlaws(schema: z.ZodType, value: unknown): ValueFlaw[] {
  const result = schema.safeParse(value)
  return result.success ? [] : result.error.issues.flatMap(found => toFlaws(found, value, schema))
}

function toFlaws(found: z.core.$ZodIssue, root: unknown, schema: z.ZodType): ValueFlaw[] {
  const path = found.path.filter(step => typeof step !== 'symbol')
  const received = show(at(root, path))
  switch (found.code) {
    case 'custom':
      return [{ path, received, expected: found.message, ...withoutPath(found.params) }]
    case 'invalid_union':
      return ofUnion(found, path, received, root, schema)
    case 'unrecognized_keys':
      return found.keys.map(name => ({
        path: [...path, name],
        expected: 'no such field',
        received,
        unknown: { name, allowed: keysAt(schema, path) },
      }))
    case 'invalid_type':
      return [{ path, received, expected: inOwnWords(found) ?? NOUNS[found.expected] ?? found.expected }]
    case 'invalid_value':
      return [{ path, received, expected: `one of ${found.values.join(', ')}` }]
    case 'invalid_format':
      return [{ path, received, expected: `a string like ${found.pattern ?? found.format}` }]
    default:
      return [{ path, received, expected: found.message }]
  }
}

/** What the schema was given to say instead of zod's own words. */
const inOwnWords = ({ message }: z.core.$ZodIssue) => (message.startsWith('Invalid input') ? undefined : message)

/** A value that may be one of several things: what is wrong with the one it comes closest to. */
function ofUnion(
  found: z.core.$ZodIssueInvalidUnion,
  path: Flaw['path'],
  received: string,
  root: unknown,
  schema: z.ZodType,
): ValueFlaw[] {
  const inside = (branch: z.core.$ZodIssue[]) =>
    branch.flatMap(issue => toFlaws({ ...issue, path: [...path, ...issue.path] } as z.core.$ZodIssue, root, schema))
  // A branch that objects to the kind of value as such is not what its author had in mind.
  const meant = found.errors.filter(
    branch => !branch.some(issue => issue.code === 'invalid_type' && issue.path.length === 0),
  )
  if (meant.length === 1) return inside(meant[0]!)
  const { discriminator, options } = found as { discriminator?: string; options?: unknown[] }
  if (discriminator !== undefined && options) return [{ path, received, expected: `one of ${options.join(', ')}` }]
  const fewest = meant.toSorted((a, b) => a.length - b.length)[0]
  if (fewest) return inside(fewest)
  return [
    {
      path,
      received,
      expected: [...new Set(found.errors.flatMap(inside).map(({ expected }) => expected))].join(' or '),
    },
  ]
}

/** The members an object may have at that place of the schema. */
function keysAt(schema: z.ZodType, path: (string | number)[]): string[] {
  // biome-ignore lint/suspicious/noExplicitAny: zod's definitions are a union too wide to name
  const def = (schema as any)?._zod?.def
  if (!def) return []
  if (def.innerType) return keysAt(def.innerType, path)
  if (def.type === 'union')
    return [...new Set(def.options.flatMap((option: z.ZodType) => keysAt(option, path)))] as string[]
  const [step, ...rest] = path
  if (step === undefined) return def.shape ? Object.keys(def.shape) : []
  if (def.type === 'object') return keysAt(def.shape[step], rest)
  if (def.type === 'array') return keysAt(def.element, rest)
  if (def.type === 'record') return keysAt(def.valueType, rest)
  return []
}

function withoutPath(params: Record<string, unknown> | undefined): Partial<ValueFlaw> {
  const { path: _path, ...rest } = (params ?? {}) as Partial<ValueFlaw>
  return rest
}

function at(root: unknown, path: (string | number)[]): unknown {
  let value = root
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = (value as Record<string | number, unknown>)[step]
  }
  return value
}
