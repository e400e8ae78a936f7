import { info, scenario } from '../../state/simulator.ts'
import type { AssumptionInfo } from '../../types.ts'

/** An assumption with what changed it, if anything did, and the value that it has without a change by hand. */
export interface Assumed extends AssumptionInfo {
  by: 'by hand' | 'by a flag' | 'by the scenario' | undefined
  before: string
}

/** A flag wins over the scenario, as in the simulator. What neither explains was changed by hand. */
export function withOrigin(item: AssumptionInfo): Assumed {
  const flag = (info.value?.options.assume as Record<string, string> | undefined)?.[item.name]
  const before = flag ?? scenario.value?.assume?.[item.name] ?? item.default
  if (item.value !== before) return { ...item, before, by: 'by hand' }
  if (before === item.default) return { ...item, before, by: undefined }
  return { ...item, before, by: flag === undefined ? 'by the scenario' : 'by a flag' }
}

/** Filters by their name in the address. */
export const FILTERS: [name: string, label: string, passes: (item: Assumed) => boolean][] = [
  ['changed', 'Changed', ({ by }) => by !== undefined],
  ['differ', 'Sources differ', item => item.sources_differ],
  ['switchable', 'Can be switched', ({ alternatives }) => alternatives.length > 0],
]

/** Everything of it that can be read, in lower case. */
const textOf = ({ name, question, why, default: usual, alternatives, evidence }: Assumed) =>
  [name, question, why, usual, ...alternatives, ...evidence.flatMap(({ grade, says }) => [grade, says])]
    .join('\n')
    .toLowerCase()

export function select(items: Assumed[], query: Record<string, string>): Assumed[] {
  const words = (query.text ?? '').toLowerCase().split(/\s+/).filter(Boolean)
  const passes = FILTERS.filter(([name]) => query[name]).map(([, , filter]) => filter)
  return items.filter(item => {
    const text = textOf(item)
    return passes.every(filter => filter(item)) && words.every(word => text.includes(word))
  })
}
