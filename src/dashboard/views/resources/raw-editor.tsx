import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { notify } from '../../state/notices.ts'
import { here } from '../../state/simulator.ts'
import type { Json, Kind, Row } from '../../types.ts'
import { toRefusal } from '../../wire/refusal.ts'

interface Props {
  kind: Kind
  row?: Row
  onDone(answer?: Json): void
}

/** What a new record may hold, to be filled in. */
const template = ({ prefix, fields }: Kind): Json => ({
  id: `${prefix}_new`,
  ...Object.fromEntries(fields.map(({ name, default: usual }) => [name, usual ?? ''])),
})

/** The record as it is kept. Checked like a fixture, and one change; the API and its journal have no part in it. */
export function RawEditor({ kind, row, onDone }: Props) {
  const text = useSignal(JSON.stringify(row ?? template(kind), null, 2))
  const wrong = useSignal('')
  const id = useId()

  async function save(event: Event) {
    event.preventDefault()
    try {
      const value = JSON.parse(text.value) as Json
      const path = `/db/${kind.table}`
      const answer = row
        ? await here<Json>('PUT', `${path}/${encodeURIComponent(row.id)}`, { body: value })
        : await here<Json>('POST', path, { body: value })
      notify('done', row ? `${row.id} was replaced.` : `${answer.id} was added.`)
      onDone(answer)
    } catch (error) {
      wrong.value = error instanceof SyntaxError ? `Not JSON: ${error.message}` : toRefusal(error).message
    }
  }

  return (
    <form class="form" onSubmit={save}>
      <label class="field">
        <span>The record as JSON</span>
        <textarea
          class="mono"
          spellcheck={false}
          wrap="off"
          rows={Math.min(28, Math.max(8, text.value.split('\n').length + 1))}
          value={text.value}
          aria-invalid={wrong.value !== ''}
          aria-describedby={id}
          onInput={event => {
            text.value = event.currentTarget.value
            wrong.value = ''
          }}
        />
      </label>
      <p id={id} class="field-error" role="alert">
        {wrong.value}
      </p>
      <div class="actions">
        <button type="submit" class="button primary">
          {row ? 'Replace' : 'Add'}
        </button>
        <button type="button" class="button" onClick={() => onDone()}>
          Cancel
        </button>
        <p class="muted small-text">Straight into the state, through /_sim/db; not in the journal.</p>
      </div>
    </form>
  )
}
