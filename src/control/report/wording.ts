import { counted, escapeMarkup, printable } from '../../basics/text.ts'
import type { Report } from '../../contract/report.ts'

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

/** `chosen` is false if all operations count, because none were selected. */
export function tooFewCalled({ coverage, operations, not_called }: Report, chosen: boolean): string {
  const { called, of, percent, required } = coverage
  const names = not_called.slice(0, MAX_NAMED)
  const more = not_called.length - names.length
  const found = `Coverage is below --fail-under ${required}: ${called} of ${counted(of, 'operation')} called (${percent}%)`
  if (chosen || called === 0) return `${found}. Not called: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`
  const entries = operations.map(({ operation }) => `"${operation}"`).sort()
  return `${found}, because all operations count. To count only the operations that you need, list them in edgesim.config.json. These were called:

  "operations": [${entries.join(', ')}]
`
}
