import { isObject, mapTexts } from '../../basics/json.ts'
import { shorten } from '../../basics/problem.ts'
import { printable } from '../../basics/text.ts'
import type { AssumptionName } from '../../contract/assumptions.ts'
import type { ResponseShape, Verdict } from '../../contract/evidence.ts'
import { versionHeader } from '../../contract/names.ts'
import { SimulatorError } from '../../contract/simulator-error.ts'
import { looksLikeIdentifier } from '../../schema/index.ts'
import { type Connection, LostResponse } from '../connection.ts'
import type { ServiceResponse } from '../response.ts'
import { cleanUp, type Left, whyNotOurs } from './clean-up.ts'
import {
  changedBy,
  type Experiment,
  isMaking,
  type NotTried,
  newRun,
  type ProbeMethod,
  type Step,
} from './experiment.ts'
import { experiments } from './experiments.ts'
import type { ProbeJournal } from './journal.ts'

/** How often an experiment is begun again because an answer was lost. */
export const MAX_ATTEMPTS = 5

interface Run {
  service: Connection<ProbeMethod>
  journal: ProbeJournal
  /** Ends the run after the request that is under way. What was made is deleted. */
  signal?: AbortSignal
  onVerdict?(name: AssumptionName, verdict: Verdict): void
}

export interface Outcome {
  verdicts: Partial<Record<AssumptionName, Verdict>>
  /** Why not all were tried. */
  stopped?: string
  /** What could not be deleted. */
  left: Left[]
}

/** Tries assumptions, one after the other. Ends at the first answer that nobody expected, and deletes what it made. */
export async function probe(run: Run, names: readonly AssumptionName[]): Promise<Outcome> {
  const verdicts: Outcome['verdicts'] = {}
  let stopped: string | undefined
  const left: Left[] = []
  for (const name of names) {
    const experiment = experiments[name]
    const tried =
      'steps' in experiment && stopped === undefined ? await tryOut(run, experiment) : notTried(experiment, stopped)
    verdicts[name] = tried.verdict
    run.onVerdict?.(name, tried.verdict)
    left.push(...tried.left)
    if (tried.stopped !== undefined) stopped = `the run ended at ${name}: ${tried.stopped}`
    if (run.signal?.aborted) stopped ??= 'the run was interrupted'
  }
  if (left.length === 0) left.push(...(await deleteMade(run, { atEnd: true })))
  return { verdicts, stopped, left }
}

const notTried = (experiment: Experiment | NotTried, stopped: string | undefined): Tried => ({
  verdict: { undecided: `not tried: ${'because' in experiment ? experiment.because : stopped}` },
  left: [],
})

interface Tried {
  verdict: Verdict
  stopped?: string
  left: Left[]
}

async function tryOut(run: Run, experiment: Experiment): Promise<Tried> {
  for (let attempts = 1; ; attempts++) {
    const tried = await perform(run, experiment).catch((error: Error) => error)
    const left = await deleteMade(run)
    if (left.length > 0)
      return { verdict: tried instanceof Error ? { undecided: NOT_CLEAN } : tried.verdict, stopped: NOT_CLEAN, left }
    if (!(tried instanceof Error)) return { ...tried, left }
    if (run.signal?.aborted) return { verdict: { undecided: INTERRUPTED }, stopped: INTERRUPTED, left }
    if (tried instanceof LostResponse && attempts < MAX_ATTEMPTS) continue
    if (!(tried instanceof SimulatorError)) throw tried
    return { verdict: { undecided: tried.message }, stopped: tried.message, left }
  }
}

const deleteMade = ({ service, journal }: Run, manner?: { atEnd: true }) =>
  cleanUp(service, journal, manner).catch((error: Error): Left[] => {
    if (!(error instanceof SimulatorError)) throw error
    return [{ path: service.host, why: error.message }]
  })

const NOT_CLEAN = 'what it made could not be deleted'
const INTERRUPTED = 'interrupted'

/** Sends the requests of an experiment until an answer is decisive. */
async function perform(run: Run, { steps }: Experiment): Promise<Omit<Tried, 'left'>> {
  const ids: Record<string, string> = {}
  for (const step of steps) {
    run.signal?.throwIfAborted()
    const response = await sendStep(run, step, ids)
    const meaning = step.meanings.find(({ match }) => match.fits(response, ids))
    if (!meaning) return unforeseen(step, response)
    if ('value' in meaning) return { verdict: { value: meaning.value } }
    if ('undecided' in meaning) return { verdict: { undecided: meaning.undecided } }
  }
  throw new Error('the last step of an experiment must be decisive')
}

/** Where something was only to be made, it says nothing about the assumption. */
function unforeseen({ method, path, as }: Step, response: ServiceResponse): Omit<Tried, 'left'> {
  const stopped = `${method} ${path} answered with status ${response.status}, which was not foreseen`
  return { verdict: as === undefined ? { none_known: shapeOf(response) } : { undecided: stopped }, stopped }
}

async function sendStep(run: Run, step: Step, ids: Record<string, string>): Promise<ServiceResponse> {
  const { service, journal, signal } = run
  const { method, path, version } = step
  await checkMark(run, step, ids)
  const mark = isMaking(step) ? journal.begin(path) : undefined
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

/** Of what a step is about to change: the service may have named somebody else's when it was made. */
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
      `${step.method} ${step.path} was not sent. ${path} is not what was made: ${why}`,
    )
}

/** Of what was made. A record without the mark is somebody else's, whatever the service says: it is left alone. */
function idOf({ body }: ServiceResponse, { method, path }: Step, mark: string | undefined): string {
  const { id, metadata } = isObject(body) ? body : {}
  if (typeof id === 'string' && looksLikeIdentifier(id) && (mark === undefined || metadata === mark)) return id
  const told = `${method} ${path} was answered with something that is not what was to be made`
  throw new SimulatorError('UNREACHABLE', `${told}: it has no id, or not the mark that was sent`)
}

const fill = (text: string, texts: Record<string, string>) =>
  text.replace(/\{(\w+)\}/g, (_, name) => texts[name] ?? name)

const MAX_MEMBERS = 50
const MAX_LEVELS = 5

/** The members of an answer and their types, without values. */
const shapeOf = ({ status, body }: ServiceResponse): ResponseShape => ({ status, body: typesIn(body, MAX_LEVELS) })

function typesIn(value: unknown, levels: number): ResponseShape['body'] {
  if (value === undefined) return 'none'
  if (value === null) return 'null'
  if (levels === 0 || typeof value !== 'object') return typeof value
  if (Array.isArray(value)) return value.slice(0, 1).map(each => typesIn(each, levels - 1))
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, MAX_MEMBERS)
      .map(([name, each]) => [printable(shorten(name, 60)), typesIn(each, levels - 1)]),
  )
}
