import { faultKind } from '../fault.ts'
import { someTime, toMs } from '../setting.ts'

/** Reads see the state as it was a while ago, on the sandbox's clock; writes act on the present. */
export const staleReads = faultKind({
  type: 'stale-reads',
  settings: { delay: someTime() },
  concerns: ({ method }) => method === 'GET',
  make: ({ delay }) => ({
    effect: `reads see the state of ${delay} ago`,
    async run({ call, carryOut }) {
      call.look(call.sandbox.stateAt(call.sandbox.clock.now() - toMs(delay)))
      call.clockPlayedAPart ||= call.sandbox.clock.frozen
      return { kind: 'answer', reply: await carryOut() }
    },
  }),
})
