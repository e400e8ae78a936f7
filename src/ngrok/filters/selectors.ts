import { type Collection, formatTime, type Row, type RuleContext } from '../../engine/language/index.ts'
import { errors } from '../errors.ts'
import { compileFilter } from './compile.ts'
import { responseFields } from './members.ts'

/** The rows that match at least one selector: a filter over `as`. Fails if a selector in `field` is invalid. */
export function selectedBy(
  selectors: readonly string[],
  { field, as, kind }: { field: string; as: string; kind: Collection },
  rows: readonly Row[],
  { present, now, fail }: RuleContext,
): Row[] {
  const fields = responseFields(kind)
  const tests = selectors.map((selector, i) => {
    const reject = (why: string) => fail(errors.bad_selector, { field: `${field}[${i}]`, why })
    return compileFilter(selector, fields, () => formatTime(now()), reject, as)
  })
  return rows.filter(row => {
    const item = present(kind.table, row)
    return tests.some(test => test(item))
  })
}
