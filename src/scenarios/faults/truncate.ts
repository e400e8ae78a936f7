import { faultKind } from '../fault.ts'
import { whole } from '../setting.ts'

/** Fewer bytes than were promised, then the connection ends. */
export const truncate = faultKind({
  type: 'truncate',
  settings: { after: whole(0).optional() },
  make: ({ after }) => ({
    effect: `carried out, then the answer cut off after ${after === undefined ? 'half of it' : `${after} bytes`}`,
    async run({ wire, carryOut }) {
      const answer = await carryOut()
      const { length } = answer.body
      if (length === 0) {
        // Without a body there is only the head to cut off.
        wire.raw(Buffer.from(`HTTP/1.1 ${answer.status} `))
      } else {
        wire.head(answer)
        wire.write(answer.body.subarray(0, Math.min(after ?? Math.floor(length / 2), length - 1)))
      }
      wire.cut()
    },
  }),
})
