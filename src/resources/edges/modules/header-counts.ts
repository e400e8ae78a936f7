import { HEADER_LIMITS, type RuleContext, tooManyHeaders } from '../../../schema/index.ts'

/** How many headers a module may add and remove. Fixtures may have more. */
export function checkHeaderCounts(
  values: Record<string, unknown>,
  at: string,
  { assume, fail }: Pick<RuleContext, 'assume' | 'fail'>,
) {
  for (const key of ['add', 'remove']) {
    const { length } = Object.keys(values[key] as object)
    if (length > HEADER_LIMITS.documentedCount && assume('header_limits') !== 'wide')
      fail('too_many_headers', { field: `${at}${key}`, ...tooManyHeaders(length) })
  }
}
