import { CopyButton } from '../../parts/button.tsx'
import { Icon } from '../../parts/icon.tsx'
import type { Listening as Listener, Row } from '../../types.ts'
import { useListeners } from './traffic.ts'

function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB']
  const power = bytes < 1000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1)
  return `${power === 0 ? bytes : (bytes / 1000 ** power).toFixed(1)} ${units[power]}`
}

function Counters({ listener }: { listener: Listener }) {
  const { open, allowed, refused, failed, bytes_in, bytes_out } = listener
  const counts: [name: string, value: string | number, tone?: string][] = [
    ['open', open, open > 0 ? 'accent-text' : ''],
    ['allowed', allowed],
    ['blocked', refused, refused > 0 ? 'bad-text' : ''],
    ['failed', failed, failed > 0 ? 'bad-text' : ''],
    ['in', formatBytes(bytes_in)],
    ['out', formatBytes(bytes_out)],
  ]
  return (
    <dl class="counters" aria-label={`Counters of ${listener.url}`}>
      {counts.map(([name, value, tone]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd class={`number ${tone ?? ''}`}>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** The addresses of an edge with their counters, or the reason why it doesn't listen. */
export function Listening({ edge }: { edge: Row }) {
  const listeners = useListeners(edge.id)
  if (!listeners) return null
  const { hostports = [] } = edge as { hostports?: string[] }
  const notLocal = hostports.filter(hostport => listeners.every(each => each.hostport !== hostport))
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
                <span class="good-text">● listening at</span> <code class="wrap">{each.url}</code>
                <CopyButton text={each.url} what={`URL ${each.url}`} />
              </span>
              <Counters listener={each} />
            </>
          )}
        </li>
      ))}
      {notLocal.length > 0 && <li class="muted wrap">○ Not listening at {notLocal.join(', ')}: not a local address</li>}
      {hostports.length === 0 && <li class="muted">○ Not listening: no address set</li>}
    </ul>
  )
}
