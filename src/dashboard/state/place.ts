import { computed, signal } from '@preact/signals'

/** What the page shows. It is kept in the address, so that a reload or a link shows the same. */
export interface Place {
  view: string
  parts: string[]
  query: Record<string, string>
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function readPlace(): Place {
  const hash = location.hash.slice(1)
  const at = hash.indexOf('?')
  const path = at < 0 ? hash : hash.slice(0, at)
  const [view = 'overview', ...parts] = path.split('/').filter(Boolean).map(decode)
  return { view, parts, query: at < 0 ? {} : Object.fromEntries(new URLSearchParams(hash.slice(at + 1))) }
}

export const place = signal(readPlace())
addEventListener('hashchange', () => {
  place.value = readPlace()
})

export const sandbox = computed(() => place.value.query.sandbox ?? 'default')

/** A link inside the page; it stays in the sandbox unless it names another. */
export function hrefTo(parts: string[], query: Record<string, string | undefined> = {}): string {
  const all = { sandbox: sandbox.value, ...query }
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(all))
    if (value && !(name === 'sandbox' && value === 'default')) search.set(name, value)
  const text = search.toString()
  return `#/${parts.map(encodeURIComponent).join('/')}${text ? `?${text}` : ''}`
}

export function goTo(parts: string[], query?: Record<string, string | undefined>) {
  location.hash = hrefTo(parts, query)
}

/** Changes the query without a new entry in the browser's history. */
export function amendQuery(change: Record<string, string | undefined>) {
  const { view, parts, query } = place.value
  const href = hrefTo([view, ...parts], { ...query, ...change })
  history.replaceState(null, '', href)
  place.value = readPlace()
}
