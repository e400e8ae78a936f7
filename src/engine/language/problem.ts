import type * as z from 'zod'
import { isObject } from '../../basics/json.ts'
import { nearest } from '../../basics/nearest.ts'
import { MAX_PROBLEMS, type Problem, show } from '../../basics/problem.ts'
import type { ErrorKind } from '../error.ts'

/** An error with a message about the field, the expected value and the received value. */
export type ValueError = ErrorKind<{ field: string; expected: string; received: string; nearest?: string }>

/** A validation problem. */
export interface ValueProblem extends Problem {
  /** The error to return (default: invalid_value). */
  error?: ValueError
}

const NOUNS: Record<string, string> = {
  string: 'a string',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  number: 'a number',
  int: 'an integer',
  undefined: 'nothing',
}

/** `options` are the discriminator values, if the union has one. */
type UnionIssue = z.core.$ZodIssueInvalidUnion & { options?: unknown[] }

/** The expected value, for an issue without a message. For an unknown field, the allowed fields. */
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

function problemsOf(schema: z.ZodType, value: unknown): ValueProblem[] {
  const { error } = schema.safeParse(value, { error: expectedOf, reportInput: true })
  return (error?.issues ?? []).slice(0, MAX_PROBLEMS).flatMap(toProblems).slice(0, MAX_PROBLEMS)
}

/** The parts of zod's schemas that lead to the schema of a list item. */
interface Definition {
  type: string
  innerType?: z.ZodType
  element?: z.ZodType
  shape?: Record<string, z.ZodType>
}
const definitionOf = (schema: z.ZodType): Definition => {
  const definition = schema.def as unknown as Definition
  return definition.innerType ? definitionOf(definition.innerType) : definition
}

/** The problems of a value. Checks list items one by one, until it has found enough: zod would check all. */
export function findProblems(schema: z.ZodType, value: unknown): ValueProblem[] {
  const { shape } = definitionOf(schema)
  if (!shape || !isObject(value)) return problemsOf(schema, value)
  const lists = Object.entries(shape).flatMap(([name, member]) => {
    const { element } = definitionOf(member)
    const list = Object.hasOwn(value, name) ? value[name] : undefined
    return element && Array.isArray(list) && list.length > 1 ? [{ name, list, element }] : []
  })
  const shortened = Object.fromEntries(lists.map(({ name, list }) => [name, list.slice(0, 1)]))
  const problems = problemsOf(schema, { ...value, ...shortened })
  for (const { name, list, element } of lists)
    for (let i = 1; i < list.length && problems.length < MAX_PROBLEMS; i++)
      for (const problem of problemsOf(element, list[i]))
        problems.push({ ...problem, path: [name, i, ...problem.path] })
  return problems.slice(0, MAX_PROBLEMS)
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

/** The issue names the object, but the discriminator is wrong. */
function wrongDiscriminator({ input, discriminator, options = [] }: UnionIssue) {
  const value = (input as Record<string, unknown>)[discriminator!]
  return { received: show(value), near: nearest(String(value), options.map(String)) }
}

/** The problems of the union branch that is closest to the value. */
function problemsOfUnion({ errors, path }: z.core.$ZodIssueInvalidUnion): ValueProblem[] {
  const branches = errors.map(branch =>
    branch.flatMap(inner => toProblems({ ...inner, path: [...path, ...inner.path] })),
  )
  // A branch that rejects the value's type cannot be the intended branch.
  const meant = branches.filter(
    (_, i) => !errors[i]!.some(({ code, path: at }) => code === 'invalid_type' && at.length === 0),
  )
  const all = branches.flat()
  const expected = () => [...new Set(all.map(each => each.expected))].join(' or ')
  return meant.toSorted((a, b) => a.length - b.length)[0] ?? [{ ...all[0]!, expected: expected() }]
}
