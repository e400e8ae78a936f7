import { faultKind } from '../fault.ts'
import { oneOf } from '../setting.ts'

const NOT_JSON = Buffer.from('<html><body>It works!</body>')
const NOT_HTTP = Buffer.from('\u0000\u0001SMB\u0002 not HTTP at all\r\n\r\n')

/** A 200 whose body is not JSON, or bytes that are not even HTTP. */
export const garbage = faultKind({
  type: 'garbage',
  settings: { what: oneOf('json or http', ['json', 'http']).optional() },
  make: ({ what = 'json' }) => ({
    effect: what === 'json' ? 'a 200 whose body is not JSON' : 'bytes that are not HTTP',
    async run({ carryOut }) {
      const reply = await carryOut()
      if (what === 'http') return { kind: 'bytes', bytes: NOT_HTTP }
      return { kind: 'answer', reply: { ...reply, status: 200 }, instead: NOT_JSON }
    },
  }),
})
