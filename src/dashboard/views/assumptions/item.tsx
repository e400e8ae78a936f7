import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { GRADES } from '../../../contract/evidence.ts'
import { Button, CopyButton } from '../../parts/button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Select } from '../../parts/inputs.tsx'
import { DocsLink } from '../../parts/links.tsx'
import { Fact } from '../../parts/section.tsx'
import { setter } from '../../state/signals.ts'
import type { AssumptionInfo } from '../../types.ts'

/** An assumption with the source of its value. `before` is its value without manual changes. */
export interface Assumed extends AssumptionInfo {
  changed: 'manually' | 'by an option' | 'by the scenario' | undefined
  before: string
}

const valuesOf = (item: Assumed) => [item.default, ...item.alternatives]

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
export function Grades({ items }: { items: readonly AssumptionInfo[] }) {
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
const optionsOf = (item: Assumed): [option: string, what: string, note?: string][] => [
  ...valuesOf(item)
    .filter(value => value !== item.value)
    .map((value): [string, string] => [`--assume ${item.name}=${value}`, value]),
  ...Object.entries(item.sets).map(([set, value]): [string, string, string] => [
    `--assume ${set}`,
    `preset ${set}`,
    `sets ${value}, and other assumptions`,
  ]),
]

interface Props {
  item: Assumed
  /** Null undoes the manual change. */
  onChange(value: string | null): void
}

export function Item({ item, onChange }: Props) {
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
              choices={valuesOf(item).map(
                value => [value, value === item.default ? `${value} (default)` : value] as const,
              )}
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
              {optionsOf(item).map(([option, what, note]) => (
                <li key={option}>
                  <code>{option}</code>
                  <CopyButton text={option} what={`option for ${what}`} />
                  {note && <span class="muted small-text">{note}</span>}
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
    </li>
  )
}
