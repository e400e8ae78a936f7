import { isObject } from '../../basics/json.ts'
import { counted } from '../../basics/text.ts'
import { type AssumptionName, assumptions } from '../../contract/assumptions.ts'
import { touchedBy } from './account.ts'
import { changedBy, type Experiment, isMaking, type Meaning, type Step } from './experiment.ts'
import { experiments } from './experiments.ts'

const MAX_SHOWN = 60

/** Every request that a run would send, what its answers would mean, and what is not tried. */
export function planOf(names: readonly AssumptionName[], pace: number): string[] {
  const tried = names.flatMap(name => {
    const experiment = experiments[name]
    return 'steps' in experiment ? [{ name, experiment }] : []
  })
  const others = names.flatMap(name => {
    const experiment = experiments[name]
    return 'because' in experiment ? `  ${name}: ${experiment.because}` : []
  })
  const touched = touchedBy(names)
  const most = 1 + touched.length + tried.reduce((sum, { experiment }) => sum + requestsOf(experiment), 0)
  return [
    'Before anything is made: does the key work, and is nothing there yet?',
    ...['/api_keys', ...touched].map(path => `  GET ${path}?limit=1`),
    '  With --account ID, instead of all but the first: GET /api_keys?limit=100 and its next pages',
    ...tried.flatMap(({ name, experiment }) => ['', `${name}: ${assumptions[name].question}`, ...linesOf(experiment)]),
    ...(others.length > 0 ? ['', 'Not tried:', ...others] : []),
    '',
    `${counted(tried.length, 'experiment')}, at most ${most} requests: ${minutes(most / pace)} at ${pace} a minute. More only if answers are lost:`,
    'then the experiment is begun again, and what it made is looked for, by its mark, in GET of the collection and its next pages.',
    '{mark} is unique for each thing that is made, {run} for the run. Before anything is changed or deleted, GET must show its mark.',
  ]
}

const minutes = (count: number) => (count < 1 ? 'less than a minute' : counted(Math.ceil(count), 'minute'))

/** For each thing that is made, two more at its end; for each change, one more before it. */
const requestsOf = ({ steps }: Experiment) =>
  steps.length + 2 * steps.filter(isMaking).length + steps.filter(changedBy).length

function linesOf({ steps, leavesOpen }: Experiment): string[] {
  const made = steps.filter(isMaking).map(({ path, as }) => `${path}/{${as ?? 'made'}}`)
  return [
    ...steps.flatMap(step => [
      ...looksAt(changedBy(step)?.path),
      `  ${requestOf(step)}`,
      ...step.meanings.map(each => `      ${meaningOf(each)}`),
    ]),
    ...made.reverse().flatMap(path => [...looksAt(path), `  DELETE ${path}`]),
    ...(leavesOpen === undefined ? [] : [`  It leaves open: ${leavesOpen}.`]),
  ]
}

const looksAt = (path: string | undefined) => (path === undefined ? [] : [`  GET ${path}, which must show its mark`])

function requestOf(step: Step): string {
  const { method, path, body, version } = step
  const sent = isMaking(step) ? { ...body, metadata: '{mark}' } : body
  const header = version === undefined ? '' : version === null ? ', without the version header' : `, version ${version}`
  return `${method} ${path}${sent ? ` ${JSON.stringify(shortened(sent))}` : ''}${header}`
}

/** Long texts and many members only make it hard to read. */
function shortened(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length > MAX_SHOWN ? `${value.slice(0, 8)}… (${value.length} characters)` : value
  if (Array.isArray(value)) return value.map(shortened)
  if (!isObject(value)) return value
  const all = Object.entries(value).map(([name, each]) => [shortened(name), shortened(each)])
  return Object.fromEntries(all.length > 10 ? [...all.slice(0, 2), ['…', `${all.length} in all`]] : all)
}

const meaningOf = (meaning: Meaning) =>
  `${meaning.match.words}: ${'goOn' in meaning ? 'go on' : 'value' in meaning ? meaning.value : `undecided, ${meaning.undecided}`}`
