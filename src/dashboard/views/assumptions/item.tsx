import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { CopyButton } from '../../parts/button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { base } from '../../wire/control.ts'
import type { Assumed } from './assumed.ts'
import { Known } from './known.tsx'

interface OptionProps {
  option: string
  what: string
  children?: ComponentChildren
}

const CliOption = ({ option, what, children }: OptionProps) => (
  <li>
    <code>{option}</code>
    <CopyButton text={option} what={what} />
    {children}
  </li>
)

const valuesOf = (item: Assumed) => [item.default, ...item.alternatives]

/** The reason, the evidence, and the options that change the value. */
function Details({ item }: { item: Assumed }) {
  const others = valuesOf(item).filter(value => value !== item.value)
  return (
    <>
      <p class="muted">
        {item.why}{' '}
        <a class="nowrap" href={`${base}/_sim/docs/api.md#section-${item.section}`} target="_blank" rel="noopener">
          docs/api.md {item.section}
          <span class="hidden"> in a new tab</span>
        </a>
      </p>
      <Known item={item} />
      {others.length > 0 && (
        <ul class="flags">
          {others.map(value => (
            <CliOption key={value} option={`--assume ${item.name}=${value}`} what={`option for ${value}`} />
          ))}
          {Object.entries(item.sets).map(([set, value]) => (
            <CliOption key={set} option={`--assume ${set}`} what={`option for preset ${set}`}>
              <span class="muted small-text">sets {value}, and other assumptions</span>
            </CliOption>
          ))}
        </ul>
      )}
    </>
  )
}

interface ValueProps {
  item: Assumed
  /** Null undoes the manual change. */
  onChange(value: string | null): void
}

function Value({ item, onChange }: ValueProps) {
  if (item.alternatives.length === 0)
    return (
      <p class="muted small-text">
        <span class="hidden">Always: </span>
        {item.value}
      </p>
    )
  return (
    <>
      <select
        aria-label={`${item.name}: ${item.question}`}
        value={item.value}
        onChange={event => {
          const { value } = event.currentTarget
          onChange(value === item.before ? null : value)
        }}
      >
        {valuesOf(item).map(value => (
          <option key={value} value={value}>
            {value}
            {value === item.default ? ' (default)' : ''}
          </option>
        ))}
      </select>
      {item.changed === 'manually' && (
        <button
          type="button"
          class="button quiet small-button"
          aria-label={`Undo ${item.name} (${item.before})`}
          onClick={() => onChange(null)}
        >
          <Icon name="rewind" /> Undo
        </button>
      )}
    </>
  )
}

export function Item({ item, onChange }: ValueProps) {
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
            onClick={() => {
              open.value = !open.value
            }}
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
        <Value item={item} onChange={onChange} />
      </div>
      <div class="assumption-details" id={id} hidden={!open.value}>
        {open.value && <Details item={item} />}
      </div>
    </li>
  )
}
