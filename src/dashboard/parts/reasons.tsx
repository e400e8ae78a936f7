import { hrefTo } from '../state/place.ts'
import type { ListedEntry } from '../types.ts'
import { Icon } from './icon.tsx'

interface Props extends Pick<ListedEntry, 'assumptions'> {
  explanation: { section: string; text: string; decided_by?: string } | null
}

/** The explanation of a response or decision, its section of docs/api.md, and the assumptions used. */
export function Reasons({ explanation, assumptions }: Props) {
  return (
    <>
      {explanation ? <p class="prose">{explanation.text}</p> : <p class="muted">No explanation recorded.</p>}
      <ul class="tags">
        {explanation?.decided_by && <li class="tag">decided by {explanation.decided_by.replaceAll('_', ' ')}</li>}
        {explanation && <li class="tag">docs/api.md {explanation.section}</li>}
        {assumptions.map(({ name, value }) => (
          <li key={name} class="tag">
            <a href={hrefTo(['assumptions'])}>
              {name}={value}
            </a>
          </li>
        ))}
      </ul>
    </>
  )
}

export const Warnings = ({ warnings }: Pick<ListedEntry, 'warnings'>) => (
  <>
    {warnings.map(text => (
      <p key={text} class="note warn">
        <Icon name="warn" /> {text}
      </p>
    ))}
  </>
)
