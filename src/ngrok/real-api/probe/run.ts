import { isObject, mapTexts } from '../../../basics/json.ts'
import { shorten } from '../../../basics/problem.ts'
import { printable } from '../../../basics/text.ts'
import type { ResponseShape, Verdict } from '../../../contract/evidence.ts'
import { SimulatorError } from '../../../contract/simulator-error.ts'
import { looksLikeIdentifier } from '../../../engine/language/index.ts'
import type { AssumptionName } from '../../assumed.ts'
import { versionHeader } from '../../vendor.ts'
import { type Connection, LostResponse } from '../connection.ts'
import type { ServiceResponse } from '../response.ts'
import { cleanUp, type Left, whyNotOurs } from './clean-up.ts'
import {
  changedBy,
  createsRecord,
  type Experiment,
  type NotTested,
  newRun,
  type ProbeMethod,
  type Step,
} from './experiment.ts'
import { experiments } from './experiments.ts'
import type { ProbeJournal } from './journal.ts'

/** Attempts per experiment, if responses are lost. */
export const MAX_ATTEMPTS = 5

interface Run {
  service: Connection<ProbeMethod>
  journal: ProbeJournal
  /** Stops the run after the current request. Its records are deleted. */
  signal?: AbortSignal
  onVerdict?(name: AssumptionName, verdict: Verdict): void
}

export interface Outcome {
  verdicts: Partial<Record<AssumptionName, Verdict>>
  /** Why the run stopped early. */
  stopped?: string
  /** Records that were not deleted. */
  left: Left[]
}

/** Tests assumptions one by one. Stops at the first unexpected response and deletes the created records. */
export async function probe(run: Run, names: readonly AssumptionName[]): Promise<Outcome> {
  const verdicts: Outcome['verdicts'] = {}
  let stopped: string | undefined
  const left: Left[] = []
  for (const name of names) {
    const experiment = experiments[name]
    const tested =
      'steps' in experiment && stopped === undefined
        ? await runExperiment(run, experiment)
        : notTested(experiment, stopped)
    verdicts[name] = tested.verdict
    run.onVerdict?.(name, tested.verdict)
    left.push(...tested.left)
    if (tested.stopped !== undefined) stopped = `Stopped at ${name}: ${tested.stopped.replace(/\.$/, '')}`
    if (run.signal?.aborted) stopped ??= 'Interrupted'
  }
  if (left.length === 0) left.push(...(await deleteCreated(run, { atEnd: true })))
  return { verdicts, stopped, left }
}

const notTested = (experiment: Experiment | NotTested, stopped: string | undefined): Tested => ({
  verdict: { undecided: `not tested: ${'because' in experiment ? experiment.because : stopped}` },
  left: [],
})

interface Tested {
  verdict: Verdict
  stopped?: string
  left: Left[]
}

async function runExperiment(run: Run, experiment: Experiment): Promise<Tested> {
  for (let attempts = 1; ; attempts++) {
    const tested = await perform(run, experiment).catch((error: Error) => error)
    const left = await deleteCreated(run)
    if (left.length > 0)
      return { verdict: tested instanceof Error ? { undecided: NOT_CLEAN } : tested.verdict, stopped: NOT_CLEAN, left }
    if (!(tested instanceof Error)) return { ...tested, left }
    if (run.signal?.aborted) return { verdict: { undecided: INTERRUPTED }, stopped: INTERRUPTED, left }
    if (tested instanceof LostResponse && attempts < MAX_ATTEMPTS) continue
    if (!(tested instanceof SimulatorError)) throw tested
    return { verdict: { undecided: tested.message }, stopped: tested.message, left }
  }
}

const deleteCreated = ({ service, journal }: Run, options?: { atEnd: true }) =>
  cleanUp(service, journal, options).catch((error: Error): Left[] => {
    if (!(error instanceof SimulatorError)) throw error
    return [{ path: service.host, why: error.message }]
  })

const NOT_CLEAN = 'its records were not deleted'
const INTERRUPTED = 'interrupted'

/** Sends the requests of an experiment until a response is decisive. */
async function perform(run: Run, { steps }: Experiment): Promise<Omit<Tested, 'left'>> {
  const ids: Record<string, string> = {}
  for (const step of steps) {
    run.signal?.throwIfAborted()
    const response = await sendStep(run, step, ids)
    const meaning = step.meanings.find(({ match }) => match.fits(response, ids))
    if (!meaning) return unexpected(step, response)
    if ('value' in meaning) return { verdict: { value: meaning.value } }
    if ('undecided' in meaning) return { verdict: { undecided: meaning.undecided } }
  }
  throw new Error('The last step of an experiment must be decisive.')
}

/** A step that only prepares others does not decide the assumption. */
function unexpected({ method, path, as }: Step, response: ServiceResponse): Omit<Tested, 'left'> {
  const stopped = `unexpected status ${response.status} for ${method} ${path}`
  return { verdict: as === undefined ? { none_known: shapeOf(response) } : { undecided: stopped }, stopped }
}

async function sendStep(run: Run, step: Step, ids: Record<string, string>): Promise<ServiceResponse> {
  const { service, journal, signal } = run
  const { method, path, version } = step
  await checkMark(run, step, ids)
  const mark = createsRecord(step) ? journal.begin(path) : undefined
  const texts = { ...ids, mark: mark ?? '', run: journal.head.run, new: newRun() }
  const headers = version === undefined ? undefined : { [versionHeader(service.vendor).toLowerCase()]: version }
  const body = mark === undefined ? step.body : { ...step.body, metadata: mark }
  const filled = mapTexts(body, text => fill(text, texts))
  const response = await service.send(method, fill(path, texts), { body: filled, headers, signal })
  if (response.status >= 400 && mark !== undefined) journal.dismiss(mark)
  if (response.status < 300 && method === 'POST') {
    const id = idOf(response, step, mark)
    if (mark !== undefined) journal.made(mark, id)
    if (step.as !== undefined) ids[step.as] = id
  }
  return response
}

/** Checks the record that a step changes: the API may have returned the id of another one. */
async function checkMark({ service, journal }: Run, step: Step, ids: Record<string, string>) {
  const changed = changedBy(step)
  const id = changed && ids[changed.name]
  if (id === undefined) return
  const { mark } = journal.left().find(each => each.ids.includes(id))!
  const path = fill(changed!.path, ids)
  const why = await whyNotOurs(service, path, mark)
  if (why !== undefined)
    throw new SimulatorError(
      'UNREACHABLE',
      `${step.method} ${step.path} was not sent, because ${path} is not the created record: ${why}.`,
    )
}

/** The id of the created record. A record without the marker belongs to another client. */
function idOf({ body }: ServiceResponse, { method, path }: Step, mark: string | undefined): string {
  const { id, metadata } = isObject(body) ? body : {}
  if (typeof id === 'string' && looksLikeIdentifier(id) && (mark === undefined || metadata === mark)) return id
  const message = `Unexpected response to ${method} ${path}: missing id or marker.`
  throw new SimulatorError('UNREACHABLE', message)
}

const fill = (text: string, texts: Record<string, string>) =>
  text.replace(/\{(\w+)\}/g, (_, name) => texts[name] ?? name)

const MAX_FIELDS = 50
const MAX_LEVELS = 5

/** The fields of a response and their types, without values. */
const shapeOf = ({ status, body }: ServiceResponse): ResponseShape => ({ status, body: typesIn(body, MAX_LEVELS) })

function typesIn(value: unknown, levels: number): ResponseShape['body'] {
  if (value === undefined) return 'none'
  if (value === null) return 'null'
  if (levels === 0 || typeof value !== 'object') return typeof value
  if (Array.isArray(value)) return value.slice(0, 1).map(each => typesIn(each, levels - 1))
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, MAX_FIELDS)
      .map(([name, each]) => [printable(shorten(name, 60)), typesIn(each, levels - 1)]),
  )
}
