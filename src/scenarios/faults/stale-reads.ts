import { formatTime } from '../../schema/index.ts'
import { faultKind } from '../fault.ts'
import { positiveDuration, toMs } from '../setting.ts'

/** Reads see the state of some time ago, by the sandbox's clock; writes act on the present. */
export const staleReads = faultKind({
  type: 'stale-reads',
  settings: { delay: positiveDuration() },
  concerns: ({ method }) => method === 'GET',
  make: ({ delay }) => ({
    effect: `reads see the state of ${delay} ago`,
    lookBackMs: toMs(delay),
    async run({ call, execute }) {
      const time = call.sandbox.clock.now() - toMs(delay)
      const { tables, knownSince } = call.sandbox.stateAt(time)
      call.readFrom(tables)
      if (time < knownSince)
        call.warn(`The state of ${delay} ago is no longer known; this read saw that of ${formatTime(knownSince)}.`)
      call.clockPlayedAPart ||= call.sandbox.clock.frozen
      return { kind: 'reply', reply: await execute() }
    },
  }),
})
