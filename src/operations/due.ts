import { ApiError } from '../contract/errors.ts'
import { collections } from '../resources/index.ts'
import { Assuming, type Sandbox } from '../sandbox/index.ts'
import type { Caller } from '../schema/index.ts'
import type { Op, Table } from '../state/index.ts'
import { ruleContext } from './collection.ts'

const following = collections
  .filter(({ due }) => due !== undefined)
  .map(resource => {
    const { field, value } = resource.due!
    return { resource, isWaiting: (table: Table) => table.first(field, value) !== undefined }
  })

/** Nobody asks for these changes. */
const CLOCK: Caller = { id: '', key_id: '', admin: true }

/**
 * Makes the changes that are due by the sandbox's clock: every reader calls it first, so that all see the same. Returns
 * what to wait for, if anything: until then such a change is not durable. One that the disk refuses is not made, and
 * readers see the state before it.
 */
export function applyDue(sandbox: Sandbox, assuming = new Assuming(sandbox.assumed)): Promise<void> | undefined {
  const { seq } = sandbox
  try {
    for (const { resource, isWaiting } of following) {
      const { table, due } = resource
      if (!sandbox.tables.of(table).derive(isWaiting)) continue
      const { field, value, applyDueChanges } = due!
      for (const before of sandbox.tables.of(table).where(field, value)) {
        const also: Op[] = []
        const { tables } = sandbox
        const acting = { sandbox, tables, caller: CLOCK, assume: assuming.assume.bind(assuming) }
        const after = applyDueChanges(before, ruleContext(acting, resource, also))
        if (after === before) continue
        sandbox.commit({ kind: 'clock' }, [...also, { table, id: before.id, before, after }])
      }
    }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
  }
  if (sandbox.seq !== seq) waitForDisk(sandbox)
  return sandbox.settling
}

function waitForDisk(sandbox: Sandbox) {
  const settling = sandbox
    .durable()
    .catch(() => {})
    .then(() => {
      if (sandbox.settling === settling) sandbox.settling = undefined
    })
  sandbox.settling = settling
}
