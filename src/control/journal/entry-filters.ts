import { runSync } from '../../basics/slices.ts'
import type { Pattern } from '../../contract/expectation.ts'
import type { Entry } from '../../contract/journal-entry.ts'
import type { Journal, Recorded } from '../../sandbox/index.ts'
import { parseTime } from '../../schema/index.ts'
import { quoted, reject, rejectUnknown } from '../route.ts'
import { checkPattern, conditionsOf } from './pattern.ts'

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
  const known = Object.keys(ENTRY_FILTERS)
  // A misspelt filter would have no effect.
  const unknown = [...query.keys()].find(name => !known.includes(name))
  if (unknown !== undefined) rejectUnknown('filter', unknown, known)
  // Of a filter that is given twice, the first counts.
  const { limit = defaultLimit, since, ...pattern } = Object.fromEntries([...query].reverse())
  if (pattern.status !== undefined && !/^([1-5](xx|\d\d)|null)$/.test(pattern.status))
    reject(`"status" must be like 404, 4xx or null, not ${quoted(pattern.status)}`)
  checkPattern(pattern as Pattern, journal)
  if (query.has('limit') && (!Number.isInteger(Number(limit)) || Number(limit) < 1))
    reject(`"limit" must be a whole number from 1, not ${limit}`)
  const conditions = runSync(conditionsOf(pattern as Pattern))
  const isAfter = since === undefined ? () => true : isSince(journal, since)
  return journal
    .newestFirst()
    .filter(entry => conditions.every(({ read, matches }) => matches(read(entry))) && isAfter(entry))
    .slice(0, Number(limit))
}

/** Tests whether an entry comes after a request, or not before a time. */
function isSince(journal: Journal, since: string): (entry: Entry) => boolean {
  const known = journal.get(since)
  if (known) return entry => entry.seq > known.seq
  const time = parseTime(since)
  if (time === undefined)
    reject(`"since" must be an operation id of the journal or an RFC 3339 time, not ${quoted(since)}`)
  return entry => Date.parse(entry.at) >= time
}
