import { useSignal } from '@preact/signals'
import { CopyButton } from '../parts/copy-button.tsx'
import { Empty, Failure, Loading } from '../parts/messages.tsx'
import { stateVersion } from '../state/live.ts'
import { sandbox } from '../state/place.ts'
import { useRemote } from '../state/remote.ts'
import { sandboxControl, scenario } from '../state/simulator.ts'
import type { AssumptionInfo } from '../types.ts'

const isChanged = ({ value, default: usual }: AssumptionInfo) => value !== usual

function Item({ item }: { item: AssumptionInfo }) {
  const changed = isChanged(item)
  const others = [item.default, ...item.alternatives].filter(value => value !== item.value)
  return (
    <li class={`card assumption ${changed ? 'changed' : ''}`}>
      <div class="assumption-head">
        <h2>{item.question}</h2>
        {changed && <span class="tag warn">◆ changed</span>}
      </div>
      <p>
        <code>{item.name}</code> = <strong>{item.value}</strong>
        {changed && <span class="muted"> (usually {item.default})</span>}
      </p>
      <p class="muted">
        {item.why} <span class="nowrap">docs/api.md {item.section}</span>
      </p>
      {item.evidence && (
        <p>
          <span class="muted">Evidence:</span> {item.evidence}
        </p>
      )}
      {others.length === 0 ? (
        <p class="muted small-text">There is no alternative.</p>
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
  const changedOnly = useSignal(false)
  const version = `${stateVersion.value} ${scenario.value?.name}`
  const { data, error } = useRemote(sandbox.value, version, signal =>
    sandboxControl<{ assumptions: AssumptionInfo[] }>('GET', '/assumptions', { signal }),
  )
  if (error) return <Failure error={error} />
  if (!data) return <Loading />
  const changed = data.assumptions.filter(isChanged)
  const shown = changedOnly.value ? changed : data.assumptions
  return (
    <>
      <div class="toolbar">
        <p class="grow">
          The API's document does not say everything. Where it is silent, this is what is assumed. A flag changes one,
          or <code>assume:</code> in a scenario does; <code class="nowrap">--assume ngrok</code> sets several at once,
          to what public sources say of that vendor.
        </p>
        <label class="check">
          <input
            type="checkbox"
            checked={changedOnly.value}
            onChange={event => {
              changedOnly.value = event.currentTarget.checked
            }}
          />
          Only changed ({changed.length})
        </label>
      </div>
      {shown.length === 0 ? (
        <Empty icon="assumptions" title="Nothing is changed">
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
