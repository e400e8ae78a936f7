import { useSignal } from '@preact/signals'
import { menuOpen, NAV_ID } from './navigation.tsx'
import { Button } from './parts/button.tsx'
import { Icon } from './parts/icon.tsx'
import { dayTime } from './parts/status.tsx'
import { SandboxDialog } from './sandboxes.tsx'
import { dismiss, notices } from './state/actions.ts'
import { useKeys } from './state/keys.ts'
import { live } from './state/live.ts'
import { hrefTo, sandbox } from './state/place.ts'
import { setter } from './state/signals.ts'
import { clock, restart, scenario, silentSince } from './state/simulator.ts'
import type { StreamState } from './wire/events.ts'

const STATES: Record<StreamState | 'silent', [label: string, hint: string]> = {
  connecting: ['Connecting', 'Waiting for the event stream.'],
  live: ['Live', 'Requests and changes appear as they happen.'],
  lost: ['Reconnecting', 'The event stream was lost. Reconnecting…'],
  gone: ['Not found', "This sandbox doesn't exist."],
  silent: ['No response', "edgesim doesn't respond. Reconnecting…"],
}

export function Header({ title }: { title: string }) {
  const open = useSignal(false)
  const state = silentSince.value ? 'silent' : live.value
  const [label, hint] = STATES[state]
  const choose = setter(open, true)
  useKeys(['s'], 'Choose a sandbox', choose)
  return (
    <header class="header">
      <button
        type="button"
        class="button quiet menu-button"
        aria-label="Menu"
        aria-expanded={menuOpen.value}
        aria-controls={NAV_ID}
        onClick={setter(menuOpen, !menuOpen.value)}
      >
        <Icon name={menuOpen.value ? 'cross' : 'menu'} />
      </button>
      <h1>{title}</h1>
      <div class="header-facts">
        {clock.value?.frozen && (
          <a class="chip" href={hrefTo(['time'])} title="The sandbox clock is frozen">
            <Icon name="time" /> <span>Frozen</span>
          </a>
        )}
        {scenario.value?.name && (
          <a class="chip" href={hrefTo(['scenario'])} title={`Active scenario: ${scenario.value.name}`}>
            <Icon name="scenario" /> <span class="clip">{scenario.value.name}</span>
          </a>
        )}
        <span class={`live ${state}`} title={hint} role="status">
          <span class="dot" aria-hidden="true" />
          <span>{label}</span>
        </span>
        <Button look="picker" icon="cube" opens title={sandbox.value} onClick={choose}>
          <span class="hidden">Sandbox: </span>
          <span class="clip">{sandbox.value}</span>
          <Icon name="down" />
        </Button>
      </div>
      {open.value && <SandboxDialog onClose={setter(open, false)} />}
    </header>
  )
}

export const BANNER_ID = 'banner'

/** Shown above every view: the simulator does not respond, or it has restarted. */
export function Banner() {
  const since = silentSince.value
  const again = restart.value
  const dismissed = useSignal<typeof again>(undefined)
  if (since)
    return (
      <div id={BANNER_ID} class="banner bad" role="alert">
        <Icon name="warn" />
        <p>
          <strong>No response from edgesim since {dayTime(since)}.</strong> The data below may be outdated.
          Reconnecting…
        </p>
      </div>
    )
  if (!again || again === dismissed.value) return null
  const stateKept = again.stateKept && sandbox.value === 'default'
  return (
    <div class="banner" role="status">
      <Icon name="rewind" />
      <p>
        <strong>edgesim restarted at {dayTime(new Date(again.at))}.</strong>
        {stateKept ? ' Its state was preserved. The request log is empty.' : ' State and request log were reset.'}
      </p>
      <Button look="quiet small" icon="cross" label="Dismiss" onClick={setter(dismissed, again)} />
    </div>
  )
}

/** A message bar below the view. It shows the newest message, and the number of others. */
export function Notices() {
  const [newest, ...others] = notices.value
  return (
    <div class={`notices ${newest?.kind ?? 'none'}`}>
      {newest && <Icon name={newest.kind === 'done' ? 'check' : 'warn'} />}
      {/* Screen readers announce text only in a live region that already exists. */}
      <p role="status">{newest?.kind === 'done' && newest.text}</p>
      {newest?.kind === 'error' && (
        <p key={newest.id} role="alert">
          {newest.text}
        </p>
      )}
      {newest && (
        <div class="actions">
          {others.length > 0 && <span class="small-text">{others.length} more</span>}
          <Button look="quiet small" icon="cross" label="Dismiss" onClick={() => dismiss(newest.id)} />
        </div>
      )}
    </div>
  )
}
