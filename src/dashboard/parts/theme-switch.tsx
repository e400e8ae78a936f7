import { effect, signal } from '@preact/signals'
import { writer } from '../state/signals.ts'
import { Icon, type IconName } from './icon.tsx'
import { Segments } from './inputs.tsx'

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

export const ThemeSwitch = () => (
  <Segments<Theme> label="Theme" look="" value={theme.value} choices={THEMES} onChange={writer(theme)} />
)
