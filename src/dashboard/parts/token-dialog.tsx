import { useSignal } from '@preact/signals'
import { giveToken, tokenWanted } from '../wire/control-token.ts'
import { Dialog } from './dialog.tsx'

/** Asks for the control token. It is kept until the tab is closed. */
export function TokenDialog() {
  const given = useSignal('')
  const wanted = tokenWanted.value
  if (!wanted) return null
  return (
    <Dialog title="Control token" onClose={() => {}}>
      <p>This simulator was started with a control token, and shows nothing without it.</p>
      <form
        onSubmit={event => {
          event.preventDefault()
          if (given.value.trim()) giveToken(given.value.trim())
        }}
      >
        <label class="field">
          <span>Control token</span>
          <input
            type="password"
            autocomplete="off"
            value={given.value}
            aria-invalid={wanted === 'refused'}
            onInput={event => {
              given.value = event.currentTarget.value
            }}
          />
        </label>
        {wanted === 'refused' && (
          <p class="field-error" role="alert">
            That token was refused.
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
