import { parseDuration } from '../../basics/duration.ts'
import { boolean, objectOf, textShape } from '../../basics/shape.ts'
import { isTime, parseTime, TIME_RANGE, timestamp } from '../../engine/language/index.ts'
import type { Sandbox } from '../../engine/sandbox/index.ts'
import { del, get, optional, put, quoted, type Route, reject } from '../route.ts'

const describe = ({ clock }: Sandbox) => ({
  now: new Date(clock.now()).toISOString(),
  frozen: clock.frozen,
  real: clock.real,
})

export const clockRoutes: Route[] = [
  get('/clock', 'Get the sandbox time', {
    run: ({ sandbox }) => describe(sandbox),
  }),
  put('/clock', 'Set, freeze or advance the clock', {
    body: objectOf({
      now: optional(timestamp(), 'Time to set, in RFC 3339'),
      frozen: optional(boolean, 'Whether the clock is frozen'),
      advance: optional(textShape({ examples: ['24h'] }), 'Duration to advance by'),
    }),
    run({ sandbox, body }) {
      const { clock } = sandbox
      const { now, frozen, advance } = body
      if (now === undefined && frozen === undefined && advance === undefined)
        reject('The body is empty. Set "now" (a time), "frozen" (true or false) or "advance" (a duration like 24h)')
      const step = advance === undefined ? 0 : parseDuration(advance)
      if (step === undefined)
        reject(`"advance" must be a duration like 250ms, 2s, 5m, 24h or 7d, got ${quoted(advance!)}`)
      const from = now === undefined ? clock.now() : parseTime(now)!
      if (!isTime(from + step)) reject(`The clock can be set ${TIME_RANGE}`)
      if (now !== undefined || frozen !== undefined) clock.set(from, frozen ?? clock.frozen)
      clock.advance(step)
      return describe(sandbox)
    },
  }),
  del('/clock', 'Return to real time', {
    run({ sandbox }) {
      sandbox.clock.resume()
      return describe(sandbox)
    },
  }),
]
