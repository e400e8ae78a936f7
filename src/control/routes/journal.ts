import { runYielding } from '../../basics/slices.ts'
import { fail } from '../../contract/errors.ts'
import { type JournalEntry, journalKeeps } from '../../contract/journal-entry.ts'
import type { Sandbox } from '../../sandbox/index.ts'
import type { ControlContext } from '../context.ts'
import { ALL, STREAM_HEADERS } from '../journal/event-hub.ts'
import { checkExpectation, expectationSchema, isAboutTraffic } from '../journal/expectation.ts'
import { harEntry, harHead } from '../journal/har.ts'
import { readFilters } from '../journal/log-kind.ts'
import { ENTRY_FILTERS, filterEntries, requestLog, wantsAll } from '../journal/pattern.ts'
import { verifyLog } from '../journal/verify.ts'
import { del, destroys, get, post, Reply, type Route, reads } from '../route.ts'

export function journalRoutes(context: ControlContext): Route[] {
  const { sandboxes, events } = context
  const find = (sandbox: Sandbox, query: URLSearchParams, limit: number) =>
    runYielding(filterEntries({ sandbox, all: () => sandboxes.list() }, query, limit))
  return [
    get('/requests', 'The journal, newest first', {
      query: ENTRY_FILTERS,
      tool: reads(
        'list_requests',
        'Use it to see what your code really sent, and how it was answered.',
        '{requests request}, newest first; no more than limit, which is 100 unless given. explain_request shows all of one.',
        {
          brief: {
            requests: ['id', 'at', 'operation', 'method', 'path', 'query', 'status', 'caller', 'rules', 'explanation'],
          },
        },
      ),
      async run({ sandbox, query }) {
        const { entries, dropped } = await find(sandbox, query, 100)
        return { requests: entries, ...(dropped > 0 && { dropped }) }
      },
    }),
    get('/requests.har', 'The journal as HAR, oldest first, for the network panel of a browser', {
      query: { ...ENTRY_FILTERS, limit: 'how many, the latest (all)' },
      async run({ sandbox, query }) {
        const found = await find(sandbox, query, Number.POSITIVE_INFINITY)
        const oldestFirst = found.entries.reverse()
        const dropped = found.dropped > 0 ? `Older requests that the journal has dropped: ${found.dropped}` : undefined
        // Entries are made while the answer is written, which is done in slices.
        const entries = oldestFirst.map(entry => ({ toJSON: () => harEntry(entry) }))
        const headers = { 'Content-Disposition': `attachment; filename="edgesim-${sandbox.name}.har"` }
        return new Reply(200, { log: { ...harHead(oldestFirst, context.version, dropped), entries } }, headers)
      },
    }),
    del('/requests', 'Empty the journal', {
      statuses: [204],
      tool: destroys(
        'clear_requests',
        'Use it before a run whose requests you will verify; the state stays.',
        'The journal is empty.',
      ),
      run: ({ sandbox }) => sandbox.journal.clear(),
    }),
    post('/requests/verify', 'Whether the requests were as expected', {
      body: expectationSchema,
      tool: reads(
        'verify_requests',
        'Use it to prove what your code did: how many requests match, or that a sequence of them was met in order.',
        'As expected. Requests that match: {matched}.',
      ),
      async run({ sandbox, body }) {
        await runYielding(checkExpectation(body, sandbox.journal))
        const log = (body.sequence ?? [body]).some(isAboutTraffic) ? sandbox.decisions : sandbox.journal
        return verifyLog(requestLog, log, body, context.vendor)
      },
    }),
    get('/requests/{id}', 'One request, its answer, and why it was answered so', {
      params: { id: 'an operation id: that of an error, or the header Edgesim-Operation-Id of any answer' },
      tool: reads(
        'explain_request',
        'Use it when a request failed, or was answered in a way you did not expect.',
        '{method} {path}: {status}. {explanation.text}',
      ),
      run: ({ sandbox, params }) => findEntry(context, sandbox, params.id!),
    }),
    post('/requests/{id}/rewind', 'The state as it was just before that request', {
      params: { id: 'an operation id of the journal' },
      statuses: [204],
      tool: destroys(
        'rewind',
        'Use it to try something again from the same state; the journal, the clock and counters of rules stay.',
        'The state is as it was just before that request.',
      ),
      run: ({ sandbox, params }) => sandbox.rewind(params.id!),
    }),
    get('/events', 'Server-sent events: request, change, warning, traffic, delivery, reset', {
      query: { sandboxes: 'all for the events of every sandbox' },
      run({ sandbox, query, req, res }) {
        const all = wantsAll(readFilters(query, ['sandboxes']).sandboxes)
        if (req.method === 'HEAD') res.writeHead(200, STREAM_HEADERS).end()
        else events.subscribe(all ? ALL : sandbox.name, res, (req.headers['last-event-id'] as string) || undefined)
      },
    }),
  ]
}

function findEntry({ sandboxes }: ControlContext, sandbox: Sandbox, id: string): JournalEntry {
  // Ids are unique over all sandboxes, so an id is enough to find the entry.
  const holder = [sandbox, ...sandboxes.list()].find(({ journal }) => journal.get(id))
  if (holder) return holder.journal.get(id)!
  const exists = `It was dropped, or never existed: ${journalKeeps()}.`
  fail('not_found', { what: `request ${id.slice(0, 80)} in any journal`, id, exists })
}
