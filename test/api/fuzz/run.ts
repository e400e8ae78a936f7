import fc from 'fast-check'
import type { Simulated } from '../../support/in-process.ts'
import { LONG } from '../../support/long.ts'
import { Connection, type Heard } from '../../support/raw-http.ts'
import { wrongWith } from './checks.ts'
import { type Report, SLOW_MS } from './report.ts'
import type { Draft } from './requests.ts'
import { wrongStates } from './states.ts'
import { type Sent, toWire } from './wire.ts'
import { worldOf } from './world.ts'

/** Requests per batch; each batch has its own seed. */
const BATCH = 500

export interface Run {
  simulated: Simulated
  requests: fc.Arbitrary<Draft>
  /** A scenario may change the answers. */
  scripted?: boolean
  seed: number
  count: number
  report: Report
  /** Defects reported since the last request. */
  defects: string[]
  /** The number of requests between two checks of all states. */
  statesEvery: number
}

/** The batches of a run; sandboxes are repaired before and checked after each. */
async function* batches({ requests, seed, count, simulated, report, statesEvery }: Run) {
  for (let from = 0; from < count; from += BATCH) {
    await recover(simulated)
    yield { from, drafts: fc.sample(requests, { seed: seed + from, numRuns: Math.min(BATCH, count - from) }) }
    if (Math.floor(from / statesEvery) === Math.floor((from + BATCH) / statesEvery) && from + BATCH < count) continue
    for (const why of await wrongStates(simulated)) report.fail({ index: from, why })
    report.states += simulated.sandboxes.list().length
  }
}

/** Recreates a sandbox whose keys are deleted or which has grown large: it would answer only 401, or slowly. */
async function recover({ sandboxes, call, as }: Simulated) {
  for (const sandbox of sandboxes.list()) {
    const token = sandboxes.tokenFor(sandbox)
    const rows = Object.values(sandbox.tables.rows()).flat().length
    const { status } =
      token === null ? { status: 401 } : await as(token)('GET', '/api_keys').catch(() => ({ status: 0 }))
    if (status === 200 && rows < 200) continue
    if (sandbox.name === 'default') await call('PUT', '/_sim/sandboxes/default', { fixture: 'default' })
    else await call('DELETE', `/_sim/sandboxes/${sandbox.name}`)
  }
}

/** One request after the other, so that a change can be attributed to its request. */
export async function oneAtATime(run: Run) {
  const { simulated, report, scripted = false } = run
  const { port, sandboxes } = simulated
  const line = new Connection(port)
  for await (const { from, drafts } of batches(run)) {
    for (const [i, draft] of drafts.entries()) {
      const sent = toWire(draft, worldOf(simulated, draft.sandbox), port)
      const fail = (why: string, heard?: Heard) => report.fail({ index: from + i, why, sent: [sent], heard })
      const before = new Map(sandboxes.list().map(sandbox => [sandbox, sandbox.seq]))
      const own = sent.end === 'answer' ? line : new Connection(port)
      const heard = await own
        .exchange(sent.bytes, [sent.method], sent.end)
        .catch(error => fail((error as Error).message))
      if (!heard) {
        own.close()
        continue
      }
      judge(run, [sent], heard, fail)
      if (LONG && heard.ms > SLOW_MS) fail(`took ${Math.round(heard.ms)} ms`, heard)
      // What the clock changes is due before any call, also before one that is refused.
      const changed = [...before].filter(([{ history }, seq]) =>
        history.changes.some(change => change.seq > seq && change.cause.kind !== 'clock'),
      )
      const status = heard.replies[0]?.status
      if (changed.length > 0 && !scripted && status !== undefined && status >= 300)
        fail(
          `answered ${status}, but ${changed[0]![0].name} went from change ${changed[0]![1]} to ${changed[0]![0].seq}`,
          heard,
        )
      if (!sent.clean) line.close()
      // A request that was cut off may still be under way: wait, so that its change is not attributed to the next one.
      if (sent.end !== 'answer') await settle(port, sent.method)
      if (report.enough) return
    }
  }
  line.close()
}

/** Long writes are done in slices, so that several turns pass until they are over. */
async function settle(port: number, method: string) {
  const line = new Connection(port)
  for (let turn = 0; turn < (method === 'GET' ? 1 : 10); turn++) {
    await line.exchange(Buffer.from('GET /_sim/health HTTP/1.1\r\nHost: localhost\r\n\r\n'), ['GET'])
    await new Promise(resolve => setImmediate(resolve))
  }
  line.close()
}

/** Several connections at once, with pipelined requests on each. */
export async function pipelined(run: Run, connections = 4) {
  const { simulated, report } = run
  const lines = Array.from({ length: connections }, () => new Connection(simulated.port))
  for await (const { from, drafts } of batches(run)) {
    const groups: Draft[][] = []
    for (const [i, draft] of drafts.entries()) {
      if (i % 5 === 0) groups.push([])
      groups.at(-1)!.push(draft)
    }
    let next = 0
    await Promise.all(
      lines.map(async line => {
        for (let at = next++; at < groups.length && !report.enough; at = next++)
          await sendAhead(run, line, groups[at]!, from + at * 5)
      }),
    )
    if (report.enough) return
  }
  for (const line of lines) line.close()
}

async function sendAhead(run: Run, line: Connection, drafts: Draft[], index: number) {
  const { simulated, report } = run
  const all = drafts.map(draft => toWire(draft, worldOf(simulated, draft.sandbox), simulated.port))
  const odd = all.find(sent => !sent.clean)
  const sent = [...all.filter(each => each.clean), ...(odd ? [odd] : [])]
  if (sent.length === 0) return
  const end = odd?.end ?? 'answer'
  const fail = (why: string, heard?: Heard) => report.fail({ index, why, sent, heard })
  const bytes = Buffer.concat(sent.map(each => each.bytes))
  const heard = await line
    .exchange(
      bytes,
      sent.map(({ method }) => method),
      end,
    )
    .catch(error => fail((error as Error).message))
  if (heard) judge(run, sent, heard, fail)
  if (!heard || odd) line.close()
}

/** Answers to bytes that cannot be read: they must come after the answers to the requests before them. */
const UNREADABLE = /cannot be read as an HTTP request|CONNECT is not supported|Only 100-continue is/

function judge(run: Run, sent: Sent[], heard: Heard, tell: (why: string, heard: Heard) => void) {
  const { report, defects, scripted = false } = run
  report.note(sent, heard)
  const fail = (why: string) => tell(why, heard)
  for (const [i, reply] of heard.replies.entries()) {
    const why = wrongWith(reply, sent[i]?.method ?? 'GET', scripted)
    if (why) fail(why)
    if (sent[i]?.clean && UNREADABLE.test(reply.text)) fail('what is not HTTP was answered in the place of this')
  }
  for (const text of defects.splice(0)) fail(`a defect was reported: ${text.slice(0, 500)}`)
  const odd = sent.find(({ clean }) => !clean)
  if (scripted || odd?.end === 'fin' || odd?.end === 'reset') return
  // Bytes that are not HTTP may get two answers: to the part that could be read, and to the rest.
  if (heard.rest.length > 0 && !odd)
    fail(`bytes that belong to no answer: ${JSON.stringify(heard.rest.toString('latin1').slice(0, 200))}`)
  const unanswered = sent[heard.replies.length]
  const told = heard.replies.at(-1)?.headers.get('connection')?.toLowerCase() === 'close'
  if (heard.closed && unanswered && !told) fail('the connection was closed without an answer')
}
