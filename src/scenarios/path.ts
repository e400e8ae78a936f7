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
  const own = compile(written)
  return path => follow(own, path.split('/'), ({ matches }, part) => matches!(part))
}

/** Goes back to the last `**` only: that it takes one more segment is all that can help. */
function follow(own: Segment[], parts: string[], fits: (own: Segment, part: string) => boolean): boolean {
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
