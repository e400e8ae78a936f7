import { effect, signal } from '@preact/signals'

export type Theme = 'system' | 'light' | 'dark'
const KEPT_AS = 'edgesim-theme'
const isTheme = (text: string | null): text is Theme => text === 'light' || text === 'dark'

const kept = localStorage.getItem(KEPT_AS)
export const theme = signal<Theme>(isTheme(kept) ? kept : 'system')

effect(() => {
  if (theme.value === 'system') {
    delete document.documentElement.dataset.theme
    localStorage.removeItem(KEPT_AS)
  } else {
    document.documentElement.dataset.theme = theme.value
    localStorage.setItem(KEPT_AS, theme.value)
  }
})
