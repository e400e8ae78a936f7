import { useId } from 'preact/hooks'
import { FieldError } from '../../parts/field-props.tsx'

const MAX_COUNT = 1000

export const countProblem = (count: number) =>
  Number.isInteger(count) && count >= 1 && count <= MAX_COUNT
    ? undefined
    : `Number of records must be an integer from 1 to ${MAX_COUNT}.`

export function CountInput({ count, onChange }: { count: number; onChange(count: number): void }) {
  const id = useId()
  const error = countProblem(count)
  return (
    <div class="field">
      <label class="how-many">
        <span>Number of records</span>
        <input
          type="number"
          class="short"
          min={1}
          max={MAX_COUNT}
          value={Number.isNaN(count) ? '' : count}
          aria-invalid={error !== undefined}
          aria-describedby={id}
          onInput={event => onChange(event.currentTarget.valueAsNumber)}
        />
      </label>
      {error ? (
        <FieldError id={id} error={error} />
      ) : (
        <p id={id} class="muted small-text">
          With more than one record, {'{n}'} in a string becomes 1, 2, 3, …
        </p>
      )}
    </div>
  )
}

/** A record or request body as JSON. */
export function JsonText({ text, error, onChange }: { text: string; error?: string; onChange(text: string): void }) {
  const id = useId()
  return (
    <div class="field">
      <label class="field">
        <span>Record as JSON</span>
        <textarea
          class="mono"
          spellcheck={false}
          wrap="off"
          rows={Math.min(28, Math.max(8, text.split('\n').length + 1))}
          value={text}
          aria-invalid={error !== undefined}
          aria-describedby={error === undefined ? undefined : id}
          onInput={event => onChange(event.currentTarget.value)}
        />
      </label>
      <FieldError id={id} error={error} />
    </div>
  )
}
