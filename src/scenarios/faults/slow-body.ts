import { faultKind } from '../fault.ts'
import { whole } from '../setting.ts'

const STEP_MS = 50

/** The whole answer, dribbling. */
export const slowBody = faultKind({
  type: 'slow-body',
  settings: { bytes_per_second: whole(1).optional() },
  make: ({ bytes_per_second = 1000 }) => ({
    effect: `carried out, then the answer at ${bytes_per_second} bytes a second`,
    async run({ wire, carryOut }) {
      const answer = await carryOut()
      wire.head(answer)
      const stepMs = Math.max(STEP_MS, 1000 / bytes_per_second)
      const step = Math.max(1, Math.floor((bytes_per_second * stepMs) / 1000))
      for (let at = 0; at < answer.body.length && !wire.over; at += step) {
        wire.write(answer.body.subarray(at, at + step))
        await wire.wait(stepMs)
      }
      if (wire.over) wire.cut()
      else wire.end()
    },
  }),
})
