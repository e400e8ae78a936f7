import { signal } from '@preact/signals'

const KEPT_AS = 'edgesim-scenario-draft'

/** The text in the editor, kept over a reload; undefined while nobody has changed anything. */
export const draft = signal<string | undefined>(sessionStorage.getItem(KEPT_AS) ?? undefined)

export function setDraft(text: string | undefined) {
  draft.value = text
  if (text === undefined) sessionStorage.removeItem(KEPT_AS)
  else sessionStorage.setItem(KEPT_AS, text)
}
