import { useSignal } from '@preact/signals'
import type { ComponentProps } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Button } from '../../parts/button.tsx'
import { bind } from '../../parts/inputs.tsx'
import { FormError, Loading } from '../../parts/messages.tsx'
import { Section } from '../../parts/section.tsx'
import { act, useSubmit } from '../../state/actions.ts'
import { clock, sandboxControl, sandboxTime } from '../../state/simulator.ts'
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

const change = (body: Json, done: string) => () => act(() => changeClock('PUT', body), done)

/** The sandbox time, updated twice a second. */
function Now() {
  const [, render] = useState({})
  useEffect(() => {
    const timer = setInterval(() => render({}), 500)
    return () => clearInterval(timer)
  }, [])
  const { frozen, real } = clock.value!
  const text = new Date(sandboxTime()).toISOString()
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

type FormProps = ComponentProps<'input'> & {
  action: string
  /** The change for the typed text, and the message of success. */
  toChange(text: string): [body: Json, done: string]
}

function ClockForm({ action, toChange, ...input }: FormProps) {
  const text = useSignal('')
  const { submit, error } = useSubmit(async () => {
    const [body, done] = toChange(text.value.trim())
    await changeClock('PUT', body)
    return done
  })
  return (
    <form class="inline-form" onSubmit={submit}>
      <input {...input} {...bind(text)} />
      <Button submit disabled={text.value.trim() === ''}>
        {action}
      </Button>
      <FormError error={error} />
    </form>
  )
}

function freezeAt(time: string): [Json, string] {
  const now = `${time.length === 16 ? `${time}:00` : time}Z`
  return [{ now, frozen: true }, `Clock frozen at ${now}.`]
}

export function ClockCard() {
  if (!clock.value) return <Loading />
  const { frozen, real } = clock.value
  return (
    <Section title="Clock">
      <Now />
      <ul class="choices-list">
        <li>
          <Button onClick={change({ frozen: !frozen }, frozen ? 'Clock resumed.' : 'Clock frozen.')}>
            {frozen ? 'Resume' : 'Freeze'}
          </Button>
          <p class="muted">
            {frozen
              ? 'Continues from the frozen time.'
              : 'Stops time for created_at, rate limit windows and stale reads. Latency still uses real time.'}
          </p>
        </li>
        <li>
          <div class="actions">
            {STEPS.map(([step, label]) => (
              <Button key={step} onClick={change({ advance: step }, `Clock advanced by ${label}.`)}>
                + {label}
              </Button>
            ))}
            <ClockForm
              action="Advance"
              toChange={by => [{ advance: by }, `Clock advanced by ${by}.`]}
              type="text"
              class="short"
              aria-label="Advance by"
              placeholder="90s, 36h"
            />
          </div>
          <p class="muted">Moves time forward. Rate limit windows that end in between expire.</p>
        </li>
        <li>
          <ClockForm
            action="Freeze at"
            toChange={freezeAt}
            type="datetime-local"
            step="1"
            aria-label="Freeze at (UTC)"
          />
          <p class="muted">Sets the time (UTC) and freezes the clock.</p>
        </li>
        <li>
          <Button disabled={real} onClick={() => act(() => changeClock('DELETE'), 'Clock set to real time.')}>
            Use real time
          </Button>
          <p class="muted">Returns to the system time. Times in existing records are unchanged.</p>
        </li>
      </ul>
    </Section>
  )
}
