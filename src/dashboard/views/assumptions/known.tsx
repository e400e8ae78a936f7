import { GRADES } from '../../../contract/evidence.ts'
import { Fact } from '../../parts/section.tsx'
import type { AssumptionInfo } from '../../types.ts'

/** Evidence from a probe and from public sources. */
export function Known({ item }: { item: AssumptionInfo }) {
  if (item.evidence.length === 0)
    return (
      <p class="known">
        <span class="tag quiet">assumed</span> <span class="muted">No public source.</span>
      </p>
    )
  return (
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
}

/** Explains the grades that occur. */
export function Grades({ items }: { items: readonly AssumptionInfo[] }) {
  const used = new Set(items.flatMap(({ evidence }) => evidence.map(({ grade }) => grade)))
  return (
    <details class="grades">
      <summary>Evidence grades</summary>
      <dl class="facts">
        {Object.entries(GRADES)
          .filter(([grade]) => used.has(grade as keyof typeof GRADES))
          .map(([grade, meaning]) => (
            <Fact key={grade} name={grade}>
              {meaning}
            </Fact>
          ))}
        <Fact name="assumed">no public source</Fact>
      </dl>
    </details>
  )
}
