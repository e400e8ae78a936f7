import * as z from 'zod'
import { faultKind } from '../fault.ts'
import { duration, integer, toMs } from '../setting.ts'

/** An error in the vendor's format. The call is not executed. */
export const error = faultKind({
  type: 'error',
  onDeliveries: true,
  settings: {
    status: integer(400, 599),
    code: integer(1, 99_999).optional(),
    msg: z.string().optional(),
    retry_after: duration().optional(),
  },
  make: ({ status, code = null, msg, retry_after }) => ({
    effect: `error ${status}, request not executed`,
    status,
    run({ errorReply }) {
      const headers: Record<string, string> = {}
      if (retry_after !== undefined) headers['Retry-After'] = String(Math.ceil(toMs(retry_after) / 1000))
      const message = msg ?? `The scenario returns status ${status} for this call.`
      const kind = { name: 'scenario', status, message: () => message }
      return { kind: 'reply', reply: errorReply({ kind, code, message, params: {}, headers }) }
    },
  }),
})
