import { ClockCard } from './clock-card.tsx'
import { ResetCard } from './reset-card.tsx'
import { Snapshots } from './snapshots.tsx'

/** What a sandbox's time and state can be made to do. */
export function Time() {
  return (
    <div class="columns">
      <ClockCard />
      <div class="stack">
        <Snapshots />
        <ResetCard />
      </div>
    </div>
  )
}
