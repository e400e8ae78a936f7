import {
  ClientRequestSchema,
  ErrorCode,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  JSONRPCNotificationSchema,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js'
import { isObject } from '../../basics/json.ts'
import { formatPath, type Path } from '../../basics/problem.ts'

/** A JSON-RPC 2.0 error. */
export interface ErrorResponse {
  jsonrpc: '2.0'
  id: RequestId | null
  error: { code: ErrorCode; message: string }
}

export const errorResponse = (id: RequestId | null, code: ErrorCode, message: string): ErrorResponse => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
})

const BATCH = 'Batches are not supported. Send one message per line.'
const NOT_A_REQUEST =
  'Invalid JSON-RPC 2.0 request. It must have "jsonrpc": "2.0", an id, a method, optionally params, and no other fields.'

/** A valid message, or the error to send. Neither for an invalid response or notification. */
export function readMessage(value: unknown): { message?: JSONRPCMessage; error?: ErrorResponse } {
  if (Array.isArray(value)) return { error: errorResponse(null, ErrorCode.InvalidRequest, BATCH) }
  const { success, data: message } = JSONRPCMessageSchema.safeParse(value)
  const { id, params: _params, ...rest } = (isObject(value) ? value : {}) as Record<string, unknown>
  const hasId = typeof id === 'string' || Number.isSafeInteger(id)
  if (success) {
    const why = hasId ? whyWrongParams(value as { method?: string }) : undefined
    return why === undefined ? { message } : { error: errorResponse(id as RequestId, ErrorCode.InvalidParams, why) }
  }
  if (!('method' in rest) && ('result' in rest || 'error' in rest)) return {}
  const isCall = JSONRPCNotificationSchema.safeParse(rest).success
  if (isCall && id === undefined) return {}
  if (isCall && typeof id === 'number' && !hasId)
    return { error: errorResponse(null, ErrorCode.InvalidRequest, 'The id must be a string or an integer.') }
  if (isCall && hasId)
    return { error: errorResponse(id as RequestId, ErrorCode.InvalidParams, 'params must be an object.') }
  return { error: errorResponse(hasId ? (id as RequestId) : null, ErrorCode.InvalidRequest, NOT_A_REQUEST) }
}

const schemas = new Map(ClientRequestSchema.options.map(schema => [String(schema.shape.method.value), schema]))

/** The SDK would report invalid parameters as an internal error, so they are checked here. */
function whyWrongParams(request: { method?: string }): string | undefined {
  const [issue] = schemas.get(request.method ?? '')?.safeParse(request).error?.issues ?? []
  return issue && `${formatPath(issue.path as Path)}: ${issue.message}`
}
