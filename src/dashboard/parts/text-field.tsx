import type { Signal } from '@preact/signals'

/** A line of text that must be given. */
export const TextField = ({ label, text }: { label: string; text: Signal<string> }) => (
  <label class="field">
    <span>{label}</span>
    <input
      type="text"
      required
      value={text.value}
      onInput={event => {
        text.value = event.currentTarget.value
      }}
    />
  </label>
)
