import { hasWords } from '../../state/lists.ts'
import { info, scenario } from '../../state/simulator.ts'
import type { AssumptionInfo } from '../../types.ts'

/** An assumption with the source of its value. `before` is its value without manual changes. */
export interface Assumed extends AssumptionInfo {
  changed: 'manually' | 'by an option' | 'by the scenario' | undefined
  before: string
}

/** Options override the scenario, as in the simulator. Any other difference is a manual change. */
export function withOrigin(item: AssumptionInfo): Assumed {
  const option = (info.value?.options.assume as Record<string, string> | undefined)?.[item.name]
  const before = option ?? scenario.value?.assume?.[item.name] ?? item.default
  if (item.value !== before) return { ...item, before, changed: 'manually' }
  if (before === item.default) return { ...item, before, changed: undefined }
  return { ...item, before, changed: option === undefined ? 'by the scenario' : 'by an option' }
}

/** Filters by URL parameter. */
export const FILTERS: [name: string, label: string, passes: (item: Assumed) => boolean][] = [
  ['changed', 'Changed', ({ changed }) => changed !== undefined],
  ['differ', 'Sources differ', item => item.sources_differ],
  ['switchable', 'Configurable', ({ alternatives }) => alternatives.length > 0],
]

/** All visible text. */
const textOf = ({ name, question, why, default: defaultValue, alternatives, evidence }: Assumed) =>
  [name, question, why, defaultValue, ...alternatives, ...evidence.flatMap(({ grade, says }) => [grade, says])].join(
    '\n',
  )

export const select = (items: Assumed[], query: Record<string, string>): Assumed[] =>
  items
    .filter(item => FILTERS.every(([name, , passes]) => !query[name] || passes(item)))
    .filter(item => hasWords(textOf(item), query.text ?? ''))
