import { METHODS } from 'node:http'
import { suggest } from '../../basics/nearest.ts'
import { fail } from '../../contract/errors.ts'
import type { OperationName } from '../../contract/shapes.ts'
import { operations } from '../../resources/index.ts'
import type { Journal } from '../../sandbox/index.ts'
import { pathPattern, routePattern } from '../../scenarios/path.ts'

/** Fails for a method that HTTP does not have: it would match nothing. */
export function checkMethod(name: string) {
  if (METHODS.includes(name.toUpperCase())) return
  const hint = suggest(name.toUpperCase(), METHODS)
  fail('bad_request', { why: `There is no method ${JSON.stringify(name.slice(0, 80))}.${hint}` })
}

/** Fails for a path that matches no route and no request of the journal: it must be a typo. */
export function checkPath(path: string, journal: Journal) {
  const routes = [...new Set(operations.map(operation => operation.path))]
  if (routes.some(routePattern(path))) return
  const matches = pathPattern(path)
  if (journal.newestFirst().some(entry => matches(entry.path))) return
  fail('bad_request', {
    why: `No route has the path ${JSON.stringify(path.slice(0, 80))}.${suggest(path, routes)}`,
  })
}

/** Fails for an unknown operation: it would match nothing. */
export function checkOperation(name: string): OperationName {
  const known = operations.map(({ id }) => id)
  if (known.includes(name)) return name as OperationName
  fail('bad_request', { why: `There is no operation ${JSON.stringify(name.slice(0, 80))}.${suggest(name, known)}` })
}

/** `wanted` is a status, a class like `4xx`, or `null` for no answer. */
export const statusMatches = (status: number | null, wanted: string) =>
  /^[1-5]xx$/.test(wanted) ? Math.floor((status ?? 0) / 100) === Number(wanted[0]) : String(status) === wanted
