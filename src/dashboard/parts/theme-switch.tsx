import { effect, signal } from '@preact/signals'
import { writer } from '../state/signals.ts'
import { Icon, type IconName } from './icon.tsx'
import { Segments } from './inputs.tsx'

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

export const ThemeSwitch = () => (
  <Segments<Theme> label="Theme" look="" value={theme.value} choices={THEMES} onChange={writer(theme)} />
)
