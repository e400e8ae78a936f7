import { effect, signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Button } from './parts/button.tsx'
import { Icon, type IconName } from './parts/icon.tsx'
import { Segments } from './parts/inputs.tsx'
import { shortcutsShown } from './state/keys.ts'
import { hrefTo, place } from './state/place.ts'
import { setter, writer } from './state/signals.ts'
import { info } from './state/simulator.ts'
import { Assumptions } from './views/assumptions/assumptions.tsx'
import { Edges } from './views/edges/edges.tsx'
import { Overview } from './views/overview/overview.tsx'
import { Report } from './views/report/report.tsx'
import { Requests } from './views/requests/requests.tsx'
import { Resources } from './views/resources/resources.tsx'
import { Scenario } from './views/scenario/scenario.tsx'
import { Time } from './views/time/time.tsx'
import { Console } from './views/try-it/try-it.tsx'
import { base } from './wire/control.ts'

export const VIEWS: [name: IconName, title: string, View: ComponentType][] = [
  ['overview', 'Overview', Overview],
  ['resources', 'Resources', Resources],
  ['requests', 'Requests', Requests],
  ['console', 'Try it', Console],
  ['scenario', 'Scenario', Scenario],
  ['edges', 'Edges', Edges],
  ['time', 'Clock & state', Time],
  ['assumptions', 'Assumptions', Assumptions],
  ['report', 'Report', Report],
]

/** In a narrow window, the navigation is a menu. */
export const menuOpen = signal(false)
export const NAV_ID = 'navigation'

type Theme = 'system' | 'light' | 'dark'
const STORAGE_KEY = 'edgesim-theme'
const theme = signal((localStorage.getItem(STORAGE_KEY) ?? 'system') as Theme)

effect(() => {
  document.documentElement.dataset.theme = theme.value
  localStorage.setItem(STORAGE_KEY, theme.value)
})

const symbol = (name: IconName, label: string) => (
  <span title={label}>
    <Icon name={name} />
    <span class="hidden">{label}</span>
  </span>
)

const THEMES = [
  ['system', symbol('half', 'System')],
  ['light', symbol('sun', 'Light')],
  ['dark', symbol('moon', 'Dark')],
] as const

export function Navigation() {
  const close = setter(menuOpen, false)
  const nav = useRef<HTMLElement>(null)
  useEffect(() => {
    if (menuOpen.value) nav.current!.querySelector<HTMLElement>('[aria-current]')?.focus()
  }, [menuOpen.value])
  useEffect(close, [place.value.view])
  return (
    <nav
      ref={nav}
      id={NAV_ID}
      class={`nav ${menuOpen.value ? 'open' : ''}`}
      aria-label="Views"
      onClick={event => (event.target as Element).closest('a') && close()}
      onKeyDown={event => event.key === 'Escape' && close()}
    >
      <a class="brand" href={hrefTo(['overview'])}>
        <svg viewBox="0 0 32 32" aria-hidden="true">
          <rect width="32" height="32" rx="8" />
          <path d="M8 16h6m4 0h6M14 11v10M18 8v16" />
        </svg>
        edgesim
      </a>
      <ul>
        {VIEWS.map(([view, title]) => (
          <li key={view}>
            <a href={hrefTo([view])} aria-current={place.value.view === view ? 'page' : undefined}>
              <Icon name={view} />
              <span>{title}</span>
            </a>
          </li>
        ))}
        <li>
          <a href={`${base}/_sim/docs/`} target="_blank" rel="noopener">
            <Icon name="docs" />
            <span>Docs</span>
            <span class="hidden"> in a new tab</span>
          </a>
        </li>
      </ul>
      <div class="nav-foot">
        <Segments<Theme> label="Theme" value={theme.value} choices={THEMES} onChange={writer(theme)} />
        <Button
          look="quiet small keys-button"
          icon="keys"
          label="Keyboard shortcuts"
          title="Keyboard shortcuts (?)"
          onClick={setter(shortcutsShown, true)}
        />
        <span class="muted">{info.value ? `v${info.value.version}` : ''}</span>
      </div>
    </nav>
  )
}
