import { suggest } from '../../basics/nearest.ts'
import { ApiError, errorBody, fail } from '../../contract/errors.ts'
import type { Entry } from '../../contract/journal-entry.ts'
import type { Journal, Recorded, Sandbox } from '../../sandbox/index.ts'
import { pathPattern } from '../../scenarios/path.ts'
import { parseTime } from '../../schema/index.ts'
import type { ControlContext } from '../context.ts'
import { STREAM_HEADERS } from '../journal/event-hub.ts'
import { harEntry, harHead } from '../journal/har.ts'
import { checkMethod, checkOperation, checkPath, statusMatches } from '../journal/request-pattern.ts'
import { checkExpectation, expectationSchema, isAboutTraffic, verify } from '../journal/verify.ts'
import { type ControlRoute, destroys, done, ok, reads, route } from '../route.ts'

const FILTERS = {
  limit: 'how many (100)',
  operation: 'an operation id',
  method: 'a method',
  path: 'a path; * stands for any part of a segment, ** for any segments',
  status: 'a status, a class like 4xx, or the text null where there was no answer',
  caller: 'a user, bot or key',
  since: 'an operation id or a time',
}

/** The journal: requests, answers, explanations. */
export const journalRoutes = (context: ControlContext): ControlRoute[] => [
  {
    method: 'get',
    path: '/requests',
    summary: 'The journal, newest first',
    query: FILTERS,
    answers: [200],
    tools: [
      reads(
        'list_requests',
        'Use it to see what your code really sent, and how it was answered.',
        '{requests request}, newest first; no more than limit, which is 100 unless given. explain_request shows all of one.',
        {
          brief: {
            requests: ['id', 'at', 'operation', 'method', 'path', 'query', 'status', 'caller', 'rules', 'explanation'],
          },
        },
      ),
    ],
    run: ({ sandbox, query }) => ok({ requests: filterEntries(sandbox.journal, query, 100) }),
  },
  {
    method: 'get',
    path: '/requests.har',
    summary: 'The journal as HAR, oldest first, for the network panel of a browser',
    query: { ...FILTERS, limit: 'how many, the latest (all)' },
    answers: [200],
    run({ sandbox, query, origin }) {
      const { journal, name } = sandbox
      const found = filterEntries(journal, query, Number.POSITIVE_INFINITY).reverse()
      const dropped =
        journal.dropped > 0 ? `Older requests that the journal has dropped: ${journal.dropped}` : undefined
      const url = context.url(origin)
      // Each is made when it is written: that is done in slices.
      const entries = found.map(entry => ({ toJSON: () => harEntry(entry, url) }))
      const headers = { 'Content-Disposition': `attachment; filename="edgesim-${name}.har"` }
      return { ...ok({ log: { ...harHead(found, context.version, dropped), entries } }), headers }
    },
  },
  {
    method: 'delete',
    path: '/requests',
    summary: 'Empty the journal',
    answers: [204],
    tools: [
      destroys(
        'clear_requests',
        'Use it before a run whose requests you will verify; the state stays.',
        'The journal is empty.',
      ),
    ],
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
    tools: [
      reads(
        'verify_requests',
        'Use it to prove what your code did: how many requests match, or that a sequence of them was met in order.',
        'As expected. Requests that match: {matched}.',
      ),
    ],
    async run({ sandbox, body }) {
      checkExpectation(body, sandbox.journal)
      const log = (body.sequence ?? [body]).some(isAboutTraffic) ? sandbox.decisions : sandbox.journal
      const verdict = await verify(log.newestFirst().reverse(), body)
      if (verdict.failure === undefined) return ok(verdict)
      const { matched, nearest, failure } = verdict
      const older = log.dropped > 0 ? `; older ones that were dropped from it: ${log.dropped}` : ''
      const error = errorBody(new ApiError('conflict', { why: failure + older }), context.vendor)
      return { status: 409, body: { ...error, matched, nearest } }
    },
  }),
  {
    method: 'get',
    path: '/requests/{id}',
    summary: 'One request, its answer, and why it was answered so',
    params: { id: 'an operation id: that of an error, or the header Edgesim-Operation-Id of any answer' },
    answers: [200],
    tools: [
      reads(
        'explain_request',
        'Use it when a request failed, or was answered in a way you did not expect.',
        '{method} {path}: {status}. {explanation.text}',
      ),
    ],
    run: ({ sandbox, params }) => ok(entryOf(context, sandbox, params.id!)),
  },
  {
    method: 'post',
    path: '/requests/{id}/rewind',
    summary: 'The state as it was just before that request',
    params: { id: 'an operation id of the journal' },
    answers: [204],
    tools: [
      destroys(
        'rewind',
        'Use it to try something again from the same state; the journal, the clock and counters of rules stay.',
        'The state is as it was just before that request.',
      ),
    ],
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
      if (req.method === 'HEAD') return { status: 200, headers: STREAM_HEADERS }
      context.events.subscribe(sandbox.name, res, (req.headers['last-event-id'] as string) || undefined)
      return undefined
    },
  },
]

function entryOf({ sandboxes }: ControlContext, sandbox: Sandbox, id: string): Entry {
  // Ids are unique, so that of an error can be asked for without knowing the sandbox, which the entry names.
  const holder = [sandbox, ...sandboxes.list()].find(({ journal }) => journal.get(id))
  if (holder) return holder.journal.get(id)!
  const exists = 'A journal keeps the latest 1,000 requests up to 16 MB: it was dropped, or never was.'
  fail('not_found', { what: `request ${id.slice(0, 80)} in any journal`, id, exists })
}

/** The newest first; `usual` is how many where no limit is given. */
function filterEntries(journal: Journal, query: URLSearchParams, usual: number): Recorded[] {
  checkFilters(query, journal)
  const given = query.get('limit')
  const limit = given === null ? usual : Number(given)
  if (given !== null && (!Number.isInteger(limit) || limit < 1))
    fail('bad_request', { why: `"limit" must be a whole number from 1, not ${given}` })
  const since = query.get('since')
  const after = since === null ? undefined : startOf(journal, since)
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

/** A misspelt filter would have no effect, so it is rejected. */
function checkFilters(query: URLSearchParams, journal: Journal) {
  const known = Object.keys(FILTERS)
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
