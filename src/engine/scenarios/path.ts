import { memoizeBy } from '../../basics/memoize.ts'
import type { Catalog } from '../language/index.ts'

/**
 * Path patterns of rules: a path, a route like `/books/{id}`, or with `*` for any part of a segment and `**` for any
 * number of segments. Not regular expressions, because many stars would make them exponentially slow.
 */

/** A segment of a pattern; `**` has no `matches`. */
interface Segment {
  written: string
  matches: ((text: string) => boolean) | undefined
}

const compile = (path: string): Segment[] =>
  path.split('/').map(written => ({ written, matches: written === '**' ? undefined : segmentPattern(written) }))

/** Routes, split once to be compared with many patterns. */
export const splitRoutes = (routes: Iterable<string>): Route[] =>
  Array.from(new Set(routes), path => ({ path, segments: path.split('/') }))

/** The routes of an API. */
export const routesOf = memoizeBy(({ operations }: Catalog) => splitRoutes(operations.map(({ path }) => path)))

interface Route {
  path: string
  segments: readonly string[]
}

/** Whether any path of a route can match the pattern. */
export function routePattern(written: string): (route: Route) => boolean {
  const pattern = compile(written)
  // A route parameter matches any non-empty string.
  const test = ({ written, matches }: Segment, part: string) => (part.startsWith('{') ? written !== '' : matches!(part))
  return ({ segments }) => matchSegments(pattern, segments, test)
}

/** Whether a path matches the pattern. */
export function pathPattern(written: string): (path: string) => boolean {
  const matches = segmentsPattern(written)
  return path => matches(path.split('/'))
}

/** Whether the segments of a path match the pattern. */
export function segmentsPattern(written: string): (path: readonly string[]) => boolean {
  const pattern = compile(written)
  if (pattern.some(({ matches }) => !matches))
    return path => matchSegments(pattern, path, ({ matches }, part) => matches!(part))
  // From the end, because paths differ there more often.
  return path =>
    path.length === pattern.length && pattern.findLast(({ matches }, i) => !matches!(path[i]!)) === undefined
}

/** The decoded segments of a path. An encoded slash does not separate. Decoding cannot fail after a route was found. */
export const segmentsOf = (path: string) =>
  path.includes('%') ? path.split('/').map(decodeURIComponent) : path.split('/')

/** Backtracks only to the last `**`, which then takes one more segment. Earlier ones cannot help. */
function matchSegments(
  pattern: Segment[],
  parts: readonly string[],
  test: (segment: Segment, part: string) => boolean,
): boolean {
  let at = 0
  let star = -1
  let taken = 0
  for (let i = 0; i < parts.length; ) {
    const segment = pattern[at]
    if (segment && !segment.matches) {
      star = at++
      taken = i
    } else if (segment && test(segment, parts[i]!)) {
      at++
      i++
    } else if (star >= 0 && parts[taken] !== '') {
      at = star + 1
      i = ++taken
    } else return false
  }
  return pattern.slice(at).every(({ matches }) => !matches)
}

/** `*` matches any string, `{name}` any non-empty string. The first match of each literal is enough. */
function segmentPattern(written: string): (text: string) => boolean {
  const [first, ...rest] = written.split(/(\*|\{\w+\})/) as [string, ...string[]]
  if (rest.length === 0) return text => text === written
  const steps: { least: number; literal: string }[] = []
  for (let i = 0; i < rest.length; i += 2) steps.push({ least: rest[i] === '*' ? 0 : 1, literal: rest[i + 1]! })
  const last = steps.pop()!
  return text => {
    if (!text.startsWith(first)) return false
    let at = first.length
    for (const { least, literal } of steps) {
      const found = text.indexOf(literal, at + least)
      if (found < 0) return false
      at = found + literal.length
    }
    return text.endsWith(last.literal) && text.length - last.literal.length >= at + last.least
  }
}
