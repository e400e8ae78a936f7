import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { GRADES } from '../../contract/evidence.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { Empty, Failure, Loading } from '../parts/messages.tsx'
import { Fact } from '../parts/section.tsx'
import { stateVersion } from '../state/live.ts'
import { sandbox } from '../state/place.ts'
import { useRemote } from '../state/remote.ts'
import { sandboxControl, scenario } from '../state/simulator.ts'
import type { AssumptionInfo } from '../types.ts'

const isChanged = ({ value, default: usual }: AssumptionInfo) => value !== usual

interface FlagProps {
  flag: string
  what: string
  children?: ComponentChildren
}

const Flag = ({ flag, what, children }: FlagProps) => (
  <li>
    <code>{flag}</code>
    <CopyButton text={flag} what={what} />
    {children}
  </li>
)

/** What is known of a vendor: by a probe, and from public sources. */
function Known({ item }: { item: AssumptionInfo }) {
  if (item.evidence.length === 0)
    return (
      <p class="known">
        <span class="tag quiet">assumed</span> <span class="muted">No public source is known.</span>
      </p>
    )
  return (
    <div class="known">
      {item.sources_differ && <span class="tag warn">≠ Sources differ</span>}
      <ul aria-label="What is known">
        {item.evidence.map(({ grade, value, says }) => (
          <li key={says}>
            <span class={`tag ${grade === 'probed' ? 'accent' : ''}`}>{grade}</span>{' '}
            {value && (
              <>
                for <strong>{value}</strong>
                <span class="muted">, {value === item.value ? 'as here' : 'unlike here'}</span>
              </>
            )}
            <p class="muted">{says}</p>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** What the grades mean, of those that are shown. */
function Grades({ items }: { items: AssumptionInfo[] }) {
  const met = new Set(items.flatMap(({ evidence }) => evidence.map(({ grade }) => grade)))
  return (
    <details class="grades">
      <summary>How something is known</summary>
      <dl class="facts">
        {Object.entries(GRADES)
          .filter(([grade]) => met.has(grade as keyof typeof GRADES))
          .map(([grade, meaning]) => (
            <Fact key={grade} name={grade}>
              {meaning}
            </Fact>
          ))}
        <Fact name="assumed">no public source is known</Fact>
      </dl>
    </details>
  )
}

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
      <Known item={item} />
      {others.length === 0 ? (
        <p class="muted small-text">There is no alternative.</p>
      ) : (
        <ul class="flags">
          {others.map(value => (
            <Flag key={value} flag={`--assume ${item.name}=${value}`} what={`the flag for ${value}`} />
          ))}
          {Object.entries(item.sets).map(([set, value]) => (
            <Flag key={set} flag={`--assume ${set}`} what={`the flag for the set ${set}`}>
              <span class="muted small-text">sets {value}, and others</span>
            </Flag>
          ))}
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
          to what public sources say of that vendor, and <code class="nowrap">--assume evidence.json</code> to what{' '}
          <code class="nowrap">edgesim probe</code> found.
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
      <Grades items={data.assumptions} />
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
