import { ApiError, errorBody, fail } from '../../errors.ts'
import type { Entry, Journal, Sandbox } from '../../sandbox/index.ts'
import { parseTime } from '../../schema/index.ts'
import { type ControlRoute, done, ok, route } from '../route.ts'
import { expectationSchema, pathMatches, verify } from '../verify.ts'
import type { World } from '../world.ts'

/** What was asked, what was answered, and why. */
export const journalRoutes = (world: World): ControlRoute[] => [
  {
    method: 'get',
    path: '/requests',
    summary: 'The journal, newest first',
    query: {
      limit: 'how many (100)',
      operation: 'an operation id',
      method: 'a method',
      path: 'a path; * stands for one segment',
      status: 'a status, or a class like 4xx',
      caller: 'a user, bot or key',
      since: 'an operation id or a time',
    },
    answers: [200],
    run: ({ sandbox, query }) => ok({ requests: filterEntries(sandbox.journal, query) }),
  },
  {
    method: 'delete',
    path: '/requests',
    summary: 'Empty the journal',
    answers: [204],
    run({ sandbox }) {
      sandbox.journal.clear()
      return done
    },
  },
  route({
    method: 'post',
    path: '/requests/verify',
    summary: 'Whether the requests were as expected',
    body: expectationSchema,
    answers: [200],
    run({ sandbox, body }) {
      const verdict = verify(sandbox.journal.newestFirst().reverse(), body)
      if (verdict.failure === undefined) return ok(verdict)
      const { matched, nearest, failure } = verdict
      const error = errorBody(new ApiError('conflict', { why: failure }), world.vendor)
      return { status: 409, body: { ...error, matched, nearest } }
    },
  }),
  {
    method: 'get',
    path: '/requests/{id}',
    summary: 'One request, its answer, and why it was answered so',
    answers: [200],
    run: ({ sandbox, params }) => ok(entryOf(sandbox, params.id!)),
  },
  {
    method: 'post',
    path: '/requests/{id}/rewind',
    summary: 'The state as it was just before that request',
    answers: [204],
    run({ sandbox, params }) {
      sandbox.rewind(params.id!)
      return done
    },
  },
  {
    method: 'get',
    path: '/events',
    summary: 'Server-sent events: request, change, warning, traffic, reset',
    answers: [200],
    run({ sandbox, req, res }) {
      const seen = Number(req.headers['last-event-id'])
      world.events.subscribe(
        sandbox.name,
        res,
        req.headers['last-event-id'] && Number.isInteger(seen) ? seen : undefined,
      )
      return undefined
    },
  },
]

function entryOf(sandbox: Sandbox, id: string): Entry {
  const entry = sandbox.journal.get(id)
  if (entry) return entry
  const exists =
    'The journal keeps the latest 1,000 requests up to 16 MB: it may have been dropped, or be in the journal of another sandbox.'
  fail('not_found', { what: `request ${id} in the journal of "${sandbox.name}"`, id, exists })
}

function filterEntries(journal: Journal, query: URLSearchParams): Entry[] {
  const limit = Number(query.get('limit') ?? 100)
  if (!Number.isInteger(limit) || limit < 1)
    fail('bad_request', { why: `"limit" must be a whole number from 1, not ${query.get('limit')}` })
  const since = query.get('since')
  const after = since === null ? undefined : startOf(journal, since)
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
        wanted('path', value => pathMatches(value, entry.path)) &&
        wanted('status', value => statusMatches(entry.status, value)) &&
        wanted('caller', value => entry.caller?.id === value || entry.caller?.key_id === value) &&
        (after === undefined || after(entry)),
    )
  return found.slice(0, limit)
}

const statusMatches = (status: number | null, wanted: string) =>
  /^[1-5]xx$/.test(wanted) ? Math.floor((status ?? 0) / 100) === Number(wanted[0]) : String(status) === wanted

/** Entries after a request, or from a time on. */
function startOf(journal: Journal, since: string): (entry: Entry) => boolean {
  const known = journal.get(since)
  if (known) return entry => entry.seq > known.seq
  const time = parseTime(since)
  if (time === undefined)
    fail('bad_request', {
      why: `"since" must be an operation id of the journal or an RFC 3339 time, not ${JSON.stringify(since.slice(0, 80))}`,
    })
  return entry => Date.parse(entry.at) >= time
}
