/**
 * How a path is written in a rule: as it is, as the route's own `/api_keys/{id}`, or with `*` for any part of a segment
 * and `**` for any segments.
 */

/** Whether some call of the route could have that path; a path that fits no route would never match. */
export function fitsRoute(written: string, route: string): boolean {
  return fits(written.split('/'), route.split('/'))
}

function fits([own, ...others]: string[], route: string[]): boolean {
  if (own === undefined) return route.length === 0
  if (own === '**') return fits(others, route) || (route.length > 0 && fits([own, ...others], route.slice(1)))
  const [part, ...rest] = route
  return part !== undefined && segmentFits(own, part) && fits(others, rest)
}

/** A parameter of a route matches any text that is not empty. */
const segmentFits = (own: string, part: string) =>
  part.startsWith('{') ? own !== '' : new RegExp(`^${segment(own)}$`).test(part)

/** What paths of calls must match. */
export function pathPattern(written: string): RegExp {
  const parts = written.split('/').slice(1)
  return new RegExp(`^${parts.map(part => (part === '**' ? '(/[^/]+)*' : `/${segment(part)}`)).join('')}$`)
}

const segment = (written: string) =>
  written
    .replace(/[.+?^${}()|[\]\\]|\*/g, char => (char === '*' ? '[^/]*' : `\\${char}`))
    .replace(/\\\{\w+\\\}/g, '[^/]+')
