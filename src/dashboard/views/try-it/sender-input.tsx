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

export function HeadersInput() {
  const { headers, version } = draft.value
  // The first one cannot be renamed or removed.
  const rows: HeaderRow[] = [{ ...version, name: versionName() }, ...headers]
  const set = ([version, ...headers]: HeaderRow[]) => amend({ version, headers })
  const change = (at: number, change: Partial<HeaderRow>) =>
    set(rows.map((row, i) => (i === at ? { ...row, ...change } : row)))
  return (
    <fieldset class="field header-rows">
      <legend>Headers</legend>
      {rows.map(({ name, value, sent }, at) => {
        const label = name || `header ${at}`
        return (
          <div key={at} class="header-row">
            <input
              type="checkbox"
              aria-label={`Send ${label}`}
              title="Clear to omit this header"
              checked={sent}
              onChange={event => change(at, { sent: event.currentTarget.checked })}
            />
            {at === 0 ? (
              <span class="mono clip">{name}</span>
            ) : (
              <input
                type="text"
                class="mono"
                aria-label={`Name of ${label}`}
                placeholder="Name"
                value={name}
                onInput={typed(text => change(at, { name: text }))}
              />
            )}
            <input
              type="text"
              class="mono"
              aria-label={`Value of ${label}`}
              placeholder="Value"
              disabled={!sent}
              value={sent ? value : 'omitted'}
              onInput={typed(text => change(at, { value: text }))}
            />
            {at > 0 && (
              <Button
                look="quiet small"
                icon="cross"
                label={`Remove ${label}`}
                onClick={() => set(rows.filter((_, i) => i !== at))}
              />
            )}
          </div>
        )
      })}
      <Button look="quiet" icon="plus" onClick={() => set([...rows, { name: '', value: '', sent: true }])}>
        Add header
      </Button>
    </fieldset>
  )
}
