import { suggest, withHint } from './nearest.ts'

/** Field names and list indexes that lead to a position in a value. */
export type Path = (string | number)[]

/** What a message about a value contains. */
export interface Received {
  field: string
  expected: string
  received: string
  nearest?: string
}

/** The error of an API about a value. */
export interface ValueError {
  name: string
  status: number
  message: (params: Received) => string
}

/** One problem of a value. Callers describe it in their own words. */
export interface Problem {
  path: Path
  expected: string
  /** The error to return for it in a request, instead of a general one. */
  error?: ValueError
  /** Replaces "must be …, got …". */
  message?: string
  /** Describes the value that was found. */
  received: string
  /** The unknown field, and the allowed ones. */
  unknown?: { name: string; allowed: string[] }
  /** The closest valid value. */
  near?: string
}

export function describeProblem(problem: Problem, whole = 'the file'): string {
  const { path, message, expected, received, unknown, near } = problem
  const where = path.length > 0 ? `${formatPath(path)}:` : message === undefined && !unknown ? whole : `${whole}:`
  if (unknown) return `${where} unknown field "${shorten(unknown.name, 60)}".${suggest(unknown.name, unknown.allowed)}`
  return withHint(`${where} ${message ?? `must be ${expected}, got ${received}`}`, near)
}

export const formatPath = (path: Path) =>
  path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`
    return `${text}${text ? '.' : ''}${shorten(step, 60)}`
  }, '') || 'the file'

/** The search for problems stops here, because describing each one takes time. */
export const MAX_PROBLEMS = 20
const MAX_LISTED = 10

/** Describes the first ten of a list, and counts the rest unless the search for more was stopped. */
export function listed<T>(list: readonly T[], describe: (each: T) => string): string {
  const first = list.slice(0, MAX_LISTED).map(describe).join('; ')
  if (list.length <= MAX_LISTED) return first
  return `${first}; and ${list.length < MAX_PROBLEMS ? `${list.length - MAX_LISTED} ` : ''}more`
}

/** Occurs in every private key in PEM. */
export const PRIVATE_KEY_MARK = 'PRIVATE KEY-----'

/** Describes a value in a message: `a list of 3`, `the string "abc"`. */
export function show(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'object') return 'an object'
  if (typeof value === 'string' && value.includes(PRIVATE_KEY_MARK)) return 'a string with a private key'
  if (typeof value === 'string') return `the string ${JSON.stringify(shorten(value, 60))}`
  return `the ${typeof value} ${shorten(String(value), 60)}`
}

/** The first `max` characters. Counts code points, to never split a surrogate pair. */
export function shorten(text: string, max: number): string {
  const points = [...text.slice(0, max * 2)]
  return points.length <= max && text.length <= max * 2 ? text : `${points.slice(0, max).join('')}…`
}
