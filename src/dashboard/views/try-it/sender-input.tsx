import { Icon } from '../../parts/icon.tsx'
import type { SandboxToken } from '../../state/simulator.ts'
import { amend, draft, versionName } from './console-state.ts'
import { type HeaderRow, tokenFor } from './draft.ts'

export function TokenInput({ tokens }: { tokens: readonly SandboxToken[] }) {
  const { who, typed } = draft.value
  const isKey = who !== 'none' && who !== 'typed'
  return (
    <div class="console-token">
      <label class="field">
        <span>Token</span>
        <select
          value={isKey ? (tokenFor(draft.value, tokens)?.key_id ?? 'none') : who}
          onChange={event => amend({ who: event.currentTarget.value })}
        >
          {tokens.map(({ key_id, owner_id, admin, token }) => (
            <option key={key_id} value={key_id}>
              {token}: {key_id} of {owner_id}
              {admin ? ', admin' : ''}
            </option>
          ))}
          <option value="none">No token</option>
          <option value="typed">Other…</option>
        </select>
      </label>
      {who === 'typed' && (
        <label class="field grow">
          <span>Other token</span>
          <input
            type="text"
            class="mono"
            autocomplete="off"
            spellcheck={false}
            value={typed}
            onInput={event => amend({ typed: event.currentTarget.value })}
          />
        </label>
      )}
    </div>
  )
}

interface RowProps {
  row: HeaderRow
  label: string
  /** The version header cannot be renamed or removed. */
  fixed?: boolean
  onChange(change: Partial<HeaderRow>): void
  onRemove?(): void
}

function HeaderInput({ row: { name, value, sent }, label, fixed, onChange, onRemove }: RowProps) {
  return (
    <div class="header-row">
      <input
        type="checkbox"
        aria-label={`Send ${label}`}
        title="Clear to omit this header"
        checked={sent}
        onChange={event => onChange({ sent: event.currentTarget.checked })}
      />
      {fixed ? (
        <span class="mono clip">{name}</span>
      ) : (
        <input
          type="text"
          class="mono"
          aria-label={`Name of ${label}`}
          placeholder="Name"
          value={name}
          onInput={event => onChange({ name: event.currentTarget.value })}
        />
      )}
      <input
        type="text"
        class="mono"
        aria-label={`Value of ${label}`}
        placeholder="Value"
        disabled={!sent}
        value={sent ? value : 'omitted'}
        onInput={event => onChange({ value: event.currentTarget.value })}
      />
      {onRemove && (
        <button type="button" class="button quiet small" aria-label={`Remove ${label}`} onClick={onRemove}>
          <Icon name="cross" />
        </button>
      )}
    </div>
  )
}

export function HeadersInput() {
  const { headers, version } = draft.value
  const set = (next: HeaderRow[]) => amend({ headers: next })
  return (
    <fieldset class="field header-rows">
      <legend>Headers</legend>
      <HeaderInput
        row={{ name: versionName(), ...version }}
        label={versionName()}
        fixed
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
      <button type="button" class="button quiet" onClick={() => set([...headers, { name: '', value: '', sent: true }])}>
        <Icon name="plus" /> Add header
      </button>
    </fieldset>
  )
}
