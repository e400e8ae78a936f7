import { ApiError, fail } from '../error.ts'
import type { Collection, Row, Sublist } from '../language/index.ts'
import type { Call } from '../sandbox/index.ts'
import { compileFilter } from './filter.ts'
import { responseFields } from './filter-members.ts'
import type { Test } from './filter-values.ts'
import { presentRow } from './present.ts'

/** The value of `time.now` in a filter. */
export const filterTime = (call: Call) => () => {
  const { clock } = call.sandbox
  call.usedFrozenClock ||= clock.frozen
  return clock.timestamp()
}

/** Whether a record selects a row for the list below it. Undefined if the list contains all rows. */
export function chooserOf(call: Call, list: Sublist, record: Row): ((row: Row) => boolean) | undefined {
  if (!list.selectors) return undefined
  const kind = call.tables.catalog.kindOf(list.table) as Collection
  const tests = compileSelectors(call, list, record)
  return row => tests.some(test => test(presentRow(call, kind, row)))
}

/** Fails if a record has invalid selectors. */
export function checkSelectors(call: Call, { lists = {} }: Collection, record: Row) {
  for (const list of Object.values(lists)) if (list.selectors) compileSelectors(call, list, record)
}

function compileSelectors(call: Call, { table, selectors }: Sublist, record: Row): Test[] {
  const { field, of, as, error } = selectors!
  const members = responseFields(call.tables.catalog.kindOf(table) as Collection)
  return of(record).map((selector, i) => {
    try {
      return compileFilter(selector, members, filterTime(call), as)
    } catch (problem) {
      if (!(problem instanceof ApiError)) throw problem
      return fail(error, { field: `${field}[${i}]`, why: problem.params.why as string })
    }
  })
}
