import { JsonView } from '../../parts/json-view.tsx'

interface Props {
  headers: Record<string, string>
  body: unknown
  /** Set if the body is not text. */
  encoding?: 'base64'
  query?: Record<string, string>
  what: string
}

function Pairs({ title, pairs }: { title: string; pairs: Record<string, string> }) {
  return (
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
}

/** A request or a response: query, body, headers. */
export function Message({ headers, body, encoding, query = {}, what }: Props) {
  const empty = body === null || body === undefined || (typeof body === 'object' && Object.keys(body).length === 0)
  return (
    <>
      {Object.keys(query).length > 0 && <Pairs title="Query" pairs={query} />}
      {encoding && <p class="muted">Binary body, in {encoding}:</p>}
      {empty ? <p class="muted">No body.</p> : <JsonView value={body} what={`${what} body`} />}
      <Pairs title="Headers" pairs={headers} />
    </>
  )
}
