import { useSignal } from '@preact/signals'
import { Button } from './parts/button.tsx'
import { Icon } from './parts/icon.tsx'
import { dayTime } from './parts/status.tsx'
import { sandbox } from './state/place.ts'
import { setter } from './state/signals.ts'
import { restart, silentSince } from './state/simulator.ts'

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
