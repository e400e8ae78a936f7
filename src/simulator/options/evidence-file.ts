import { isDeepStrictEqual } from 'node:util'
import { depthOf, isObject, MAX_DEPTH, parseJson } from '../../basics/json.ts'
import { describeProblem, listed, shorten, show } from '../../basics/problem.ts'
import { inside, mapOf, objectOf, type Shape, suchThat, textShape, toProblems } from '../../basics/shape.ts'
import { dayOf, type Probed, type Verdict } from '../../contract/evidence.ts'
import { type Assumptions, unknownVerdicts } from '../../engine/assumptions.ts'
import { whyUnreadable } from '../../engine/files/document.ts'
import { version } from '../../engine/files/package.ts'
import { readTextOf } from '../../engine/files/read-file.ts'
import { timestamp } from '../../engine/language/index.ts'

export const MAX_EVIDENCE_MB = 1

/** Whether a word of `--assume` is a file: no assumption, value or preset ends with `.json`. */
export const isEvidenceFile = (word: string) => /\.json$/i.test(word)

/** Reads a file written by `edgesim probe`. */
export function readEvidence(file: string): Probed {
  const value = parseJson(readText(file))
  if (value === undefined) throw invalid(`cannot parse ${file}: invalid JSON`)
  return checkEvidence(value, file)
}

const invalid = (what: string) => new Error(`${what}. Use a file written by edgesim probe --run --out evidence.json.`)

function readText(file: string): string {
  try {
    return readTextOf(file, MAX_EVIDENCE_MB)
  } catch (error) {
    throw invalid(`cannot read ${file}: ${whyUnreadable(error)}`)
  }
}

const isText = (value: unknown) => typeof value === 'string'
const matches = (pattern: RegExp) => (value: unknown) => typeof value === 'string' && pattern.test(value)

/** A verdict has exactly one of these fields. */
const VERDICTS: Record<string, Shape> = {
  value: textShape(),
  undecided: suchThat('a string with the reason', isText),
  none_known: suchThat('a response: a status from 100 to 599, and the types in the body', isResponseShape),
}

const verdict: Shape<Verdict> = {
  find(value) {
    const [kind, ...more] = isObject(value) ? Object.keys(value) : []
    if (kind === undefined || more.length > 0 || !Object.hasOwn(VERDICTS, kind))
      return toProblems(value, { expected: `an object with one of ${Object.keys(VERDICTS).join(', ')}` })
    const problems = VERDICTS[kind]!.find((value as Record<string, unknown>)[kind])
    return problems && inside(kind, problems)
  },
  json: {},
}

const evidenceShape: Shape<Probed> = objectOf({
  probed_at: { shape: timestamp(), required: true },
  host: {
    shape: suchThat<string>('a host like api.example.com or 127.0.0.1:4600', matches(/^[\w.:[\]-]{1,255}$/)),
    required: true,
  },
  version: { shape: suchThat<string>('an edgesim version like 0.1.0', matches(/^[\w.+-]{1,64}$/)), required: true },
  verdicts: { shape: mapOf(verdict), required: true },
})

function isResponseShape(value: unknown): boolean {
  if (!isObject(value) || Object.keys(value).sort().join() !== 'body,status') return false
  const { status, body } = value
  if (typeof status !== 'number' || !Number.isInteger(status)) return false
  return status >= 100 && status <= 599 && isTypes(body)
}

const isTypes = (value: unknown): boolean =>
  isText(value) ||
  (Array.isArray(value) && value.every(isTypes)) ||
  (isObject(value) && Object.values(value).every(isTypes))

/** Checks an evidence file's value; `source` names it in messages. */
export function checkEvidence(value: unknown, source: string): Probed {
  const tooDeep = { path: [], expected: `nested up to ${MAX_DEPTH} levels`, received: show(value) }
  const problem = depthOf(value, MAX_DEPTH) > MAX_DEPTH ? tooDeep : evidenceShape.find(value)?.[0]
  if (problem) throw invalid(`${source} is not an evidence file: ${describeProblem(problem, 'it')}`)
  return value as Probed
}

/** Lists the verdicts that this version does not know, which have no effect. */
export function describeUnknownVerdicts(all: Assumptions, probed: Probed): string | undefined {
  const unknown = unknownVerdicts(all, probed)
  if (unknown.length === 0) return undefined
  const skipped = listed(unknown, text => shorten(text, 60))
  const from = `${probed.host} (${dayOf(probed)}, written by edgesim ${probed.version})`
  return `Ignored unknown verdicts in the evidence of ${from}: ${skipped}. This is edgesim ${version}.`
}

/** A verdict in words. */
export function wordsOf(verdict: Verdict): string {
  if ('value' in verdict) return verdict.value
  if ('undecided' in verdict) return `undecided: ${verdict.undecided}`
  return `none of the known values: status ${verdict.none_known.status}, ${JSON.stringify(verdict.none_known.body)}`
}

/** Verdicts that differ from an earlier run. Undecided ones are not drift. */
export const driftOf = (before: Probed, now: Probed): string[] =>
  Object.entries(now.verdicts).flatMap(([name, verdict]) => {
    const earlier = Object.hasOwn(before.verdicts, name) ? before.verdicts[name] : undefined
    if (!earlier || 'undecided' in earlier || 'undecided' in verdict || isDeepStrictEqual(earlier, verdict)) return []
    return [`${name}: was ${wordsOf(earlier)}, now ${wordsOf(verdict)}`]
  })
