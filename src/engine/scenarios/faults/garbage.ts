import { faultKind } from '../fault.ts'
import { nameOf } from '../setting.ts'

const NOT_JSON = '<html><body>It works!</body>'
const NOT_HTTP = Buffer.from('\u0000\u0001SMB\u0002 not HTTP at all\r\n\r\n')

/** A 200 with a body that is not JSON, or bytes that are not HTTP. */
export const garbage = faultKind({
  type: 'garbage',
  settings: { what: { shape: nameOf('json or http', ['json', 'http']) } },
  make: ({ what = 'json' }) => ({
    effect: what === 'json' ? 'a 200 with a body that is not JSON' : 'bytes that are not HTTP',
    async run({ execute }) {
      const { headers } = await execute()
      if (what === 'http') return { kind: 'ending', bytes: NOT_HTTP }
      return { kind: 'reply', reply: { status: 200, headers, text: [NOT_JSON], body: { unreadable: NOT_JSON } } }
    },
  }),
})
