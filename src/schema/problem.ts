import type * as z from 'zod'
import { nearest } from '../basics/nearest.ts'
import { type Problem, show } from '../basics/problem.ts'
import type { ErrorOf } from '../contract/errors.ts'

/** An error whose message needs the field, what was expected and what was received. */
export type ValueError = ErrorOf<{ field: string; expected: string; received: string; nearest?: string }>

/** A problem that a schema found. */
export interface ValueProblem extends Problem {
  /** The error to answer with; invalid_value when there is none. */
  error?: ValueError
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

/** `options` are the values of the discriminator, if the union has one. */
type UnionIssue = z.core.$ZodIssueInvalidUnion & { options?: unknown[] }

/** What is expected, for an issue to which the schema gives no message. For an unknown member, the allowed ones. */
const expectedOf: z.core.$ZodErrorMap = issue => {
  switch (issue.code) {
    case 'unrecognized_keys':
      return Object.keys((issue.inst as z.ZodObject).shape).join()
    case 'invalid_type':
      return NOUNS[issue.expected] ?? issue.expected
    case 'invalid_value':
      return `one of ${issue.values.join(', ')}`
    case 'invalid_union':
      return `one of ${(issue as UnionIssue).options?.join(', ')}`
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

export function findProblems(schema: z.ZodType, value: unknown): ValueProblem[] {
  const { error } = schema.safeParse(value, { error: expectedOf, reportInput: true })
  return (error?.issues ?? []).slice(0, MAX_PROBLEMS).flatMap(toProblems).slice(0, MAX_PROBLEMS)
}

function toProblems(issue: z.core.$ZodIssue): ValueProblem[] {
  const path = issue.path.filter(step => typeof step !== 'symbol')
  const problem = { path, received: show(issue.input), expected: issue.message }
  switch (issue.code) {
    case 'custom':
      return [{ ...problem, ...issue.params }]
    case 'invalid_union':
      return issue.errors.length > 0 ? problemsOfUnion(issue) : [{ ...problem, ...wrongDiscriminator(issue) }]
    case 'unrecognized_keys': {
      const allowed = issue.message.split(',')
      return issue.keys
        .slice(0, MAX_PROBLEMS)
        .map(name => ({ ...problem, path: [...path, name], unknown: { name, allowed } }))
    }
    default:
      return [problem]
  }
}

/** The issue is about the object; the value of its discriminator is meant. */
function wrongDiscriminator({ input, discriminator, options = [] }: UnionIssue) {
  const value = (input as Record<string, unknown>)[discriminator!]
  return { received: show(value), near: nearest(String(value), options.map(String)) }
}

/** The problems of the branch of a union that the value comes closest to. */
function problemsOfUnion({ errors, path }: z.core.$ZodIssueInvalidUnion): ValueProblem[] {
  const branches = errors.map(branch =>
    branch.flatMap(inner => toProblems({ ...inner, path: [...path, ...inner.path] })),
  )
  // A branch that rejects the type of the value is not the one that was meant.
  const meant = branches.filter(
    (_, i) => !errors[i]!.some(({ code, path: at }) => code === 'invalid_type' && at.length === 0),
  )
  const all = branches.flat()
  const expected = () => [...new Set(all.map(each => each.expected))].join(' or ')
  return meant.toSorted((a, b) => a.length - b.length)[0] ?? [{ ...all[0]!, expected: expected() }]
}
