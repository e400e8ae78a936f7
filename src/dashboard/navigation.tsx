import { Icon, type IconName } from './parts/icon.tsx'
import { ThemeSwitch } from './parts/theme-switch.tsx'
import { shortcutsShown } from './state/keys.ts'
import { hrefTo, place } from './state/place.ts'
import { info } from './state/simulator.ts'

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

export function Navigation() {
  return (
    <nav class="nav" aria-label="Views">
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
            <a href={hrefTo([view])} title={title} aria-current={place.value.view === view ? 'page' : undefined}>
              <Icon name={view} />
              <span>{title}</span>
            </a>
          </li>
        ))}
      </ul>
      <div class="nav-foot">
        <ThemeSwitch />
        <button
          type="button"
          class="button quiet small keys-button"
          title="Keyboard shortcuts (?)"
          onClick={() => {
            shortcutsShown.value = true
          }}
        >
          <Icon name="keys" />
          <span class="hidden">Keyboard shortcuts</span>
        </button>
        <span class="muted">{info.value ? `v${info.value.version}` : ''}</span>
      </div>
    </nav>
  )
}
