import { suggest } from '../../basics/nearest.ts'
import { fail } from '../../contract/errors.ts'
import type { Entry } from '../../contract/journal-entry.ts'
import type { Journal, Recorded } from '../../sandbox/index.ts'
import { pathPattern } from '../../scenarios/path.ts'
import { parseTime } from '../../schema/index.ts'
import { checkMethod, checkOperation, checkPath, statusMatches } from './request-pattern.ts'

/** Parameters of the query that choose entries of the journal. */
export const ENTRY_FILTERS = {
  limit: 'how many (100)',
  operation: 'an operation id',
  method: 'a method',
  path: 'a path; * stands for any part of a segment, ** for any segments',
  status: 'a status, a class like 4xx, or the text null where there was no answer',
  caller: 'a user, bot or key',
  since: 'an operation id or a time',
}

/** Returns the newest first. */
export function filterEntries(journal: Journal, query: URLSearchParams, defaultLimit: number): Recorded[] {
  checkFilters(query, journal)
  const given = query.get('limit')
  const limit = given === null ? defaultLimit : Number(given)
  if (given !== null && (!Number.isInteger(limit) || limit < 1))
    fail('bad_request', { why: `"limit" must be a whole number from 1, not ${given}` })
  const since = query.get('since')
  const after = since === null ? undefined : isSince(journal, since)
  const path = query.get('path')
  const pathMatches = path === null ? undefined : pathPattern(path)
  const wanted = (name: string, matches: (value: string) => boolean) => {
    const value = query.get(name)
    return value === null || matches(value)
  }
  const found = journal
    .newestFirst()
    .filter(
      entry =>
        wanted('operation', value => entry.operation === value) &&
        wanted('method', value => entry.method === value.toUpperCase()) &&
        (pathMatches === undefined || pathMatches(entry.path)) &&
        wanted('status', value => statusMatches(entry.status, value)) &&
        wanted('caller', value => entry.caller?.id === value || entry.caller?.key_id === value) &&
        (after === undefined || after(entry)),
    )
  return found.slice(0, limit)
}

/** Fails for misspelt filters, which would have no effect. */
function checkFilters(query: URLSearchParams, journal: Journal) {
  const known = Object.keys(ENTRY_FILTERS)
  for (const name of query.keys()) {
    if (known.includes(name)) continue
    fail('bad_request', { why: `There is no filter ${JSON.stringify(name.slice(0, 80))}.${suggest(name, known)}` })
  }
  const [status, operation, method, path] = ['status', 'operation', 'method', 'path'].map(name => query.get(name))
  if (typeof status === 'string' && !/^([1-5](xx|\d\d)|null)$/.test(status))
    fail('bad_request', { why: `"status" must be like 404, 4xx or null, not ${JSON.stringify(status.slice(0, 80))}` })
  if (typeof operation === 'string') checkOperation(operation)
  if (typeof method === 'string') checkMethod(method)
  if (typeof path === 'string') checkPath(path, journal)
}

/** Tests whether an entry comes after a request, or not before a time. */
function isSince(journal: Journal, since: string): (entry: Entry) => boolean {
  const known = journal.get(since)
  if (known) return entry => entry.seq > known.seq
  const time = parseTime(since)
  if (time === undefined)
    fail('bad_request', {
      why: `"since" must be an operation id of the journal or an RFC 3339 time, not ${JSON.stringify(since.slice(0, 80))}`,
    })
  return entry => Date.parse(entry.at) >= time
}
