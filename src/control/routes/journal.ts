import { type JournalEntry, journalLimit } from '../../contract/journal-entry.ts'
import { fail } from '../../engine/error.ts'
import { errors } from '../../engine/errors.ts'
import type { Sandbox } from '../../engine/sandbox/index.ts'
import type { ControlContext } from '../context.ts'
import { ALL, STREAM_HEADERS } from '../journal/event-hub.ts'
import { checkExpectation, expectationShape, isAboutTraffic } from '../journal/expectation.ts'
import { harEntry, harHead } from '../journal/har.ts'
import { readFilters } from '../journal/log-kind.ts'
import { ENTRY_FILTERS, filterEntries, requestLog, wantsAll } from '../journal/pattern.ts'
import { verifyLog } from '../journal/verify.ts'
import { del, get, post, Reply, type Route } from '../route.ts'

export function journalRoutes(context: ControlContext): Route[] {
  const { sandboxes, events } = context
  const find = (sandbox: Sandbox, query: URLSearchParams, limit: number) =>
    filterEntries({ sandbox, all: () => sandboxes.list() }, query, limit)
  return [
    get('/requests', 'List requests, newest first', {
      query: ENTRY_FILTERS,
      run({ sandbox, query }) {
        const { entries, dropped } = find(sandbox, query, 100)
        return { requests: entries, ...(dropped > 0 && { dropped }) }
      },
    }),
    get('/requests.har', 'Export requests as HAR, oldest first', {
      query: { ...ENTRY_FILTERS, limit: 'Maximum number of requests, the latest [default: all]' },
      run({ sandbox, query }) {
        const found = find(sandbox, query, Number.POSITIVE_INFINITY)
        const oldestFirst = found.entries.reverse()
        const dropped = found.dropped > 0 ? `Older requests dropped from the journal: ${found.dropped}` : undefined
        const entries = oldestFirst.map(harEntry)
        const headers = { 'Content-Disposition': `attachment; filename="edgesim-${sandbox.name}.har"` }
        return new Reply(200, { log: { ...harHead(oldestFirst, context.version, dropped), entries } }, headers)
      },
    }),
    del('/requests', 'Clear the journal', {
      statuses: [204],
      run: ({ sandbox }) => sandbox.journal.clear(),
    }),
    post('/requests/verify', 'Verify the recorded requests', {
      body: expectationShape,
      run({ sandbox, body }) {
        checkExpectation(body, sandbox)
        const log = (body.sequence ?? [body]).some(isAboutTraffic) ? sandbox.decisions : sandbox.journal
        return verifyLog(requestLog, log, body)
      },
    }),
    get('/requests/{id}', 'Explain a request and its response', {
      params: { id: 'Operation id, from an error or the response header Edgesim-Operation-Id' },
      run: ({ sandbox, params }) => findEntry(context, sandbox, params.id!),
    }),
    post('/requests/{id}/rewind', 'Restore the state just before a request', {
      params: { id: 'Operation id in the journal' },
      statuses: [204],
      run: ({ sandbox, params }) => sandbox.rewind(params.id!),
    }),
    get('/events', 'Stream server-sent events: request, change, warning, traffic, delivery, reset', {
      query: { sandboxes: 'all, for every sandbox' },
      run({ sandbox, query, req, res }) {
        const all = wantsAll(readFilters(query, ['sandboxes']).sandboxes)
        if (req.method === 'HEAD') res.writeHead(200, STREAM_HEADERS).end()
        else events.subscribe(all ? ALL : sandbox.name, res, (req.headers['last-event-id'] as string) || undefined)
      },
    }),
  ]
}

function findEntry({ sandboxes }: ControlContext, sandbox: Sandbox, id: string): JournalEntry {
  // Ids are unique across all sandboxes.
  const holder = [sandbox, ...sandboxes.list()].find(({ journal }) => journal.get(id))
  if (holder) return holder.journal.get(id)!
  const exists = `It was dropped or never existed: ${journalLimit()}.`
  fail(errors.not_found, { what: `request ${id.slice(0, 80)}`, id, exists })
}
