import { faultKind } from '../fault.ts'
import { wholeNumber } from '../setting.ts'

/** Fewer bytes than were promised, then the connection ends. */
export const truncate = faultKind({
  type: 'truncate',
  onEdges: true,
  settings: { after: wholeNumber(0).optional() },
  make: ({ after }) => ({
    effect: `the answer cut off after ${after === undefined ? 'half of it' : `${after} bytes`}`,
    run: async ({ carryOut }) => ({ kind: 'answer', reply: await carryOut(), cutAfter: after ?? 'half' }),
  }),
})
