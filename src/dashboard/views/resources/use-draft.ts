import { useSignal } from '@preact/signals'
import { sameValue, startOf } from '../../parts/form-values.ts'
import type { Json, Kind, Row } from '../../types.ts'
import { type Draft, draftOf, type How, keepDraft } from './drafts.ts'
import { can } from './kinds.ts'
import { formFields, textOf, valuesFrom } from './record-body.ts'

/** What an editor begins with. */
export interface Beginning {
  kind: Kind
  /** The record to change; without it new ones are made. */
  row?: Row
  /** Values of a new record that are filled in already. */
  given?: Json
  /** What the draft is kept under: the record's id, or which new one it is. */
  draftId: string
  /** As JSON, straight in the state. */
  raw?: boolean
}

const startValues = ({ kind, given }: Beginning, how: How, row: Row | undefined): Json => ({
  ...startOf(formFields(kind, how, row !== undefined), row),
  ...given,
})

function freshDraft(begun: Beginning): Draft {
  const { kind, row, raw } = begun
  const how = raw || !can(kind, row ? 'update' : 'create') ? 'state' : 'api'
  const draft: Draft = { how, values: startValues(begun, how, row), base: row, count: 1 }
  return how === 'state' ? { ...draft, text: textOf(kind, draft) } : draft
}

/** What is typed in an editor: kept under its name from the first change until it is saved or discarded. */
export function useDraft(begun: Beginning) {
  const { kind, draftId } = begun
  const draft = useSignal(draftOf(kind.table, draftId) ?? freshDraft(begun))

  const isTyped = (now: Draft) => now.text !== undefined && now.text !== textOf(kind, now)
  const isChanged = (now: Draft) => isTyped(now) || !sameValue(now.values, startValues(begun, now.how, now.base))

  function set(change: Partial<Draft>) {
    draft.value = { ...draft.value, ...change }
    keepDraft(kind.table, draftId, isChanged(draft.value) ? draft.value : undefined)
  }
  /** A text that was not touched is written anew for the other way. */
  function setHow(how: How) {
    const now = { ...draft.value, how }
    set({ how, text: now.text === undefined || isTyped(draft.value) ? now.text : textOf(kind, now) })
  }
  /** From the form to JSON, or back. Fails if the form cannot show what the text says. */
  function switchView() {
    const now = draft.value
    if (now.text === undefined) set({ text: textOf(kind, now) })
    else set({ text: undefined, values: isTyped(now) ? valuesFrom(kind, now) : now.values })
  }
  return {
    draft: draft.value,
    changed: isChanged(draft.value),
    set,
    setHow,
    switchView,
    forget: () => keepDraft(kind.table, draftId),
  }
}
