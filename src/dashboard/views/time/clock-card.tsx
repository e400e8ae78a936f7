import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { FormError, Loading } from '../../parts/messages.tsx'
import { Section } from '../../parts/section.tsx'
import { act, useSubmit } from '../../state/actions.ts'
import { clock, sandboxControl } from '../../state/simulator.ts'
import type { ClockInfo, Json } from '../../types.ts'

const STEPS: [step: string, label: string][] = [
  ['1m', '1 minute'],
  ['1h', '1 hour'],
  ['24h', '1 day'],
]

async function changeClock(method: 'PUT' | 'DELETE', body?: Json) {
  const response = await sandboxControl<ClockInfo>(method, '/clock', { body })
  clock.value = { ...response, askedAt: Date.now() }
}

/** The time in the sandbox: the last answer, and the time since. */
function Now() {
  const tick = useSignal(0)
  useEffect(() => {
    const timer = setInterval(() => {
      tick.value++
    }, 500)
    return () => clearInterval(timer)
  }, [tick])
  tick.value
  const { now, frozen, real, askedAt } = clock.value!
  const at = frozen ? Date.parse(now) : Date.parse(now) + Date.now() - askedAt
  const text = new Date(at).toISOString()
  return (
    <div class="clock">
      <p class="clock-time number">
        {text.slice(11, 19)} <span class="muted">UTC</span>
      </p>
      <p class="number">
        {text.slice(0, 10)}{' '}
        <span class={`tag ${frozen ? 'warn' : real ? '' : 'accent'}`}>
          {frozen ? '❚❚ frozen' : real ? '● real time' : '● shifted'}
        </span>
      </p>
    </div>
  )
}

function AdvanceForm() {
  const by = useSignal('')
  const { submit, error } = useSubmit(async () => {
    const advance = by.value.trim()
    await changeClock('PUT', { advance })
    return `The clock was advanced by ${advance}.`
  })
  return (
    <form class="inline-form" onSubmit={submit}>
      <input
        type="text"
        class="short"
        aria-label="Advance by"
        placeholder="90s, 36h"
        value={by.value}
        onInput={event => {
          by.value = event.currentTarget.value
        }}
      />
      <button type="submit" class="button" disabled={by.value.trim() === ''}>
        Advance
      </button>
      <FormError error={error} />
    </form>
  )
}

function FreezeAtForm() {
  const at = useSignal('')
  const { submit, error } = useSubmit(async () => {
    const now = `${at.value.length === 16 ? `${at.value}:00` : at.value}Z`
    await changeClock('PUT', { now, frozen: true })
    return `The clock stands at ${now}.`
  })
  return (
    <form class="inline-form" onSubmit={submit}>
      <input
        type="datetime-local"
        step="1"
        aria-label="Freeze at, in UTC"
        value={at.value}
        onInput={event => {
          at.value = event.currentTarget.value
        }}
      />
      <button type="submit" class="button" disabled={at.value === ''}>
        Freeze at
      </button>
      <FormError error={error} />
    </form>
  )
}

/** Each action beside a sentence that says what it will do. */
export function ClockCard() {
  if (!clock.value) return <Loading />
  const { frozen, real } = clock.value
  return (
    <Section title="Clock">
      <Now />
      <ul class="choices-list">
        <li>
          <button
            type="button"
            class="button"
            onClick={() =>
              frozen
                ? act(() => changeClock('PUT', { frozen: false }), 'The clock runs on from where it stood.')
                : act(() => changeClock('PUT', { frozen: true }), 'The clock stands still.')
            }
          >
            {frozen ? 'Let it run' : 'Freeze'}
          </button>
          <p class="muted">
            {frozen
              ? 'Time runs on from where it stands.'
              : 'Time stands still: created_at, rate windows and stale reads all see this moment. Latency still runs in real time.'}
          </p>
        </li>
        <li>
          <div class="actions">
            {STEPS.map(([step, label]) => (
              <button
                key={step}
                type="button"
                class="button"
                onClick={() => act(() => changeClock('PUT', { advance: step }), `The clock was advanced by ${label}.`)}
              >
                + {label}
              </button>
            ))}
            <AdvanceForm />
          </div>
          <p class="muted">Moves the time forward by that much; windows that end in between have ended.</p>
        </li>
        <li>
          <FreezeAtForm />
          <p class="muted">Sets the time, in UTC, and lets it stand there.</p>
        </li>
        <li>
          <button
            type="button"
            class="button"
            disabled={real}
            onClick={() => act(() => changeClock('DELETE'), 'The clock shows real time.')}
          >
            Real time
          </button>
          <p class="muted">Back to the time of the machine. Records keep the times they were given.</p>
        </li>
      </ul>
    </Section>
  )
}
