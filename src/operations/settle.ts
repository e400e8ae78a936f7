import { collections } from '../resources/index.ts'
import type { Call } from '../sandbox/index.ts'
import type { Op } from '../state/index.ts'
import { ruleContext } from './collection.ts'

const following = collections.filter(({ due }) => due !== undefined)

/** Makes the changes that are due by the sandbox's clock, before a call reads or changes anything. */
export function settle(call: Call) {
  for (const resource of following) {
    const { table, due } = resource
    const { field, value, settle: settleRow } = due!
    if (call.sandbox.tables.of(table).first(field, value) === undefined) continue
    for (const before of call.sandbox.tables.of(table).where(field, value)) {
      const also: Op[] = []
      const after = settleRow(before, ruleContext(call, resource, also))
      if (after === before) continue
      call.sandbox.commit({ kind: 'clock' }, [...also, { table, id: before.id, before, after }], call.lifetime)
    }
  }
}
