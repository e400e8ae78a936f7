import { computed, signal } from '@preact/signals'

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function readPlace(address: string) {
  const [, path = '', search = ''] = /^#?([^?]*)(.*)/s.exec(address)!
  const [view = 'overview', ...parts] = path.split('/').filter(Boolean).map(decode)
  return { view, parts, query: Object.fromEntries(new URLSearchParams(search)) as Record<string, string> }
}

const address = signal(location.hash)
/** The current view, stored in the URL so reloads and links preserve it. */
export const place = computed(() => readPlace(address.value))

function followAddress() {
  address.value = location.hash
}
// Back, forward and typed URLs. These events fire after the URL has changed.
addEventListener('popstate', followAddress)
addEventListener('hashchange', followAddress)

/** Updates the URL and the view synchronously, so the next key press acts on the new view. */
export function goToHref(href: string) {
  location.hash = href
  followAddress()
}

addEventListener('click', event => {
  const { button, ctrlKey, metaKey, shiftKey, altKey } = event
  const link = (event.target as Element).closest('a')
  const href = link?.getAttribute('href')
  if (event.defaultPrevented || button || ctrlKey || metaKey || shiftKey || altKey) return
  if (!href?.startsWith('#/') || link?.target) return
  event.preventDefault()
  goToHref(href)
})

export const sandbox = computed(() => place.value.query.sandbox ?? 'default')

/** A link inside the dashboard. It preserves the sandbox unless `query` sets another. */
export function hrefTo(parts: string[], query: Record<string, string | undefined> = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...query, sandbox: query.sandbox ?? sandbox.value }))
    if (value && !(name === 'sandbox' && value === 'default')) search.set(name, value)
  const text = search.toString()
  return `#/${parts.map(encodeURIComponent).join('/')}${text ? `?${text}` : ''}`
}

export const goTo = (parts: string[], query?: Record<string, string | undefined>) => goToHref(hrefTo(parts, query))

/** Changes the query without adding a history entry. */
export function amendQuery(change: Record<string, string | undefined>) {
  const { view, parts, query } = place.value
  history.replaceState(null, '', hrefTo([view, ...parts], { ...query, ...change }))
  followAddress()
}
