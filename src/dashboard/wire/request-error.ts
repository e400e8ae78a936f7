import { parseJson } from '../../basics/json.ts'
import type { Problem } from '../types.ts'

/** An error response, or no response. */
export class RequestError extends Error {
  constructor(
    /** Zero if there was no response. */
    readonly status: number,
    message: string,
    readonly code: string = '',
    readonly details: Record<string, string> = {},
    readonly problems: Problem[] = [],
  ) {
    super(message)
  }
}

type ErrorBody = { msg?: string; error_code?: string } & Partial<Pick<RequestError, 'details' | 'problems'>>

export function errorFrom(status: number, text: string): RequestError {
  // A fault may return any body. Then only the status is reported.
  const { msg, error_code, details, problems } = (parseJson(text) ?? {}) as ErrorBody
  const message = msg ?? `The response has status ${status}${text ? `: ${text.slice(0, 200)}` : ''}`
  return new RequestError(status, message, error_code, details, problems)
}

export const toRequestError = (error: unknown): RequestError =>
  error instanceof RequestError ? error : new RequestError(0, error instanceof Error ? error.message : String(error))
