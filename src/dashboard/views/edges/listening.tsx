import { useContext } from 'preact/hooks'
import { Button, CopyButton } from '../../parts/button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { act } from '../../state/actions.ts'
import { can, pathTo } from '../../state/kinds.ts'
import { api } from '../../state/simulator.ts'
import type { Kind, Listening as Listener, Row } from '../../types.ts'
import { EdgeData } from './edge-data.ts'

/** The addresses of an edge. */
export const addressesOf = ({ hostports }: Row) => (hostports as string[] | undefined) ?? []

/** An address that breaks only before its port. */
export function HostPort({ text }: { text: string }) {
  const [host, port] = text.split(/(?=:\d+$)/)
  return (
    <>
      <span class="wrap">{host}</span>
      <span class="nowrap">{port}</span>
    </>
  )
}

function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB']
  const power = bytes < 1000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1)
  return `${power === 0 ? bytes : (bytes / 1000 ** power).toFixed(1)} ${units[power]}`
}

/** The colours of counters above zero. */
const TONES: Record<string, string> = { open: 'accent-text', blocked: 'bad-text', failed: 'bad-text' }

function Counters({ url, open, allowed, refused, failed, bytes_in, bytes_out }: Listener) {
  const counters = { open, allowed, blocked: refused, failed, in: formatBytes(bytes_in), out: formatBytes(bytes_out) }
  return (
    <dl class="counters" aria-label={`Counters of ${url}`}>
      {Object.entries(counters).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd class={`number ${(value !== 0 && TONES[name]) || ''}`}>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

const LOCAL = '127.0.0.1:0'

/** The local addresses of an edge with their counters, or a way to add one. */
export function Listening({ kind, edge }: { kind: Kind; edge: Row }) {
  const listeners = useContext(EdgeData).listeners?.filter(each => each.edge === edge.id)
  if (!listeners) return null
  const listen = () =>
    act(
      () => api('PATCH', pathTo(kind, edge), { hostports: [...addressesOf(edge), LOCAL] }),
      `${edge.id} listens on a free port of 127.0.0.1.`,
    )
  const reason = addressesOf(edge).length > 0 ? 'No address of this edge is local' : 'This edge has no address'
  return (
    <ul class="listening">
      {listeners.map(each => (
        <li key={each.hostport}>
          {each.error !== undefined ? (
            <p class="note bad-text wrap">
              <Icon name="warn" /> Not listening at {each.hostport}: {each.error}
            </p>
          ) : (
            <>
              <span class="listener-url">
                <span class="good-text">● listening at</span>{' '}
                <code>
                  <HostPort text={each.url} />
                </code>
                <CopyButton text={each.url} what={`URL ${each.url}`} />
              </span>
              <Counters {...each} />
            </>
          )}
        </li>
      ))}
      {listeners.length === 0 && (
        <li>
          <span class="tag quiet" title={`${reason}, so it accepts no traffic here`}>
            ○ not listening
          </span>
          {can(kind, 'update') && (
            <Button look="small-button" label={`Listen on ${LOCAL} for ${edge.id}`} onClick={listen}>
              Listen on {LOCAL}
            </Button>
          )}
        </li>
      )}
    </ul>
  )
}
