import * as z from 'zod'
import { faultKind } from '../fault.ts'

/** Fewer bytes than were promised, then the connection ends. */
export const truncate = faultKind({
  type: 'truncate',
  settings: { after: z.int().min(0).optional() },
  make: ({ after }) => ({
    effect: `answer cut off after ${after === undefined ? 'half of it' : `${after} bytes`}`,
    async run({ wire, carryOut }) {
      const answer = await carryOut()
      wire.head(answer)
      wire.write(answer.body.subarray(0, Math.min(after ?? Math.floor(answer.body.length / 2), answer.body.length - 1)))
      wire.cut()
    },
  }),
})
