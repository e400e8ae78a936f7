import { hrefTo } from '../state/place.ts'
import type { ListedEntry } from '../types.ts'
import { DocsLink } from './links.tsx'
import { Note } from './messages.tsx'

interface Props extends Pick<ListedEntry, 'assumptions' | 'warnings'> {
  explanation: { section: string; text: string; decided_by?: string } | null
}

/** The explanation of a response or decision, its section of docs/api.md, the assumptions used, and warnings. */
export const Reasons = ({ explanation, assumptions, warnings }: Props) => (
  <>
    {explanation ? <p class="prose">{explanation.text}</p> : <p class="muted">No explanation recorded.</p>}
    <ul class="tags">
      {explanation?.decided_by && <li class="tag">decided by {explanation.decided_by.replaceAll('_', ' ')}</li>}
      {explanation && (
        <li class="tag">
          <DocsLink section={explanation.section} />
        </li>
      )}
      {assumptions.map(({ name, value }) => (
        <li key={name} class="tag">
          <a href={hrefTo(['assumptions'], { text: name })}>
            {name}={value}
          </a>
        </li>
      ))}
    </ul>
    {warnings.map(text => (
      <Note key={text}>{text}</Note>
    ))}
  </>
)
