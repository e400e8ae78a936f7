import { errorReply as replyOf } from '../contract/errors.ts'
import type { ErrorFacts, ErrorReply } from '../engine/api.ts'

/** docs/api.md 7. */
export function errorReply(error: ErrorFacts, vendor: string, operationId?: string): ErrorReply {
  const reply = replyOf(error, vendor, operationId)
  return { ...reply, code: reply.body.error_code }
}

/** The same as a JSON Schema. */
export const errorSchema = {
  type: 'object',
  properties: {
    error_code: { type: 'string', pattern: '^(ERR_[A-Z0-9_]+_[0-9]+|[a-z_]+)$' },
    status_code: { type: 'integer' },
    msg: { type: 'string' },
    details: { type: 'object', additionalProperties: { type: 'string' } },
  },
  required: ['status_code', 'msg', 'details'],
  additionalProperties: false,
}
