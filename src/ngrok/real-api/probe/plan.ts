import { isObject } from '../../../basics/json.ts'
import { counted } from '../../../basics/text.ts'
import type { AssumptionName } from '../../assumed.ts'
import { assumptions } from '../../questions.ts'
import { collectionsWrittenBy } from './account.ts'
import { changedBy, createsRecord, type Experiment, type Meaning, type Step } from './experiment.ts'
import { experiments } from './experiments.ts'

const MAX_SHOWN = 60

/** Every request of a run, the meaning of its responses, and the assumptions without an experiment. */
export function planOf(names: readonly AssumptionName[], pace: number): string[] {
  const tested = names.flatMap(name => {
    const experiment = experiments[name]
    return 'steps' in experiment ? [{ name, experiment }] : []
  })
  const others = names.flatMap(name => {
    const experiment = experiments[name]
    return 'because' in experiment ? `  ${name}: ${experiment.because}` : []
  })
  const touched = collectionsWrittenBy(names)
  const maxRequests = 1 + touched.length + tested.reduce((sum, { experiment }) => sum + requestsOf(experiment), 0)
  return [
    'Check that the key works and that these collections are empty:',
    ...['/api_keys', ...touched].map(path => `  GET ${path}?limit=1`),
    '  With --account ID, only the first of these, then GET /api_keys?limit=100 and its next pages',
    ...tested.flatMap(({ name, experiment }) => ['', `${name}: ${assumptions[name].question}`, ...linesOf(experiment)]),
    ...(others.length > 0 ? ['', 'Not tested:', ...others] : []),
    '',
    `${counted(tested.length, 'experiment')}, up to ${maxRequests} requests: ${minutes(maxRequests / pace)} at ${pace} per minute.`,
    'If a response is lost, probe finds the record by its marker (GET of the collection and its next pages) and repeats the experiment.',
    '{mark} is unique per created record, {run} per run. Before each change or deletion, GET must return the marker.',
  ]
}

const minutes = (count: number) => (count < 1 ? 'less than a minute' : counted(Math.ceil(count), 'minute'))

/** Two more requests for each created record, and one more before each change. */
const requestsOf = ({ steps }: Experiment) =>
  steps.length + 2 * steps.filter(createsRecord).length + steps.filter(changedBy).length

function linesOf({ steps, leavesOpen }: Experiment): string[] {
  const made = steps.filter(createsRecord).map(({ path, as }) => `${path}/{${as ?? 'made'}}`)
  return [
    ...steps.flatMap(step => [
      ...markerCheck(changedBy(step)?.path),
      `  ${requestOf(step)}`,
      ...step.meanings.map(each => `      ${meaningOf(each)}`),
    ]),
    ...made.reverse().flatMap(path => [...markerCheck(path), `  DELETE ${path}`]),
    ...(leavesOpen === undefined ? [] : [`  Not covered: ${leavesOpen}.`]),
  ]
}

const markerCheck = (path: string | undefined) => (path === undefined ? [] : [`  GET ${path} (must return its marker)`])

function requestOf(step: Step): string {
  const { method, path, body, version } = step
  const sent = createsRecord(step) ? { ...body, metadata: '{mark}' } : body
  const header = version === undefined ? '' : version === null ? ', without the version header' : `, version ${version}`
  return `${method} ${path}${sent ? ` ${JSON.stringify(shortened(sent))}` : ''}${header}`
}

/** Shortens long strings and objects. */
function shortened(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length > MAX_SHOWN ? `${value.slice(0, 8)}… (${value.length} characters)` : value
  if (Array.isArray(value)) return value.map(shortened)
  if (!isObject(value)) return value
  const all = Object.entries(value).map(([name, each]) => [shortened(name), shortened(each)])
  return Object.fromEntries(all.length > 10 ? [...all.slice(0, 2), ['…', `${all.length} in total`]] : all)
}

const meaningOf = (meaning: Meaning) =>
  `${meaning.match.words}: ${'continues' in meaning ? 'continue' : 'value' in meaning ? meaning.value : `undecided (${meaning.undecided})`}`
