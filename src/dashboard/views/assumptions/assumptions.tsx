import { Button } from '../../parts/button.tsx'
import { AddressCheck, SearchBox } from '../../parts/inputs.tsx'
import { Empty, Failure, Loading } from '../../parts/messages.tsx'
import { act } from '../../state/actions.ts'
import { hasWords } from '../../state/lists.ts'
import { stateVersion } from '../../state/live.ts'
import { amendQuery, goTo, place } from '../../state/place.ts'
import { info, sandboxControl, scenario, useGet } from '../../state/simulator.ts'
import type { AssumptionInfo } from '../../types.ts'
import { type Assumed, Grades, Item } from './item.tsx'

/** Options override the scenario, as in the simulator. Any other difference is a manual change. */
function withOrigin(item: AssumptionInfo): Assumed {
  const option = (info.value?.options.assume as Record<string, string> | undefined)?.[item.name]
  const before = option ?? scenario.value?.assume?.[item.name] ?? item.default
  if (item.value !== before) return { ...item, before, changed: 'manually' }
  if (before === item.default) return { ...item, before, changed: undefined }
  return { ...item, before, changed: option === undefined ? 'by the scenario' : 'by an option' }
}

/** Filters by URL parameter. */
const FILTERS: [name: string, label: string, passes: (item: Assumed) => boolean][] = [
  ['changed', 'Changed', ({ changed }) => changed !== undefined],
  ['differ', 'Sources differ', item => item.sources_differ],
  ['switchable', 'Configurable', ({ alternatives }) => alternatives.length > 0],
]

/** All visible text. */
const textOf = ({ name, question, why, default: defaultValue, alternatives, evidence }: Assumed) =>
  [name, question, why, defaultValue, ...alternatives, ...evidence.flatMap(({ grade, says }) => [grade, says])].join(
    '\n',
  )

/** Undocumented behaviour: what edgesim assumes, and how to change it. */
export function Assumptions() {
  const version = `${stateVersion.value} ${scenario.value?.name} ${JSON.stringify(scenario.value?.assume)}`
  const { data, error, reload } = useGet<{ assumptions: AssumptionInfo[] }>('/assumptions', version)
  if (error) return <Failure error={error} />
  if (!data || !scenario.value || !info.value) return <Loading />

  const items = data.assumptions.map(withOrigin)
  const { query } = place.value
  const shown = items
    .filter(item => FILTERS.every(([name, , passes]) => !query[name] || passes(item)))
    .filter(item => hasWords(textOf(item), query.text ?? ''))
  const manual = items.filter(({ changed }) => changed === 'manually')
  async function change(changes: Record<string, string | null>, done: string) {
    await act(() => sandboxControl('PATCH', '/assumptions', { body: changes }), done)
    reload()
  }
  const resetAll = () =>
    change(Object.fromEntries(manual.map(({ name }) => [name, null])), 'Reset all assumptions changed manually.')

  return (
    <div class="assumptions-view">
      <p class="muted">
        edgesim makes these assumptions about undocumented behaviour. Changes apply to this sandbox immediately and last
        until you reset it or activate another scenario. To set several at startup, use{' '}
        <code class="nowrap">--assume ngrok</code> (public sources about ngrok) or{' '}
        <code class="nowrap">--assume evidence.json</code> (results of <code class="nowrap">edgesim probe</code>).
      </p>
      <div class="toolbar">
        <search class="assumption-filters">
          <SearchBox
            label="Search assumptions"
            placeholder="Search by name, question, value or source"
            text={query.text ?? ''}
            onText={text => amendQuery({ text })}
          />
          {FILTERS.map(([name, label, passes]) => (
            <AddressCheck key={name} name={name} on="yes" label={`${label} (${items.filter(passes).length})`} />
          ))}
        </search>
        <Button icon="rewind" disabled={manual.length === 0} onClick={resetAll}>
          Reset all ({manual.length})
        </Button>
      </div>
      <Grades items={items} />
      {shown.length === 0 && (
        <Empty icon="assumptions" title="No matching assumptions">
          <Button onClick={() => goTo(['assumptions'])}>Show all {items.length}</Button>
        </Empty>
      )}
      <ul class="assumptions">
        {shown.map(item => (
          <Item
            key={item.name}
            item={item}
            onChange={value =>
              change({ [item.name]: value }, `${value ? 'Set' : 'Reset'} ${item.name} to ${value ?? item.before}.`)
            }
          />
        ))}
      </ul>
    </div>
  )
}
