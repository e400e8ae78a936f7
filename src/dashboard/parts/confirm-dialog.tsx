import { signal } from '@preact/signals'
import { Dialog } from './dialog.tsx'

/** An action that the user must confirm. */
interface Confirmation {
  title: string
  sentences: string[]
  action: string
  danger?: boolean
}

const pending = signal<(Confirmation & { choose: (yes: boolean) => void }) | undefined>(undefined)

/** Resolves to true if the user confirms. */
export function confirmAction(confirmation: Confirmation): Promise<boolean> {
  pending.value?.choose(false)
  return new Promise(resolve => {
    pending.value = {
      ...confirmation,
      choose(yes) {
        pending.value = undefined
        resolve(yes)
      },
    }
  })
}

export function ConfirmDialog() {
  const confirmation = pending.value
  if (!confirmation) return null
  return (
    <Dialog key={confirmation.title} title={confirmation.title} onClose={() => confirmation.choose(false)}>
      {confirmation.sentences.map(sentence => (
        <p key={sentence}>{sentence}</p>
      ))}
      <div class="dialog-actions">
        <button type="button" class="button" onClick={() => confirmation.choose(false)}>
          Cancel
        </button>
        <button
          type="button"
          class={`button ${confirmation.danger ? 'danger' : 'primary'}`}
          onClick={() => confirmation.choose(true)}
        >
          {confirmation.action}
        </button>
      </div>
    </Dialog>
  )
}
