import type { ListedEntry } from '../types.ts'
import { JsonView } from './json-view.tsx'
import { Reasons } from './reasons.tsx'
import { Section } from './section.tsx'

interface Props {
  headers: Record<string, string>
  body: unknown
  /** Set if the body is not text. */
  encoding?: 'base64'
  query?: Record<string, string>
  what: string
  /** The sandbox of the records that it names. */
  sandbox?: string
}

const Pairs = ({ title, pairs }: { title: string; pairs: Record<string, string> }) => (
  <details open={title === 'Query'}>
    <summary>
      {title} <span class="muted number">{Object.keys(pairs).length}</span>
    </summary>
    <dl class="pairs">
      {Object.entries(pairs).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  </details>
)

/** A request or a response: query, body, headers. */
export function Message({ headers, body, encoding, query = {}, what, sandbox }: Props) {
  const empty = body === null || body === undefined || (typeof body === 'object' && Object.keys(body).length === 0)
  return (
    <>
      {Object.keys(query).length > 0 && <Pairs title="Query" pairs={query} />}
      {encoding && <p class="muted">Binary body, in {encoding}:</p>}
      {empty ? <p class="muted">No body.</p> : <JsonView value={body} what={`${what} body`} sandbox={sandbox} />}
      <Pairs title="Headers" pairs={headers} />
    </>
  )
}

export const Why = (entry: Pick<ListedEntry, 'explanation' | 'rules' | 'assumptions' | 'warnings'>) => (
  <Section title="Explanation">
    <Reasons {...entry} />
    {entry.rules.length > 0 && (
      <>
        <h3>Matched rules</h3>
        <ul class="fired">
          {entry.rules.map(({ name, fired, effect }) => (
            <li key={name}>
              <span class={`tag ${fired ? 'warn' : 'quiet'}`}>{fired ? '◆ fired' : '◇ not fired'}</span> {name}
              {fired && <span class="muted">: {effect}</span>}
            </li>
          ))}
        </ul>
      </>
    )}
  </Section>
)
