import { isDeepStrictEqual } from 'node:util'
import { depthOf, isObject, MAX_DEPTH, parseJson } from '../basics/json.ts'
import { describeProblem, listed, type Path, shorten, show } from '../basics/problem.ts'
import { unknownVerdicts } from '../contract/assumptions.ts'
import { dayOf, type Probed, type Verdict } from '../contract/evidence.ts'
import { whyUnreadable } from '../files/document.ts'
import { version } from '../files/package.ts'
import { readTextOf } from '../files/read-file.ts'
import { parseTime, TIME } from '../schema/time.ts'

export const MAX_EVIDENCE_MB = 1

/** What `--assume` takes for a file: no assumption, value or set ends so. */
export const isEvidenceFile = (word: string) => /\.json$/i.test(word)

/** Reads what `edgesim probe` has written. */
export function readEvidence(file: string): Probed {
  const value = parseJson(readText(file))
  if (value === undefined) throw wrong(`${file} is not valid JSON`)
  return checkEvidence(value, file)
}

const wrong = (what: string) =>
  new Error(`${what}. Give a file of evidence, as edgesim probe --run --out evidence.json writes it.`)

function readText(file: string): string {
  try {
    return readTextOf(file, MAX_EVIDENCE_MB)
  } catch (error) {
    throw wrong(`${file} cannot be read: ${whyUnreadable(error)}`)
  }
}

/** What a member must be, in words, and whether a value is. */
type Member = [expected: string, is: (value: unknown) => boolean]

const isText = (value: unknown) => typeof value === 'string'
const matches = (pattern: RegExp) => (value: unknown) => typeof value === 'string' && pattern.test(value)

const MEMBERS: Record<keyof Probed, Member> = {
  probed_at: [TIME, value => typeof value === 'string' && parseTime(value) !== undefined],
  host: ['a host like api.example.com or 127.0.0.1:4600', matches(/^[\w.:[\]-]{1,255}$/)],
  version: ['a version of edgesim like 0.1.0', matches(/^[\w.+-]{1,64}$/)],
  verdicts: ['an object: verdicts by the names of assumptions', isObject],
}

/** A verdict has one of these. */
const VERDICTS: Record<string, Member> = {
  value: ['a text', isText],
  undecided: ['a text that says why', isText],
  none_known: ['an answer: a status from 100 to 599, and the shape of the body', isResponseShape],
}

function isResponseShape(value: unknown): boolean {
  if (!isObject(value) || Object.keys(value).sort().join() !== 'body,status') return false
  const { status, body } = value
  return Number.isInteger(status) && (status as number) >= 100 && (status as number) <= 599 && isShape(body)
}

const isShape = (value: unknown): boolean =>
  isText(value) ||
  (Array.isArray(value) && value.every(isShape)) ||
  (isObject(value) && Object.values(value).every(isShape))

/** Checks a value that should be evidence; `source` says where it is from. */
export function checkEvidence(value: unknown, source: string): Probed {
  const fail = (path: Path, expected: string, found: unknown) =>
    wrong(`${source} is not evidence of a probe: ${describeProblem({ path, expected, received: show(found) }, 'it')}`)
  if (!isObject(value)) throw fail([], 'an object', value)
  if (depthOf(value, MAX_DEPTH) > MAX_DEPTH) throw fail([], `nested up to ${MAX_DEPTH} levels`, value)
  for (const [name, [expected, is]] of Object.entries(MEMBERS))
    if (!is(value[name])) throw fail([name], expected, value[name])
  for (const name of Object.keys(value)) if (!Object.hasOwn(MEMBERS, name)) throw fail([name], 'absent', value[name])
  for (const [name, verdict] of Object.entries(value.verdicts as object)) {
    const path = ['verdicts', name]
    const [kind, ...more] = isObject(verdict) ? Object.keys(verdict) : []
    if (kind === undefined || more.length > 0 || !Object.hasOwn(VERDICTS, kind))
      throw fail(path, `an object with one of ${Object.keys(VERDICTS).join(', ')}`, verdict)
    const [expected, is] = VERDICTS[kind]!
    if (!is(verdict[kind])) throw fail([...path, kind], expected, verdict[kind])
  }
  return value as unknown as Probed
}

/** Names the verdicts that have no effect, because this version does not know what they are about. */
export function describeUnknownVerdicts(probed: Probed): string | undefined {
  const unknown = unknownVerdicts(probed)
  if (unknown.length === 0) return undefined
  const skipped = listed(unknown, text => shorten(text, 60))
  const from = `${probed.host} (${dayOf(probed)}, written by edgesim ${probed.version})`
  return `the evidence of ${from} has verdicts that edgesim ${version} does not know. They are skipped: ${skipped}`
}

/** A verdict in words. */
export function wordsOf(verdict: Verdict): string {
  if ('value' in verdict) return verdict.value
  if ('undecided' in verdict) return `undecided: ${verdict.undecided}`
  return `none of those known: status ${verdict.none_known.status}, ${JSON.stringify(verdict.none_known.body)}`
}

/** What the service answers otherwise than in an earlier run. What was not decided in one of them is no drift. */
export const driftOf = (before: Probed, now: Probed): string[] =>
  Object.entries(now.verdicts).flatMap(([name, verdict]) => {
    const earlier = Object.hasOwn(before.verdicts, name) ? before.verdicts[name] : undefined
    if (!earlier || 'undecided' in earlier || 'undecided' in verdict || isDeepStrictEqual(earlier, verdict)) return []
    return [`${name}: it was ${wordsOf(earlier)}; now it is ${wordsOf(verdict)}`]
  })
