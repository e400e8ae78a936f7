import {
  ClientRequestSchema,
  ErrorCode,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  JSONRPCNotificationSchema,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js'
import { isObject } from '../basics/json.ts'
import { formatPath, type Path } from '../basics/problem.ts'

/** What a client is told of what it sent and cannot be taken for a message. */
export interface Failure {
  jsonrpc: '2.0'
  id: RequestId | null
  error: { code: ErrorCode; message: string }
}

export const failure = (id: RequestId | null, code: ErrorCode, message: string): Failure => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
})

const NO_REQUEST =
  'This is no request of JSON-RPC 2.0: it needs "jsonrpc": "2.0", an id and a method, and nothing else but params.'

/** A message, or what to answer to what is none: nothing, if it is an answer itself or a notification. */
export function readMessage(value: unknown): { message?: JSONRPCMessage; refusal?: Failure } {
  const { success, data: message } = JSONRPCMessageSchema.safeParse(value)
  const { id, params: _params, ...rest } = (isObject(value) ? value : {}) as Record<string, unknown>
  const asked = typeof id === 'string' || typeof id === 'number'
  if (success) {
    const why = asked ? whyWrongParams(value as { method?: string }) : undefined
    return why === undefined ? { message } : { refusal: failure(id as RequestId, ErrorCode.InvalidParams, why) }
  }
  if (!('method' in rest) && ('result' in rest || 'error' in rest)) return {}
  const isCall = JSONRPCNotificationSchema.safeParse(rest).success
  if (isCall && id === undefined) return {}
  if (isCall && asked) return { refusal: failure(id, ErrorCode.InvalidParams, 'params must be an object.') }
  return { refusal: failure(asked ? id : null, ErrorCode.InvalidRequest, NO_REQUEST) }
}

const schemas = new Map(ClientRequestSchema.options.map(schema => [String(schema.shape.method.value), schema]))

/** The SDK takes wrong parameters for a failure of its own. */
function whyWrongParams(request: { method?: string }): string | undefined {
  const [issue] = schemas.get(request.method ?? '')?.safeParse(request).error?.issues ?? []
  return issue && `${formatPath(issue.path as Path)}: ${issue.message}`
}
