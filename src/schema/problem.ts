import type * as z from 'zod'
import { type Problem, show } from '../basics/problem.ts'
import type { ErrorOf } from '../contract/errors.ts'

/** An error whose message needs the field, what was expected and what was received. */
export type ValueError = ErrorOf<{ field: string; expected: string; received: string; nearest?: string }>

/** A problem that a schema found. */
export interface ValueProblem extends Problem {
  /** The error to answer with; invalid_value when there is none. */
  error?: ValueError
}

/** Called in a schema's check; `findProblems` returns the problem as it was given here. */
export function issue(
  ctx: { value: unknown; issues: z.core.$ZodRawIssue[] },
  problem: Omit<ValueProblem, 'path' | 'received'> & { path?: (string | number)[]; received?: string },
) {
  ctx.issues.push({
    code: 'custom',
    input: ctx.value,
    path: problem.path ?? [],
    params: problem,
    message: problem.expected,
  })
}

/** Nobody reads more, and each takes time to describe. */
export const MOST_FLAWS = 100

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

/** Marks a message that the schema did not give itself. For an unknown member, the members of the object follow. */
const UNSAID = '\u0000'

const unsaid: z.core.$ZodErrorMap = ({ code, inst }) =>
  UNSAID + (code === 'unrecognized_keys' ? Object.keys((inst as z.ZodObject).shape).join() : '')

export function findProblems(schema: z.ZodType, value: unknown): ValueProblem[] {
  const result = schema.safeParse(value, { error: unsaid })
  if (result.success) return []
  return result.error.issues
    .slice(0, MOST_FLAWS)
    .flatMap(found => toProblems(found, value))
    .slice(0, MOST_FLAWS)
}

function toProblems(found: z.core.$ZodIssue, root: unknown): ValueProblem[] {
  const path = found.path.filter(step => typeof step !== 'symbol')
  const received = show(at(root, path))
  const said = found.message.startsWith(UNSAID) ? undefined : found.message
  switch (found.code) {
    case 'custom':
      return [{ path, received, expected: found.message, ...withoutPath(found.params) }]
    case 'invalid_union':
      return ofUnion(found, path, received, root)
    case 'unrecognized_keys':
      return found.keys.slice(0, MOST_FLAWS).map(name => ({
        path: [...path, name],
        expected: 'no such field',
        received,
        unknown: { name, allowed: found.message.slice(UNSAID.length).split(',') },
      }))
    default:
      return [{ path, received, expected: said ?? expectedOf(found) }]
  }
}

function expectedOf(found: z.core.$ZodIssue): string {
  switch (found.code) {
    case 'invalid_type':
      return NOUNS[found.expected] ?? found.expected
    case 'invalid_value':
      return `one of ${found.values.join(', ')}`
    case 'invalid_format':
      return `a string like ${found.pattern ?? found.format}`
    case 'too_small':
      return `${found.origin === 'array' ? 'a list of ' : ''}${found.minimum} or more`
    case 'too_big':
      return `${found.origin === 'array' ? 'a list of ' : ''}${found.maximum} or less`
    default:
      return 'a valid value'
  }
}

/** For a union: what is wrong with the member that the value comes closest to. */
function ofUnion(
  found: z.core.$ZodIssueInvalidUnion,
  path: Problem['path'],
  received: string,
  root: unknown,
): ValueProblem[] {
  const inside = (branch: z.core.$ZodIssue[]) =>
    branch.flatMap(issue => toProblems({ ...issue, path: [...path, ...issue.path] } as z.core.$ZodIssue, root))
  // A branch that rejects the type of the value is not the one its author meant.
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

function withoutPath(params: Record<string, unknown> | undefined): Partial<ValueProblem> {
  const { path: _path, ...rest } = (params ?? {}) as Partial<ValueProblem>
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
