import { duration, toMs } from '../duration.ts'
import { faultKind } from '../fault.ts'

/** Reads see the state as it was a while ago, on the sandbox's clock; writes act on the present. */
export const staleReads = faultKind({
  type: 'stale-reads',
  settings: { delay: duration() },
  make: ({ delay }) => ({
    effect: `reads see the state of ${delay} ago`,
    concerns: call => call.operation?.method === 'GET',
    async run({ call, wire, carryOut }) {
      call.look(call.sandbox.stateAt(call.sandbox.clock.now() - toMs(delay)))
      call.clockPlayedAPart ||= call.sandbox.clock.frozen
      wire.send(await carryOut())
    },
  }),
})
