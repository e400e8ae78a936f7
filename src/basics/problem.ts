import { suggest, withHint } from './nearest.ts'

/** Member names and list indexes that lead to a place in a value. */
export type Path = (string | number)[]

/** One thing that is wrong with a value. Each room makes its own kind of message of it. */
export interface Problem {
  path: Path
  expected: string
  /** Replaces "must be …, not …". */
  message?: string
  /** The value that was found, in words. */
  received: string
  /** The member that is not allowed here, and those that are. */
  unknown?: { name: string; allowed: string[] }
  /** The value that may have been meant. */
  near?: string
}

/** A problem as a sentence for the author of a file. */
export function describeProblem(problem: Problem, whole = 'the file'): string {
  const where = problem.path.length > 0 ? formatPath(problem.path) : whole
  const wrong = problem.message ?? `must be ${problem.expected}, not ${problem.received}`
  if (!problem.unknown) return withHint(`${where}: ${wrong}`, problem.near)
  const { name, allowed } = problem.unknown
  return `${where}: there is no field "${shorten(name, 60)}".${suggest(name, allowed)}`
}

export const formatPath = (path: Path) =>
  path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`
    return `${text}${text ? '.' : ''}${shorten(step, 60)}`
  }, '') || 'the file'

/** The search for problems ends here: nobody reads more, and each takes time to describe. */
export const MAX_PROBLEMS = 20
const MAX_LISTED = 10

/** The first ten of a list in words, and how many more there are, unless the search for more has ended. */
export function listed<T>(list: readonly T[], describe: (each: T) => string): string {
  const first = list.slice(0, MAX_LISTED).map(describe).join('; ')
  if (list.length <= MAX_LISTED) return first
  return `${first}; and ${list.length < MAX_PROBLEMS ? `${list.length - MAX_LISTED} ` : ''}more`
}

/** In every private key in PEM: they can be recognised wherever they are. */
export const PRIVATE_KEY_MARK = 'PRIVATE KEY-----'

/** A value in words, for a message: `a list of 3`, `the string "abc"`. */
export function show(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'object') return 'an object'
  if (typeof value === 'string' && value.includes(PRIVATE_KEY_MARK)) return 'a text with a private key'
  if (typeof value === 'string') return `the string ${JSON.stringify(shorten(value, 60))}`
  return `the ${typeof value} ${shorten(String(value), 60)}`
}

/** The first `max` characters of a text. Counts code points, so that no surrogate pair is split. */
export function shorten(text: string, max: number): string {
  const points = [...text.slice(0, max * 2)]
  return points.length <= max && text.length <= max * 2 ? text : `${points.slice(0, max).join('')}…`
}
