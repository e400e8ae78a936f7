import { signal } from '@preact/signals'
import { Dialog } from './dialog.tsx'

/** What will be done, said before it is. */
interface Question {
  title: string
  sentences: string[]
  action: string
  danger?: boolean
}

const question = signal<(Question & { choose: (yes: boolean) => void }) | undefined>(undefined)

/** Asks in a dialog, and resolves with the answer. */
export function ask(asked: Question): Promise<boolean> {
  question.value?.choose(false)
  return new Promise(resolve => {
    question.value = {
      ...asked,
      choose(yes) {
        question.value = undefined
        resolve(yes)
      },
    }
  })
}

export function AskDialog() {
  const asked = question.value
  if (!asked) return null
  return (
    <Dialog key={asked.title} title={asked.title} onClose={() => asked.choose(false)}>
      {asked.sentences.map(sentence => (
        <p key={sentence}>{sentence}</p>
      ))}
      <div class="dialog-actions">
        <button type="button" class="button" onClick={() => asked.choose(false)}>
          Cancel
        </button>
        <button
          type="button"
          class={`button ${asked.danger ? 'danger' : 'primary'}`}
          onClick={() => asked.choose(true)}
        >
          {asked.action}
        </button>
      </div>
    </Dialog>
  )
}
