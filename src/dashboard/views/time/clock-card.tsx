import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Loading } from '../../parts/empty.tsx'
import { Section } from '../../parts/section.tsx'
import { act } from '../../state/act.ts'
import { clock, here } from '../../state/simulator.ts'
import type { ClockInfo, Json } from '../../types.ts'

const STEPS: [step: string, label: string][] = [
  ['1m', '1 minute'],
  ['1h', '1 hour'],
  ['24h', '1 day'],
]

async function change(method: string, body: Json | undefined, done: string) {
  await act(async () => {
    const got = await here<ClockInfo>(method, '/clock', body && { body })
    clock.value = { ...got, askedAt: Date.now() }
  }, done)
}

/** The time in the sandbox, reckoned on from when it was last asked for. */
function Now() {
  const beat = useSignal(0)
  useEffect(() => {
    const timer = setInterval(() => {
      beat.value++
    }, 500)
    return () => clearInterval(timer)
  }, [beat])
  beat.value
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

/** Each action beside a sentence that says what it will do. */
export function ClockCard() {
  const to = useSignal('')
  const by = useSignal('')
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
                ? change('PUT', { frozen: false }, 'The clock runs on from where it stood.')
                : change('PUT', { frozen: true }, 'The clock stands still.')
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
                onClick={() => change('PUT', { advance: step }, `The clock was advanced by ${label}.`)}
              >
                + {label}
              </button>
            ))}
            <form
              class="inline-form"
              onSubmit={event => {
                event.preventDefault()
                void change('PUT', { advance: by.value.trim() }, `The clock was advanced by ${by.value.trim()}.`)
              }}
            >
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
            </form>
          </div>
          <p class="muted">Moves the time forward by that much; windows that end in between have ended.</p>
        </li>
        <li>
          <form
            class="inline-form"
            onSubmit={event => {
              event.preventDefault()
              const now = `${to.value.length === 16 ? `${to.value}:00` : to.value}Z`
              void change('PUT', { now, frozen: true }, `The clock stands at ${now}.`)
            }}
          >
            <input
              type="datetime-local"
              step="1"
              aria-label="Freeze at, in UTC"
              value={to.value}
              onInput={event => {
                to.value = event.currentTarget.value
              }}
            />
            <button type="submit" class="button" disabled={to.value === ''}>
              Freeze at
            </button>
          </form>
          <p class="muted">Sets the time, in UTC, and lets it stand there.</p>
        </li>
        <li>
          <button
            type="button"
            class="button"
            disabled={real}
            onClick={() => change('DELETE', undefined, 'The clock shows real time.')}
          >
            Real time
          </button>
          <p class="muted">Back to the time of the machine. Records keep the times they were given.</p>
        </li>
      </ul>
    </Section>
  )
}
