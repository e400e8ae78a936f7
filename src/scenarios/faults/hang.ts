import { faultKind } from '../fault.ts'
import { duration, toMs } from '../setting.ts'

/** The call is not carried out, and the client gets no answer for a time, or until it gives up. */
export const hang = faultKind({
  type: 'hang',
  onEdges: true,
  settings: { for: duration().optional() },
  make: settings => ({
    effect: `no answer ${settings.for ? `for ${settings.for}` : 'until the client leaves'}, nothing carried out`,
    async run({ call, wait }) {
      await wait(settings.for ? toMs(settings.for) : Number.POSITIVE_INFINITY)
      // A reset of the sandbox also ends the wait; the answer is then a 503.
      call.failIfReset()
      return { kind: 'nothing', reset: false }
    },
  }),
})
