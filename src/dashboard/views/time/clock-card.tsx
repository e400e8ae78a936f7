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
  clock.value = { ...response, loadedAt: Date.now() }
}

/** The sandbox time, extrapolated from the last response. */
function Now() {
  const tick = useSignal(0)
  useEffect(() => {
    const timer = setInterval(() => {
      tick.value++
    }, 500)
    return () => clearInterval(timer)
  }, [tick])
  tick.value
  const { now, frozen, real, loadedAt } = clock.value!
  const at = frozen ? Date.parse(now) : Date.parse(now) + Date.now() - loadedAt
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
    return `Clock advanced by ${advance}.`
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
    return `Clock frozen at ${now}.`
  })
  return (
    <form class="inline-form" onSubmit={submit}>
      <input
        type="datetime-local"
        step="1"
        aria-label="Freeze at (UTC)"
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
                ? act(() => changeClock('PUT', { frozen: false }), 'Clock resumed.')
                : act(() => changeClock('PUT', { frozen: true }), 'Clock frozen.')
            }
          >
            {frozen ? 'Resume' : 'Freeze'}
          </button>
          <p class="muted">
            {frozen
              ? 'Continues from the frozen time.'
              : 'Stops time for created_at, rate limit windows and stale reads. Latency still uses real time.'}
          </p>
        </li>
        <li>
          <div class="actions">
            {STEPS.map(([step, label]) => (
              <button
                key={step}
                type="button"
                class="button"
                onClick={() => act(() => changeClock('PUT', { advance: step }), `Clock advanced by ${label}.`)}
              >
                + {label}
              </button>
            ))}
            <AdvanceForm />
          </div>
          <p class="muted">Moves time forward. Rate limit windows that end in between expire.</p>
        </li>
        <li>
          <FreezeAtForm />
          <p class="muted">Sets the time (UTC) and freezes the clock.</p>
        </li>
        <li>
          <button
            type="button"
            class="button"
            disabled={real}
            onClick={() => act(() => changeClock('DELETE'), 'Clock set to real time.')}
          >
            Use real time
          </button>
          <p class="muted">Returns to the system time. Times in existing records are unchanged.</p>
        </li>
      </ul>
    </Section>
  )
}
