/**
 * How a path is written in a rule: as it is, as the route's own `/api_keys/{id}`, or with `*` for any part of a segment
 * and `**` for any segments. Matched without regular expressions: many stars could make one take for ever.
 */

/** A segment: whether it matches a text. `**` is none. */
interface Segment {
  written: string
  matches: ((text: string) => boolean) | undefined
}

const compile = (path: string): Segment[] =>
  path.split('/').map(written => ({ written, matches: written === '**' ? undefined : segmentPattern(written) }))

/** Whether some call of a route could have that path; a path that fits no route would never match. */
export function routePattern(written: string): (route: string) => boolean {
  const own = compile(written)
  // A parameter of a route matches any text that is not empty.
  const fits = ({ written, matches }: Segment, part: string) => (part.startsWith('{') ? written !== '' : matches!(part))
  return route => follow(own, route.split('/'), fits)
}

/** What paths of calls must match. */
export function pathPattern(written: string): (path: string) => boolean {
  const matches = segmentsPattern(written)
  return path => matches(path.split('/'))
}

/** The same, for the segments of a path. */
export function segmentsPattern(written: string): (path: readonly string[]) => boolean {
  const own = compile(written)
  if (own.some(({ matches }) => !matches)) return path => follow(own, path, ({ matches }, part) => matches!(part))
  // Paths differ in their ends more often than in their beginnings.
  return path => path.length === own.length && own.findLast(({ matches }, i) => !matches!(path[i]!)) === undefined
}

/** The segments of a path that a route was found for, so they can be decoded. An encoded slash separates none. */
export const segmentsOf = (path: string) =>
  path.includes('%') ? path.split('/').map(decodeURIComponent) : path.split('/')

/** Goes back to the last `**` only: that it takes one more segment is all that can help. */
function follow(own: Segment[], parts: readonly string[], fits: (own: Segment, part: string) => boolean): boolean {
  let at = 0
  let star = -1
  let taken = 0
  for (let i = 0; i < parts.length; ) {
    const segment = own[at]
    if (segment && !segment.matches) {
      star = at++
      taken = i
    } else if (segment && fits(segment, parts[i]!)) {
      at++
      i++
    } else if (star >= 0 && parts[taken] !== '') {
      at = star + 1
      i = ++taken
    } else return false
  }
  return own.slice(at).every(({ matches }) => !matches)
}

/** `*` stands for any text, `{name}` for one that is not empty; the first place that fits is as good as any other. */
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

/** A text that no path of a rule can have in it. */
const ANY = '#'
const MOST_VARIABLES = 8

/**
 * Paths of a route that stand for all those that a path of a rule matches there: other paths, alone or together, match
 * all of them if they match these. Undefined if there would be too many.
 */
export function samplePaths(written: string, route: string): string[][] | undefined {
  const [none, ...own] = written.replace(/(\/\*\*)+(?=\/|$)/g, '/**').split('/')
  const variables = written.match(/\*+|\{\w+\}/g) ?? []
  if (none !== '' || variables.length > MOST_VARIABLES) return undefined
  return sampleSegments(own, route.split('/').slice(1)).map(sample => ['', ...sample])
}

function sampleSegments(own: string[], parts: string[]): string[][] {
  const [first, ...others] = own
  const [part, ...rest] = parts
  if (first === undefined) return part === undefined ? [[]] : []
  const without = first === '**' ? sampleSegments(others, parts) : []
  if (part === undefined) return without
  const after = sampleSegments(first === '**' ? own : others, rest)
  return [...without, ...sampleTexts(first, part).flatMap(text => after.map(texts => [text, ...texts]))]
}

function sampleTexts(written: string, part: string): string[] {
  if (!part.startsWith('{')) return written === '**' || segmentPattern(written)(part) ? [part] : []
  let texts = ['']
  for (const piece of written.split(/(\*+|\{\w+\})/)) {
    const tails = piece.startsWith('*') ? [ANY, ''] : [/^\{\w+\}$/.test(piece) ? ANY : piece]
    texts = texts.flatMap(text => tails.map(tail => text + tail))
  }
  return texts.filter(text => text !== '')
}
