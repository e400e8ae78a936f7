import { integer, textShape } from '../../../basics/shape.ts'
import { faultKind } from '../fault.ts'
import { duration, toMs } from '../setting.ts'

/** An error in the vendor's format. The call is not executed. */
export const error = faultKind({
  type: 'error',
  onDeliveries: true,
  settings: {
    status: { shape: integer({ minimum: 400, maximum: 599 }), required: true },
    code: { shape: integer({ minimum: 1, maximum: 99_999 }) },
    msg: { shape: textShape() },
    retry_after: { shape: duration },
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
