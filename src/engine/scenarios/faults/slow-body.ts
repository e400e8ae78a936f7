import { integer } from '../../../basics/shape.ts'
import { faultKind } from '../fault.ts'

const MIN_STEP_MS = 50

/** The complete response, at a limited speed. */
export const slowBody = faultKind({
  type: 'slow-body',
  onTraffic: true,
  settings: { bytes_per_second: { shape: integer({ minimum: 1 }) } },
  make: ({ bytes_per_second: bytesPerSecond = 1000 }) => ({
    effect: `response at ${bytesPerSecond} bytes per second`,
    async deliver(delivery) {
      const stepMs = Math.max(MIN_STEP_MS, 1000 / bytesPerSecond)
      const step = Math.max(1, Math.floor((bytesPerSecond * stepMs) / 1000))
      for await (const part of delivery.body)
        for (let at = 0; at < part.length && !delivery.over; at += step) {
          await delivery.write(part.subarray(at, at + step))
          await delivery.wait(stepMs)
        }
      if (delivery.over) delivery.cut()
      else delivery.end()
    },
  }),
})
