import fc from 'fast-check'
import type { Simulated } from '../../../support/in-process.ts'
import { Connection, type Heard } from '../../../support/raw-http.ts'
import { wrongResponses } from './checks.ts'
import type { Report } from './report.ts'
import type { Draft } from './requests.ts'
import { checkStates } from './states.ts'
import { type Sent, toWire } from './wire.ts'
import { worldOf } from './world.ts'

/** Maximum CPU time per response, which doesn't depend on other processes. */
const SLOW_MS = 1_000
const SHRINK_MS = 10_000
const REPAIR_EVERY = 500
const STATES_EVERY = 2_000

export interface Run {
  simulated: Simulated
  drafts: fc.Arbitrary<Draft>
  scripted: boolean
  seed: number
  count: number
  report: Report
  defects: string[]
}

/** Sends groups of requests until one fails, then shrinks it. Returns the first and the smallest failure. */
async function sendGroups(run: Run, size: number, send: (drafts: Draft[]) => Promise<void>): Promise<string> {
  const { simulated, report, seed, count } = run
  let sent = 0
  let first: string | undefined
  let until = Number.POSITIVE_INFINITY
  const group = fc.array(run.drafts, { minLength: size, maxLength: size })
  const property = fc.asyncProperty(group, async drafts => {
    if (performance.now() > until) return
    try {
      if (!first && sent % REPAIR_EVERY < size) await recover(simulated)
      for (const { route } of drafts) report.routes.add(route)
      await send(drafts)
      sent += size
      if (!first && (sent % STATES_EVERY < size || sent >= count)) await checkStates(simulated)
    } catch (error) {
      first ??= `after ${sent} requests: ${(error as Error).message}`
      until = Math.min(until, performance.now() + SHRINK_MS)
      throw error
    }
  })
  const { errorInstance, numShrinks } = await fc.check(property, { seed, numRuns: Math.ceil(count / size) })
  return [first, numShrinks > 0 && `smaller: ${(errorInstance as Error).message}`].filter(Boolean).join('\n\n')
}

/** Recreates sandboxes that have no keys, which would return only 401, or that are large, and so slow. */
async function recover({ sandboxes, call, as }: Simulated) {
  for (const sandbox of sandboxes.list()) {
    const token = sandboxes.tokenFor(sandbox)
    const response = token && (await as(token)('GET', '/api_keys').catch(() => null))
    if (response && response.status === 200 && Object.values(sandbox.tables.rows()).flat().length < 200) continue
    if (sandbox.name === 'default') await call('PUT', '/_sim/sandboxes/default', { fixture: 'default' })
    else await call('DELETE', `/_sim/sandboxes/${sandbox.name}`)
  }
}

function fail(why: string | undefined, sent: Sent[] = [], heard?: Heard) {
  if (!why) return
  const requests = sent.map(
    ({ bytes, end }) => `  sent (${end}): ${JSON.stringify(bytes.toString('latin1', 0, 4_000))}`,
  )
  const responses = heard?.replies.map(({ status, text }) => `  received: ${status} ${text.slice(0, 400)}`) ?? []
  throw new Error([why, ...requests, ...responses].join('\n'))
}

async function exchange({ report, scripted, defects }: Run, line: Connection, sent: Sent[]): Promise<Heard> {
  const before = process.cpuUsage()
  const [bytes, methods] = [Buffer.concat(sent.map(each => each.bytes)), sent.map(({ method }) => method)]
  const heard = await line.exchange(bytes, methods, sent.at(-1)!.end).catch((error: Error) => error)
  const { user, system } = process.cpuUsage(before)
  if (heard instanceof Error || sent.some(({ clean }) => !clean)) line.close()
  if (heard instanceof Error) throw fail(heard.message, sent)
  const ms = (user + system) / 1000
  report.note(sent, heard)
  const [defect] = defects.splice(0)
  fail(defect?.slice(0, 500) ?? wrongResponses(sent, heard, scripted), sent, heard)
  // With several requests, it is unclear which one took the time.
  if (sent.length === 1 && ms > SLOW_MS) fail(`took ${Math.round(ms)} ms of CPU`, sent, heard)
  return heard
}

/** Sends requests one by one, to attribute changes and CPU time to a request. */
export async function oneAtATime(run: Run): Promise<string> {
  const { simulated, scripted } = run
  const { port, sandboxes } = simulated
  const line = new Connection(port)
  const failure = await sendGroups(run, 1, async ([draft]) => {
    const sent = toWire(draft!, worldOf(simulated, draft!.sandbox), port)
    const before = new Map(sandboxes.list().map(sandbox => [sandbox, sandbox.seq]))
    const own = sent.end === 'answer' ? line : new Connection(port)
    const heard = await exchange(run, own, [sent])
    // Changes by the clock may happen before any call, including rejected ones.
    const [changed] = [...before].filter(([{ history }, seq]) =>
      history.changes.some(change => change.seq > seq && change.cause.kind !== 'clock'),
    )
    const status = heard.replies[0]?.status ?? 0
    if (changed && !scripted && status >= 300) {
      const [{ name, seq }, was] = changed
      fail(`returned ${status}, but ${name} went from change ${was} to ${seq}`, [sent], heard)
    }
    // An interrupted request may still run, and its change must not be attributed to the next one.
    if (sent.end !== 'answer') await settle(port, sent.method)
  })
  line.close()
  return failure
}

/** Long writes run in slices over several turns of the event loop. */
async function settle(port: number, method: string) {
  const line = new Connection(port)
  for (let turn = 0; turn < (method === 'GET' ? 1 : 10); turn++) {
    await line.exchange('GET /_sim/health HTTP/1.1\r\nHost: localhost\r\n\r\n', ['GET'])
    await new Promise(resolve => setImmediate(resolve))
  }
  line.close()
}

export async function pipelined(run: Run): Promise<string> {
  const { simulated } = run
  const lines = Array.from({ length: 4 }, () => new Connection(simulated.port))
  const failure = await sendGroups(run, lines.length * 5, async drafts => {
    const all = drafts.map(draft => toWire(draft, worldOf(simulated, draft.sandbox), simulated.port))
    const results = await Promise.allSettled(
      lines.map(async (line, i) => {
        const mine = all.slice(i * 5, i * 5 + 5)
        // Nothing can follow a malformed request.
        const sent = [...mine.filter(({ clean }) => clean), ...mine.filter(({ clean }) => !clean).slice(0, 1)]
        await exchange(run, line, sent)
      }),
    )
    const failed = results.find(result => result.status === 'rejected')
    if (failed) throw failed.reason
  })
  for (const line of lines) line.close()
  return failure
}
