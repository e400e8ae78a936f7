import { memoizeBy } from '../../basics/memoize.ts'
import { ApiError } from '../error.ts'
import type { Catalog } from '../language/index.ts'
import { Assuming, type Sandbox } from '../sandbox/index.ts'
import type { Op, Table } from '../state/index.ts'
import { ruleContext } from './collection.ts'

const withDueChanges = memoizeBy(({ collections }: Catalog) =>
  collections
    .filter(({ due }) => due !== undefined)
    .map(resource => {
      const { field, value } = resource.due!
      return { resource, isWaiting: (table: Table) => table.first(field, value) !== undefined }
    }),
)

/** Due changes have no call: the clock makes them. */
const actingFor = (sandbox: Sandbox, assuming: Assuming) => ({
  sandbox,
  tables: sandbox.tables,
  api: sandbox.api,
  baseUrl: '',
  caller: { id: '', key_id: '', admin: true },
  assume: assuming.assume.bind(assuming),
  assumed: assuming.assumed.bind(assuming),
  // Whether something is due is not part of the response.
  now: () => sandbox.clock.now(),
})

/**
 * Applies the changes that are due by the sandbox clock. Every reader calls it first, so all see the same state. Changes
 * that fail on disk are not applied.
 */
export function applyDue(sandbox: Sandbox, assuming = new Assuming(sandbox)) {
  try {
    for (const { resource, isWaiting } of withDueChanges(sandbox.tables.catalog)) {
      const { table, due } = resource
      if (!sandbox.tables.of(table).derive(isWaiting)) continue
      const { field, value, applyDueChanges } = due!
      for (const before of sandbox.tables.where(table, field, value)) {
        const also: Op[] = []
        const after = applyDueChanges(before, ruleContext(actingFor(sandbox, assuming), resource, also))
        if (after === before) continue
        sandbox.commit({ kind: 'clock' }, [...also, { table, id: before.id, before, after }])
      }
    }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
  }
}
