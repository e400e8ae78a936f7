import { inlineDocument } from '../../../src/engine/files/document.ts'
import { NamedFiles } from '../../../src/engine/files/named-files.ts'
import type { Subject } from '../../../src/engine/rules.ts'
import { RuleSet } from '../../../src/engine/scenarios/rule-set.ts'
import { readScenario } from '../../../src/engine/scenarios/scenario.ts'
import { tiny } from '../tiny-api.ts'

const operation = tiny.catalog.operations.find(({ kind }) => kind === 'list')

/** What rules do to each call of a list, without a simulator. */
export async function effectsOf(seed: string, ...rules: object[]) {
  const baseline = { api: tiny, rows: {}, fixtures: new NamedFiles('fixtures', undefined), now: 0 }
  const set = new RuleSet(await readScenario(inlineDocument({ rules }, 'scenario'), baseline), seed, () => {})
  return (now = 0) => {
    const call = { operation, now: () => now, entry: { rules: [] } } as unknown as Subject
    const effects = set.apply(call)!
    return { ...effects, fired: call.entry.rules.map(({ fired }) => fired) }
  }
}
