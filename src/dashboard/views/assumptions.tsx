import { useSignal } from '@preact/signals'
import { CopyButton } from '../parts/copy-button.tsx'
import { Empty, Failure, Loading } from '../parts/empty.tsx'
import { stateVersion } from '../state/live.ts'
import { sandbox } from '../state/place.ts'
import { useRemote } from '../state/remote.ts'
import { here, scenario } from '../state/simulator.ts'
import type { AssumptionInfo } from '../types.ts'

const isFlipped = ({ value, default: usual }: AssumptionInfo) => value !== usual

function Item({ item }: { item: AssumptionInfo }) {
  const flipped = isFlipped(item)
  const others = [item.default, ...item.alternatives].filter(value => value !== item.value)
  return (
    <li class={`card assumption ${flipped ? 'flipped' : ''}`}>
      <div class="assumption-head">
        <h2>{item.question}</h2>
        {flipped && <span class="tag warn">◆ flipped</span>}
      </div>
      <p>
        <code>{item.name}</code> = <strong>{item.value}</strong>
        {flipped && <span class="muted"> (usually {item.default})</span>}
      </p>
      <p class="muted">
        {item.why} <span class="nowrap">docs/api.md {item.section}</span>
      </p>
      {others.length === 0 ? (
        <p class="muted small-text">There is no other way that makes sense.</p>
      ) : (
        <ul class="flags">
          {others.map(value => {
            const flag = `--assume ${item.name}=${value}`
            return (
              <li key={value}>
                <code>{flag}</code>
                <CopyButton text={flag} what={`the flag for ${value}`} />
              </li>
            )
          })}
        </ul>
      )}
    </li>
  )
}

/** What the API's document leaves open, and what is assumed here. */
export function Assumptions() {
  const flippedOnly = useSignal(false)
  const version = `${stateVersion.value} ${scenario.value?.name}`
  const { data, error } = useRemote(sandbox.value, version, signal =>
    here<{ assumptions: AssumptionInfo[] }>('GET', '/assumptions', { signal }),
  )
  if (error) return <Failure error={error} />
  if (!data) return <Loading />
  const flipped = data.assumptions.filter(isFlipped)
  const shown = flippedOnly.value ? flipped : data.assumptions
  return (
    <>
      <div class="toolbar">
        <p class="grow">
          The API's document does not say everything. Where it is silent, this is what is assumed. A flag flips one, or{' '}
          <code>assume:</code> in a scenario does.
        </p>
        <label class="check">
          <input
            type="checkbox"
            checked={flippedOnly.value}
            onChange={event => {
              flippedOnly.value = event.currentTarget.checked
            }}
          />
          Only flipped ({flipped.length})
        </label>
      </div>
      {shown.length === 0 ? (
        <Empty icon="assumptions" title="Nothing is flipped">
          Every assumption has its usual value in this sandbox.
        </Empty>
      ) : (
        <ul class="assumptions">
          {shown.map(item => (
            <Item key={item.name} item={item} />
          ))}
        </ul>
      )}
    </>
  )
}
