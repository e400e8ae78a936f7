import { useSignal } from '@preact/signals'
import { submitToken, tokenPrompt } from '../wire/control-token.ts'
import { Dialog } from './dialog.tsx'

/** Prompts for the control token. It is stored until the tab is closed. */
export function TokenDialog() {
  const text = useSignal('')
  const prompt = tokenPrompt.value
  if (!prompt) return null
  return (
    <Dialog title="Control token" onClose={() => {}}>
      <p>
        This simulator requires a control token. Enter the value of <code>--control-token</code>.
      </p>
      <form
        onSubmit={event => {
          event.preventDefault()
          if (text.value.trim()) submitToken(text.value.trim())
        }}
      >
        <label class="field">
          <span>Control token</span>
          <input
            type="password"
            autocomplete="off"
            value={text.value}
            aria-invalid={prompt === 'rejected'}
            onInput={event => {
              text.value = event.currentTarget.value
            }}
          />
        </label>
        {prompt === 'rejected' && (
          <p class="field-error" role="alert">
            Invalid token.
          </p>
        )}
        <div class="dialog-actions">
          <button type="submit" class="button primary">
            Continue
          </button>
        </div>
      </form>
    </Dialog>
  )
}
