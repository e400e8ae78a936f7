import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { TextField } from '../../parts/text-field.tsx'
import { here } from '../../state/simulator.ts'
import type { TrafficVerdict as Answer } from '../../types.ts'
import { type Refusal, toRefusal } from '../../wire/refusal.ts'
import { CheckAnswer } from './check-answer.tsx'

interface Props {
  /** What is asked besides the source. */
  question(): Record<string, unknown>
  label: string
  /** Where the rest is filled in. */
  children?: ComponentChildren
}

/** Asks what would be decided; nothing is sent anywhere. */
export function CheckForm({ question, label, children }: Props) {
  const source = useSignal('127.0.0.1')
  const got = useSignal<{ source: string; answer: Answer } | Refusal | undefined>(undefined)
  async function check(event: Event) {
    event.preventDefault()
    const source_ip = source.value.trim()
    try {
      const answer = await here<Answer>('POST', '/traffic/check', { body: { source_ip, ...question() } })
      got.value = { source: source_ip, answer }
    } catch (error) {
      got.value = toRefusal(error)
    }
  }
  return (
    <form class="check-form" aria-label={label} onSubmit={check}>
      <div class="check-fields">
        <TextField label="Source address" text={source} />
        {children}
        <button type="submit" class="button">
          Check
        </button>
      </div>
      <div class="check-answer" role="status">
        {got.value && 'answer' in got.value && <CheckAnswer {...got.value} />}
        {got.value && 'message' in got.value && <p class="field-error">✕ {got.value.message}</p>}
      </div>
    </form>
  )
}
