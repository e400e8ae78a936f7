import { faultKind } from '../fault.ts'
import { wholeNumber } from '../setting.ts'

/** Fewer bytes than were promised, then the connection ends. */
export const truncate = faultKind({
  type: 'truncate',
  onEdges: true,
  settings: { after: wholeNumber(0).optional() },
  make: ({ after }) => ({
    effect: `the answer cut off after ${after === undefined ? 'half of it' : `${after} bytes`}`,
    async deliver(delivery) {
      const { body, length } = delivery
      // Half of the body, or of its first part if nobody knows how long it is; of a short body all but the last byte.
      let left = length === undefined ? after : Math.min(after ?? Math.floor(length / 2), length - 1)
      for await (const part of body) {
        left ??= Math.floor(part.length / 2)
        await delivery.write(part.subarray(0, left))
        left -= Math.min(left, part.length)
        if (left === 0 || delivery.over) break
      }
      delivery.cut()
    },
  }),
})
