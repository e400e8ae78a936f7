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

/** Reports a problem in the check of a zod schema; `findProblems` returns it unchanged. */
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

/** Limit the problems that are reported: nobody reads more, and each takes time to describe. */
export const MAX_PROBLEMS = 100

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

/** Starts the message of an issue to which the schema gives none. For an unknown member, the allowed ones follow. */
const NO_MESSAGE = '\u0000'

const markMissing: z.core.$ZodErrorMap = ({ code, inst }) =>
  NO_MESSAGE + (code === 'unrecognized_keys' ? Object.keys((inst as z.ZodObject).shape).join() : '')

export function findProblems(schema: z.ZodType, value: unknown): ValueProblem[] {
  const result = schema.safeParse(value, { error: markMissing })
  if (result.success) return []
  return result.error.issues
    .slice(0, MAX_PROBLEMS)
    .flatMap(issue => toProblems(issue, value))
    .slice(0, MAX_PROBLEMS)
}

function toProblems(issue: z.core.$ZodIssue, root: unknown): ValueProblem[] {
  const path = issue.path.filter(step => typeof step !== 'symbol')
  const received = show(valueAt(root, path))
  const own = issue.message.startsWith(NO_MESSAGE) ? undefined : issue.message
  switch (issue.code) {
    case 'custom':
      return [{ path, received, expected: issue.message, ...withoutPath(issue.params) }]
    case 'invalid_union':
      return problemsOfUnion(issue, path, received, root)
    case 'unrecognized_keys':
      return issue.keys.slice(0, MAX_PROBLEMS).map(name => ({
        path: [...path, name],
        expected: 'no such field',
        received,
        unknown: { name, allowed: issue.message.slice(NO_MESSAGE.length).split(',') },
      }))
    default:
      return [{ path, received, expected: own ?? expectedOf(issue) }]
  }
}

function expectedOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return NOUNS[issue.expected] ?? issue.expected
    case 'invalid_value':
      return `one of ${issue.values.join(', ')}`
    case 'invalid_format':
      return `a string like ${issue.pattern ?? issue.format}`
    case 'too_small':
      return `${issue.origin === 'array' ? 'a list of ' : ''}${issue.minimum} or more`
    case 'too_big':
      return `${issue.origin === 'array' ? 'a list of ' : ''}${issue.maximum} or less`
    default:
      return 'a valid value'
  }
}

/** The problems of the branch of a union that the value comes closest to. */
function problemsOfUnion(
  issue: z.core.$ZodIssueInvalidUnion,
  path: Problem['path'],
  received: string,
  root: unknown,
): ValueProblem[] {
  const inside = (branch: z.core.$ZodIssue[]) =>
    branch.flatMap(inner => toProblems({ ...inner, path: [...path, ...inner.path] } as z.core.$ZodIssue, root))
  // A branch that rejects the type of the value is not the one that was meant.
  const meant = issue.errors.filter(
    branch => !branch.some(({ code, path: at }) => code === 'invalid_type' && at.length === 0),
  )
  if (meant.length === 1) return inside(meant[0]!)
  const { discriminator, options } = issue as { discriminator?: string; options?: unknown[] }
  if (discriminator !== undefined && options) return [{ path, received, expected: `one of ${options.join(', ')}` }]
  const fewest = meant.toSorted((a, b) => a.length - b.length)[0]
  if (fewest) return inside(fewest)
  return [
    {
      path,
      received,
      expected: [...new Set(issue.errors.flatMap(inside).map(({ expected }) => expected))].join(' or '),
    },
  ]
}

function withoutPath(params: Record<string, unknown> | undefined): Partial<ValueProblem> {
  const { path: _path, ...rest } = (params ?? {}) as Partial<ValueProblem>
  return rest
}

function valueAt(root: unknown, path: (string | number)[]): unknown {
  let value = root
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = (value as Record<string | number, unknown>)[step]
  }
  return value
}
