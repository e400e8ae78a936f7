import * as z from 'zod'
import { duration, toMs } from '../duration.ts'
import { faultKind } from '../fault.ts'

/** An error in the vendor's shape, instead of carrying the call out. */
export const error = faultKind({
  type: 'error',
  settings: {
    status: z.int().min(400).max(599),
    code: z.int().min(1).max(99_999).optional(),
    msg: z.string().optional(),
    retry_after: duration().optional(),
  },
  make: ({ status, code = status, msg, retry_after }) => ({
    effect: `error ${status}`,
    run({ call, wire, toAnswer, errorCode }) {
      const headers: Record<string, string> = {}
      if (retry_after !== undefined) headers['Retry-After'] = String(Math.ceil(toMs(retry_after) / 1000))
      const body = {
        error_code: errorCode(code),
        status_code: status,
        msg: msg ?? `The scenario answers this call with status ${status}.`,
        details: { operation_id: call.id },
      }
      wire.send(toAnswer({ status, body, headers }))
    },
  }),
})
