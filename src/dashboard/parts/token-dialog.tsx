import { useSignal } from '@preact/signals'
import { submitToken, tokenPrompt } from '../wire/control.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { bind, Field } from './inputs.tsx'

/** Prompts for the control token. It is stored until the tab is closed. */
export function TokenDialog() {
  const text = useSignal('')
  const prompt = tokenPrompt.value
  if (!prompt) return null
  const submit = (event: Event) => {
    event.preventDefault()
    if (text.value.trim()) submitToken(text.value.trim())
  }
  return (
    <Dialog
      title="Control token"
      onClose={() => {}}
      close={null}
      onSubmit={submit}
      actions={
        <Button look="primary" submit>
          Continue
        </Button>
      }
    >
      <p>
        This simulator requires a control token. Enter the value of <code>--control-token</code>.
      </p>
      <Field label="Control token">
        <input type="password" autocomplete="off" aria-invalid={prompt === 'rejected'} {...bind(text)} />
      </Field>
      {prompt === 'rejected' && (
        <p class="field-error" role="alert">
          Invalid token.
        </p>
      )}
    </Dialog>
  )
}
