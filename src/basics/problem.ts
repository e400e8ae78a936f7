import { suggest, withHint } from './nearest.ts'

/** Where in a value something is. */
export type Path = (string | number)[]

/** One thing wrong with a value, in words that any room can turn into its own kind of message. */
export interface Problem {
  path: Path
  expected: string
  /** What was there, in words. */
  received: string
  /** The member that has no place here, and those that have. */
  unknown?: { name: string; allowed: string[] }
  /** The value that may have been meant. */
  near?: string
}

/** A problem as a sentence for the author of a file. */
export function describeProblem(problem: Problem, whole = 'the file'): string {
  const where = problem.path.length > 0 ? formatPath(problem.path) : whole
  if (!problem.unknown) return withHint(`${where}: must be ${problem.expected}, not ${problem.received}`, problem.near)
  const { name, allowed } = problem.unknown
  return `${where}: there is no field "${shorten(name, 60)}".${suggest(name, allowed)}`
}

export const formatPath = (path: Path) =>
  path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`
    return `${text}${text ? '.' : ''}${shorten(step, 60)}`
  }, '') || 'the file'

const MOST_SAID = 10

/** The first of them, and how many more there are. */
export function listed<T>(list: readonly T[], say: (each: T) => string): string {
  const said = list.slice(0, MOST_SAID).map(say).join('; ')
  return list.length > MOST_SAID ? `${said}; and ${list.length - MOST_SAID} more` : said
}

/** A value as people read it in a message: its kind and a short look at it. */
export function show(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'object') return 'an object'
  if (typeof value === 'string') return `the string ${JSON.stringify(shorten(value, 60))}`
  return `the ${typeof value} ${shorten(String(value), 60)}`
}

export function shorten(text: string, most: number): string {
  const points = [...text.slice(0, most * 2)]
  return points.length <= most && text.length <= most * 2 ? text : `${points.slice(0, most).join('')}…`
}
