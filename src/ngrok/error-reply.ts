import type { ErrorFacts, ErrorReply } from '../engine/api.ts'
import { detailsOf, headersOf, ownCode } from '../server/error-reply.ts'
import { codeOf } from './codes.ts'

/** docs/api.md 7. An error without an operation is not of the API, but of the server in front of it. */
export function errorReply(error: ErrorFacts, vendor: string, operationId?: string): ErrorReply {
  const { kind, code, params, message } = error
  const { status } = kind
  const own = operationId || 'ofEdge' in kind ? (code ?? codeOf(kind).code) : null
  const error_code = params.withoutCode ? undefined : codeText(vendor, own, status)
  const details = { ...(operationId && { operation_id: operationId }), ...detailsOf(params) }
  const body = { ...(error_code && { error_code }), status_code: status, msg: message, details }
  return { status, body, headers: headersOf(error), code: error_code }
}

/** The vendor's code if it documents a number or a word, else edgesim's code with the HTTP status. */
const codeText = (vendor: string, code: number | string | null, status: number) =>
  code === null ? ownCode(status) : typeof code === 'string' ? code : `ERR_${vendor.toUpperCase()}_${code}`

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
