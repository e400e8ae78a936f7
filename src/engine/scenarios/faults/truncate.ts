import { integer } from '../../../basics/shape.ts'
import { faultKind } from '../fault.ts'

/** Fewer bytes than Content-Length, then the connection closes. */
export const truncate = faultKind({
  type: 'truncate',
  onTraffic: true,
  settings: { after: { shape: integer({ minimum: 0 }) } },
  make: ({ after }) => ({
    effect: `response cut off after ${after === undefined ? 'half of it' : `${after} bytes`}`,
    async deliver(delivery) {
      const { body, length } = delivery
      // Half of the body, or of its first chunk if the length is unknown. Always less than the whole body.
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
