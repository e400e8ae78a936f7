import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Button } from './parts/button.tsx'
import { Icon, type IconName } from './parts/icon.tsx'
import { ThemeSwitch } from './parts/theme-switch.tsx'
import { shortcutsShown } from './state/keys.ts'
import { hrefTo, place } from './state/place.ts'
import { setter } from './state/signals.ts'
import { info } from './state/simulator.ts'
import { base } from './wire/control.ts'

export const VIEW_NAMES: [view: IconName & string, title: string][] = [
  ['overview', 'Overview'],
  ['resources', 'Resources'],
  ['requests', 'Requests'],
  ['console', 'Try it'],
  ['scenario', 'Scenario'],
  ['edges', 'Edges'],
  ['time', 'Clock & state'],
  ['assumptions', 'Assumptions'],
  ['report', 'Report'],
]

export const viewTitle = (view: string) => VIEW_NAMES.find(([name]) => name === view)?.[1] ?? 'Not found'

/** In a narrow window, the navigation is a menu. */
export const menuOpen = signal(false)
export const NAV_ID = 'navigation'

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
        {VIEW_NAMES.map(([view, title]) => (
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
        <ThemeSwitch />
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
