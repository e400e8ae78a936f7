import { formatTime } from '../../language/index.ts'
import { faultKind } from '../fault.ts'
import { positiveDuration, toMs } from '../setting.ts'

/** Reads see an earlier state, by the sandbox clock. Writes use the current state. */
export const staleReads = faultKind({
  type: 'stale-reads',
  settings: { delay: { shape: positiveDuration, required: true } },
  appliesTo: ({ method }) => method === 'GET',
  make: ({ delay }) => ({
    effect: `reads see the state from ${delay} ago`,
    lookBackMs: toMs(delay),
    async run({ visit, execute, readAt }) {
      const time = visit.now() - toMs(delay)
      const knownSince = readAt(time)
      if (time < knownSince)
        visit.warn(`The state from ${delay} ago is no longer stored. It read the state at ${formatTime(knownSince)}.`)
      return { kind: 'reply', reply: await execute() }
    },
  }),
})
