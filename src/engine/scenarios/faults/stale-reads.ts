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
    async run({ call, execute }) {
      const time = call.now() - toMs(delay)
      const { tables, knownSince } = call.sandbox.stateAt(time)
      call.readFrom(tables)
      if (time < knownSince)
        call.warn(`The state from ${delay} ago is no longer stored. It read the state at ${formatTime(knownSince)}.`)
      return { kind: 'reply', reply: await execute() }
    },
  }),
})
