import { faultKind } from '../fault.ts'
import { wholeNumber } from '../setting.ts'

/** The whole answer, at a limited speed. */
export const slowBody = faultKind({
  type: 'slow-body',
  settings: { bytes_per_second: wholeNumber(1).optional() },
  make: ({ bytes_per_second: bytesPerSecond = 1000 }) => ({
    effect: `the answer at ${bytesPerSecond} bytes a second`,
    run: async ({ carryOut }) => ({ kind: 'answer', reply: await carryOut(), bytesPerSecond }),
  }),
})
