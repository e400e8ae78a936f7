import type { ApiError } from '../engine/error.ts'

/** An error in the format of edgesim: of the guard, the control API and the proxy. Each API has a format of its own. */
export interface ErrorBody {
  error_code: string
  status_code: number
  msg: string
  details: Record<string, string>
}

export const errorReply = (error: ApiError) => ({
  status: error.kind.status,
  body: { ...errorBody(error) },
  headers: headersOf(error),
})

/** Also for errors of an API. */
export const headersOf = ({ kind: { status }, headers }: Pick<ApiError, 'kind' | 'headers'>) => ({
  ...(status === 401 && { 'WWW-Authenticate': 'Bearer' }),
  ...headers,
})

export const errorBody = ({ kind: { status }, message, params }: ApiError): ErrorBody => ({
  error_code: ownCode(status),
  status_code: status,
  msg: message,
  details: detailsOf(params),
})

export const ownCode = (status: number) => `ERR_EDGESIM_${status}`

/** Clients read details only as strings. */
export function detailsOf(params: Record<string, unknown>): Record<string, string> {
  const details: Record<string, string> = {}
  for (const name of ['field', 'id', 'sandbox', 'nearest']) {
    const value = params[name]
    if (typeof value === 'string') details[name] = value
  }
  return details
}
