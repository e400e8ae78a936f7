import { Button } from '../../parts/button.tsx'
import { Field, Select, typed } from '../../parts/inputs.tsx'
import type { SandboxToken } from '../../state/simulator.ts'
import { amend, draft, versionName } from './console-state.ts'
import { type HeaderRow, tokenFor } from './draft.ts'

const nameOf = ({ key_id, owner_id, admin, token }: SandboxToken) =>
  [key_id, `${token}: ${key_id} of ${owner_id}${admin ? ', admin' : ''}`] as const

/** A text in the draft. */
export const DraftText = ({ label, name }: { label: string; name: 'path' | 'typed' }) => (
  <Field label={label} class="grow">
    <input
      type="text"
      class="mono"
      autocomplete="off"
      spellcheck={false}
      value={draft.value[name]}
      onInput={typed(text => amend({ [name]: text }))}
    />
  </Field>
)

export function TokenInput({ tokens }: { tokens: readonly SandboxToken[] }) {
  const { who } = draft.value
  const isKey = who !== 'none' && who !== 'typed'
  return (
    <div class="console-token">
      <Select
        label="Token"
        value={isKey ? (tokenFor(draft.value, tokens)?.key_id ?? 'none') : who}
        choices={[...tokens.map(nameOf), ['none', 'No token'], ['typed', 'Other…']]}
        onChange={chosen => amend({ who: chosen })}
      />
      {who === 'typed' && <DraftText label="Other token" name="typed" />}
    </div>
  )
}

interface RowProps {
  row: HeaderRow
  label: string
  onChange(change: Partial<HeaderRow>): void
  /** Undefined for the version header, which cannot be renamed or removed. */
  onRemove?(): void
}

const HeaderInput = ({ row: { name, value, sent }, label, onChange, onRemove }: RowProps) => (
  <div class="header-row">
    <input
      type="checkbox"
      aria-label={`Send ${label}`}
      title="Clear to omit this header"
      checked={sent}
      onChange={event => onChange({ sent: event.currentTarget.checked })}
    />
    {onRemove ? (
      <input
        type="text"
        class="mono"
        aria-label={`Name of ${label}`}
        placeholder="Name"
        value={name}
        onInput={typed(text => onChange({ name: text }))}
      />
    ) : (
      <span class="mono clip">{name}</span>
    )}
    <input
      type="text"
      class="mono"
      aria-label={`Value of ${label}`}
      placeholder="Value"
      disabled={!sent}
      value={sent ? value : 'omitted'}
      onInput={typed(text => onChange({ value: text }))}
    />
    {onRemove && <Button look="quiet small" icon="cross" label={`Remove ${label}`} onClick={onRemove} />}
  </div>
)

export function HeadersInput() {
  const { headers, version } = draft.value
  const set = (next: HeaderRow[]) => amend({ headers: next })
  return (
    <fieldset class="field header-rows">
      <legend>Headers</legend>
      <HeaderInput
        row={{ name: versionName(), ...version }}
        label={versionName()}
        onChange={change => amend({ version: { ...version, ...change } })}
      />
      {headers.map((row, at) => (
        <HeaderInput
          key={at}
          row={row}
          label={row.name || `header ${at + 1}`}
          onChange={change => set(headers.map((each, i) => (i === at ? { ...each, ...change } : each)))}
          onRemove={() => set(headers.filter((_, i) => i !== at))}
        />
      ))}
      <Button look="quiet" icon="plus" onClick={() => set([...headers, { name: '', value: '', sent: true }])}>
        Add header
      </Button>
    </fieldset>
  )
}
