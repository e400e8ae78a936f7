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
    run({ call, errorCode }) {
      const headers: Record<string, string> = status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}
      if (retry_after !== undefined) headers['Retry-After'] = String(Math.ceil(toMs(retry_after) / 1000))
      const body = {
        error_code: errorCode(code, status),
        status_code: status,
        msg: msg ?? `The scenario returns status ${status} for this call.`,
        details: { operation_id: call.id },
      }
      return { kind: 'reply', reply: { status, body, headers } }
    },
  }),
})
