import { whyTooLong } from '../../basics/comparisons.ts'
import type { ListFilter } from '../../engine/api.ts'
import { fail } from '../../engine/error.ts'
import { formatTime } from '../../engine/language/index.ts'
import { errors } from '../errors.ts'
import { questions } from '../questions.ts'
import { compileFilter } from './compile.ts'
import { filterFields } from './members.ts'

/** docs/api.md 10.8: the `filter` of lists, a subset of CEL. */
export const listFilter: ListFilter = {
  parameter: 'filter',
  describe: ({ filterable, prefix }) =>
    `CEL expression over obj, such as obj.id == "${prefix}_ci". Fields of obj: ${filterable!.join(', ')}`,
  isAllowed: visit =>
    (visit.query.has('filter') ? visit.assume(questions.list_filter) : visit.assumed(questions.list_filter)) !==
    'reject',
  read(visit, kind, filter) {
    if (visit.assume(questions.list_filter) !== 'documented') return undefined
    const reject = (why: string) => fail(errors.bad_filter, { field: 'filter', why })
    const why = whyTooLong(filter, visit.tables.of(kind.table).size, 'record')
    if (why) reject(`at its end: ${why}`)
    return compileFilter(filter, filterFields(kind), () => formatTime(visit.now()), reject)
  },
}
