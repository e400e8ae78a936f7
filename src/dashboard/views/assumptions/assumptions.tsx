import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { GRADES } from '../../../contract/evidence.ts'
import { Button, CopyButton } from '../../parts/button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { AddressCheck, SearchBox, Select } from '../../parts/inputs.tsx'
import { DocsLink } from '../../parts/links.tsx'
import { Empty, Failure, Loading } from '../../parts/messages.tsx'
import { Fact } from '../../parts/section.tsx'
import { act } from '../../state/actions.ts'
import { hasWords } from '../../state/lists.ts'
import { stateVersion } from '../../state/live.ts'
import { amendQuery, goTo, place } from '../../state/place.ts'
import { setter } from '../../state/signals.ts'
import { info, sandboxControl, scenario, useGet } from '../../state/simulator.ts'
import type { AssumptionInfo } from '../../types.ts'

/** An assumption with the source of its value. `before` is its value without manual changes. */
interface Assumed extends AssumptionInfo {
  changed: 'manually' | 'by an option' | 'by the scenario' | undefined
  before: string
}

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

/** Evidence from a probe and from public sources. */
const Evidence = ({ item }: { item: AssumptionInfo }) =>
  item.evidence.length === 0 ? (
    <p class="known">
      <span class="tag quiet">assumed</span> <span class="muted">No public source.</span>
    </p>
  ) : (
    <ul class="known" aria-label="Evidence">
      {item.evidence.map(({ grade, value, says }) => (
        <li key={says}>
          <span class={`tag ${grade === 'probed' ? 'accent' : ''}`}>{grade}</span>{' '}
          {value && (
            <>
              for <strong>{value}</strong>
              <span class="muted">, {value === item.value ? 'same' : 'differs'}</span>
            </>
          )}
          <p class="muted">{says}</p>
        </li>
      ))}
    </ul>
  )

/** Explains the grades that occur. */
function Grades({ items }: { items: readonly AssumptionInfo[] }) {
  const used = ['assumed', ...items.flatMap(({ evidence }) => evidence.map(({ grade }) => grade))]
  return (
    <details class="grades">
      <summary>Evidence grades</summary>
      <dl class="facts">
        {Object.entries({ ...GRADES, assumed: 'no public source' })
          .filter(([grade]) => used.includes(grade))
          .map(([grade, meaning]) => (
            <Fact key={grade} name={grade}>
              {meaning}
            </Fact>
          ))}
      </dl>
    </details>
  )
}

/** The options that change the value, alone or with others. */
const optionsOf = (item: Assumed) => [
  ...[item.default, ...item.alternatives]
    .filter(value => value !== item.value)
    .map(value => ({ option: `--assume ${item.name}=${value}`, what: value, note: '' })),
  ...Object.entries(item.sets).map(([set, value]) => ({
    option: `--assume ${set}`,
    what: `preset ${set}`,
    note: `sets ${value}, and other assumptions`,
  })),
]

/** With a value of null, `onChange` undoes the manual change. */
function Item({ item, onChange }: { item: Assumed; onChange(value: string | null): void }) {
  const open = useSignal(false)
  const id = useId()
  return (
    <li class={`assumption ${item.changed ? 'changed' : ''}`}>
      <div class="grow">
        <h2>
          <button
            type="button"
            class="unfold"
            aria-expanded={open.value}
            aria-controls={id}
            onClick={setter(open, !open.value)}
          >
            <Icon name={open.value ? 'up' : 'down'} />
            <span>{item.question}</span>
          </button>
        </h2>
        <p class="assumption-facts">
          <code>{item.name}</code>
          {item.changed && <span class="tag warn">◆ changed {item.changed}</span>}
          {item.sources_differ && <span class="tag">≠ sources differ</span>}
        </p>
      </div>
      <div class="assumption-value">
        {item.alternatives.length === 0 ? (
          <p class="muted small-text">
            <span class="hidden">Always: </span>
            {item.value}
          </p>
        ) : (
          <>
            <Select
              bare
              label={`${item.name}: ${item.question}`}
              value={item.value}
              choices={[[item.default, `${item.default} (default)`], ...item.alternatives]}
              onChange={value => onChange(value === item.before ? null : value)}
            />
            {item.changed === 'manually' && (
              <Button
                look="quiet small-button"
                icon="rewind"
                label={`Undo ${item.name} (${item.before})`}
                onClick={() => onChange(null)}
              >
                Undo
              </Button>
            )}
          </>
        )}
      </div>
      {open.value && (
        <div class="assumption-details" id={id}>
          <p class="muted">
            {item.why} <DocsLink section={item.section} />
          </p>
          <Evidence item={item} />
          {item.alternatives.length > 0 && (
            <ul class="flags">
              {optionsOf(item).map(({ option, what, note }) => (
                <li key={option}>
                  <code>{option}</code>
                  <CopyButton text={option} what={`option for ${what}`} />
                  <span class="muted small-text">{note}</span>
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
    </li>
  )
}

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
