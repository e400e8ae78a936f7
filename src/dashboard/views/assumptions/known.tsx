import { GRADES } from '../../../contract/evidence.ts'
import { Fact } from '../../parts/section.tsx'
import type { AssumptionInfo } from '../../types.ts'

/** What is known of a vendor: by a probe, and from public sources. */
export function Known({ item }: { item: AssumptionInfo }) {
  if (item.evidence.length === 0)
    return (
      <p class="known">
        <span class="tag quiet">assumed</span> <span class="muted">No public source is known.</span>
      </p>
    )
  return (
    <ul class="known" aria-label="What is known">
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
  )
}

/** What the grades mean, of those that are shown. */
export function Grades({ items }: { items: readonly AssumptionInfo[] }) {
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
