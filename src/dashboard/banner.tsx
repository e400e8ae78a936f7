import { Icon } from './parts/icon.tsx'
import { dayTime } from './parts/status.tsx'
import { dismissRestart, restart, silentSince } from './state/connection.ts'
import { sandbox } from './state/place.ts'

export const BANNER_ID = 'banner'

/** What concerns everything on the page: that the simulator does not answer, or is not the one that it was. */
export function Banner() {
  const since = silentSince.value
  const again = restart.value
  if (since)
    return (
      <div id={BANNER_ID} class="banner bad" role="alert">
        <Icon name="warn" />
        <p>
          <strong>edgesim has not answered since {dayTime(since)}.</strong> What you see is from then. Trying again…
        </p>
      </div>
    )
  if (!again || again.dismissed) return null
  const kept = again.kept && sandbox.value === 'default'
  return (
    <div class="banner" role="status">
      <Icon name="rewind" />
      <p>
        <strong>edgesim was restarted at {dayTime(new Date(again.at))}</strong>
        {kept ? '; its state was kept. The journal is new.' : ': the state and the journal are new since then.'}
      </p>
      <button type="button" class="button quiet small" aria-label="Dismiss" onClick={dismissRestart}>
        <Icon name="cross" />
      </button>
    </div>
  )
}
