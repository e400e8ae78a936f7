import { shorten } from '../basics/problem.ts'
import { printable } from '../basics/text.ts'

/** How something is known of a vendor. */
export const GRADES = {
  documented: "the vendor's pages or OpenAPI description say so",
  recorded: 'requests and answers that the vendor published show it',
  implied: "the vendor's public clients need it",
  probed: "the vendor's service answered so",
} as const

export interface Evidence {
  grade: keyof typeof GRADES
  /** The value of the assumption that it speaks for, where it speaks for one. */
  value?: string
  says: string
}

const evidence = (grade: Evidence['grade']) => (value: string | undefined, says: string) =>
  ({ grade, ...(value !== undefined && { value }), says }) satisfies Evidence
export const documented = evidence('documented')
export const recorded = evidence('recorded')
export const implied = evidence('implied')
const probed = evidence('probed')

/** Whether sources speak for more than one value. */
export const sourcesDiffer = (evidence: readonly Evidence[]) =>
  new Set(evidence.flatMap(({ value }) => value ?? [])).size > 1

/** The grade and the value that a source speaks for. */
export const gradeOf = ({ grade, value }: Evidence) => (value === undefined ? grade : `${grade}, for ${value}`)

/** What `edgesim probe` found out about a service. It is a file, which `--assume` takes. */
export interface Probed {
  probed_at: string
  host: string
  /** Of edgesim. */
  version: string
  /** By the name of the assumption. */
  verdicts: Record<string, Verdict>
}

/** The value that the service has, why that is not known, or that it has another one, with the shape of its answer. */
export type Verdict = { value: string } | { undecided: string } | { none_known: ResponseShape }

/** An answer without its values: members have the name of their type, a list has the shape of its first item. */
export interface ResponseShape {
  status: number
  body: Shape
}
type Shape = string | Shape[] | { [member: string]: Shape }

export const dayOf = ({ probed_at }: Probed) => probed_at.slice(0, 10)

const MAX_REASON_LENGTH = 300

/** A verdict in a few words. */
export function describeVerdict(verdict: Verdict): string {
  if ('value' in verdict) return verdict.value
  return 'none_known' in verdict ? `none of the values (status ${verdict.none_known.status})` : 'undecided'
}

/** A verdict as evidence. Its reason is a text from outside. */
export function evidenceOf(verdict: Verdict, by: Probed): Evidence {
  const [host, day] = [by.host, dayOf(by)]
  if ('value' in verdict) return probed(verdict.value, `${host} answered so on ${day}.`)
  if ('undecided' in verdict) {
    const why = printable(shorten(verdict.undecided, MAX_REASON_LENGTH))
    return probed(undefined, `It was not decided at ${host} on ${day}: ${why}`)
  }
  const { status } = verdict.none_known
  return probed(undefined, `${host} answered otherwise than any value foresees on ${day}, with status ${status}.`)
}
