import { Icon } from '../../parts/icon.tsx'
import { AddressCheck, SearchBox } from '../../parts/inputs.tsx'
import { Empty, Failure, Loading } from '../../parts/messages.tsx'
import { act } from '../../state/actions.ts'
import { stateVersion } from '../../state/live.ts'
import { amendQuery, place, sandbox } from '../../state/place.ts'
import { useRemote } from '../../state/remote.ts'
import { info, sandboxControl, scenario } from '../../state/simulator.ts'
import type { AssumptionInfo } from '../../types.ts'
import { type Assumed, FILTERS, select, withOrigin } from './assumed.ts'
import { Item } from './item.tsx'
import { Grades } from './known.tsx'

/** Filters are kept in the address, so that a reload or a link shows the same. */
function Filters({ items }: { items: Assumed[] }) {
  const { query } = place.value
  return (
    <search class="assumption-filters">
      <SearchBox
        label="Search the assumptions"
        placeholder="Name, question, value, source"
        text={query.text ?? ''}
        onText={text => amendQuery({ text })}
      />
      {FILTERS.map(([name, label, passes]) => (
        <AddressCheck key={name} name={name} on="yes" label={`${label} (${items.filter(passes).length})`} />
      ))}
    </search>
  )
}

const clearFilters = () =>
  amendQuery(Object.fromEntries(['text', ...FILTERS.map(([name]) => name)].map(name => [name, undefined])))

/** What the API's document leaves open, what is assumed here, and a switch for each. */
export function Assumptions() {
  const version = `${stateVersion.value} ${scenario.value?.name} ${JSON.stringify(scenario.value?.assume)}`
  const { data, error, reload } = useRemote(sandbox.value, version, signal =>
    sandboxControl<{ assumptions: AssumptionInfo[] }>('GET', '/assumptions', { signal }),
  )
  if (error) return <Failure error={error} />
  if (!data || !scenario.value || !info.value) return <Loading />

  const items = data.assumptions.map(withOrigin)
  const shown = select(items, place.value.query)
  const byHand = items.filter(({ by }) => by === 'by hand')
  async function change(changes: Record<string, string | null>, done: string) {
    await act(() => sandboxControl('PATCH', '/assumptions', { body: changes }), done)
    reload()
  }
  const allBack = () =>
    change(Object.fromEntries(byHand.map(({ name }) => [name, null])), 'All assumptions are as they were.')

  return (
    <div class="assumptions-view">
      <p class="muted">
        The API's document does not say everything. Where it is silent, this is what is assumed. What you switch here
        holds at once, in this sandbox, until a reset or another scenario. <code class="nowrap">--assume ngrok</code>{' '}
        sets several at a start, to what public sources say of that vendor, and{' '}
        <code class="nowrap">--assume evidence.json</code> to what <code class="nowrap">edgesim probe</code> found.
      </p>
      <div class="toolbar">
        <Filters items={items} />
        <button type="button" class="button" disabled={byHand.length === 0} onClick={allBack}>
          <Icon name="rewind" /> All back ({byHand.length})
        </button>
      </div>
      <Grades items={items} />
      {shown.length === 0 ? (
        <Empty icon="assumptions" title="No assumption is like that">
          <button type="button" class="button" onClick={clearFilters}>
            Show all {items.length}
          </button>
        </Empty>
      ) : (
        <ul class="assumptions">
          {shown.map(item => (
            <Item
              key={item.name}
              item={item}
              onChange={value =>
                change({ [item.name]: value }, `${item.name} is ${value ?? `${item.before} again, as it was`}.`)
              }
            />
          ))}
        </ul>
      )}
    </div>
  )
}
