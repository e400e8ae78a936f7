import { question } from '../state/ask.ts'
import { Dialog } from './dialog.tsx'

/** Says what will happen, and waits for a yes. */
export function AskDialog() {
  const asked = question.value
  if (!asked) return null
  return (
    <Dialog key={asked.title} title={asked.title} onClose={() => asked.answer(false)}>
      {asked.sentences.map(sentence => (
        <p key={sentence}>{sentence}</p>
      ))}
      <div class="dialog-actions">
        <button type="button" class="button" onClick={() => asked.answer(false)}>
          Cancel
        </button>
        <button
          type="button"
          class={`button ${asked.danger ? 'danger' : 'primary'}`}
          onClick={() => asked.answer(true)}
        >
          {asked.action}
        </button>
      </div>
    </Dialog>
  )
}
