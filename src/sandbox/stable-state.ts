import { runSync, runYielding, type Steps } from '../basics/slices.ts'
import type { Tables } from '../state/index.ts'

/**
 * Goes on with what is computed from a sandbox's state in slices; if that has changed meanwhile it is computed anew, in
 * the end at once.
 */
export async function onStableState<T, R>(
  sandbox: { readonly tables: Tables },
  compute: () => Steps<T>,
  goOn: (computed: T) => R,
): Promise<R> {
  for (let tries = 0; tries < 3; tries++) {
    const { tables } = sandbox
    const { version } = tables
    const computed = await runYielding(compute())
    if (sandbox.tables === tables && tables.version === version) return goOn(computed)
  }
  return goOn(runSync(compute()))
}
