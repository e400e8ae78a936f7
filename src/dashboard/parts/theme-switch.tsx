import { effect, signal } from '@preact/signals'
import { setter } from '../state/signals.ts'
import { Icon, type IconName } from './icon.tsx'

type Theme = 'system' | 'light' | 'dark'
const STORAGE_KEY = 'edgesim-theme'
const isTheme = (text: string | null): text is Theme => text === 'light' || text === 'dark'

const stored = localStorage.getItem(STORAGE_KEY)
const theme = signal<Theme>(isTheme(stored) ? stored : 'system')

effect(() => {
  if (theme.value === 'system') {
    delete document.documentElement.dataset.theme
    localStorage.removeItem(STORAGE_KEY)
  } else {
    document.documentElement.dataset.theme = theme.value
    localStorage.setItem(STORAGE_KEY, theme.value)
  }
})

const THEMES: [Theme, IconName, string][] = [
  ['system', 'half', 'System'],
  ['light', 'sun', 'Light'],
  ['dark', 'moon', 'Dark'],
]

export function ThemeSwitch() {
  return (
    <fieldset class="switch">
      <legend class="hidden">Theme</legend>
      {THEMES.map(([name, icon, label]) => (
        <label key={name} title={label}>
          <input
            type="radio"
            name="theme"
            class="hidden"
            checked={theme.value === name}
            onChange={setter(theme, name)}
          />
          <Icon name={icon} />
          <span class="hidden">{label}</span>
        </label>
      ))}
    </fieldset>
  )
}
