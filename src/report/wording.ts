import { counted, escapeMarkup, printable } from '../basics/text.ts'
import type { Report } from '../contract/report.ts'

const MAX_NAMED = 20

/** Escapes a value for XML or HTML. XML cannot contain control characters and unpaired surrogates. */
export const markup = (value: unknown) =>
  escapeMarkup(printable(Buffer.from(String(value)).toString()).replace(/[\ufffe\uffff]/g, '\ufffd'))

/** `200 × 3, 404 × 1` */
export const listOf = (counts: Record<string, number>) =>
  Object.entries(counts)
    .map(([name, count]) => `${name} × ${count}`)
    .join(', ')

/** Whether coverage is below --fail-under. */
export const isTooFew = ({ coverage: { called, of, required = 0 } }: Report) => called * 100 < required * of

export const summaryOf = ({ requests, coverage: { called, of } }: Report) =>
  `${counted(requests, 'request')}, ${called} of ${counted(of, 'operation')} called`

export function tooFewCalled({ coverage, not_called }: Report): string {
  const { called, of, percent, required } = coverage
  const names = not_called.slice(0, MAX_NAMED)
  const more = not_called.length - names.length
  return `Coverage is below --fail-under ${required}: ${called} of ${counted(of, 'operation')} called (${percent}%). Not called: ${names.join(', ')}${more > 0 ? ` and ${more} more. To select operations, use --operations` : ''}.`
}
