import { shorten } from '../basics/problem.ts'
import { printable } from '../basics/text.ts'

/** Kinds of evidence about a vendor. */
export const GRADES = {
  documented: "the vendor's pages or OpenAPI description specify it",
  recorded: 'requests and responses published by the vendor show it',
  implied: "the vendor's public clients require it",
  probed: "the vendor's real API returned it",
} as const

export interface Evidence {
  grade: keyof typeof GRADES
  /** The assumption value that it supports, if any. */
  value?: string
  says: string
}

const evidence = (grade: Evidence['grade']) => (value: string | undefined, says: string) =>
  ({ grade, ...(value !== undefined && { value }), says }) satisfies Evidence
export const documented = evidence('documented')
export const recorded = evidence('recorded')
export const implied = evidence('implied')
const probed = evidence('probed')

/** Whether sources support more than one value. */
export const sourcesDiffer = (evidence: readonly Evidence[]) =>
  new Set(evidence.flatMap(({ value }) => value ?? [])).size > 1

/** The grade, and the value that a source supports. */
export const gradeOf = ({ grade, value }: Evidence) => (value === undefined ? grade : `${grade}, for ${value}`)

/** The results of `edgesim probe`, in a file that `--assume` reads. */
export interface Probed {
  probed_at: string
  host: string
  /** The edgesim version. */
  version: string
  /** By assumption. */
  verdicts: Record<string, Verdict>
}

/** The value of the real API, why it is unknown, or a response that matches no value. */
export type Verdict = { value: string } | { undecided: string } | { none_known: ResponseShape }

/** A response without its values: a field has its type name, a list the shape of its first item. */
export interface ResponseShape {
  status: number
  body: Shape
}
type Shape = string | Shape[] | { [member: string]: Shape }

export const dayOf = ({ probed_at }: Probed) => probed_at.slice(0, 10)

const MAX_REASON_LENGTH = 300

export function describeVerdict(verdict: Verdict): string {
  if ('value' in verdict) return verdict.value
  return 'none_known' in verdict ? `none of the values (status ${verdict.none_known.status})` : 'undecided'
}

/** A verdict as evidence. Its reason is untrusted. */
export function evidenceOf(verdict: Verdict, by: Probed): Evidence {
  const [host, day] = [by.host, dayOf(by)]
  if ('value' in verdict) return probed(verdict.value, `${host} returned it on ${day}.`)
  if ('undecided' in verdict) {
    const why = printable(shorten(verdict.undecided, MAX_REASON_LENGTH))
    return probed(undefined, `The probe of ${host} on ${day} was undecided: ${why}`)
  }
  const { status } = verdict.none_known
  return probed(undefined, `${host} returned a response that matches no value on ${day}, with status ${status}.`)
}
