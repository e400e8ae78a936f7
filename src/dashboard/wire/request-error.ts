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
    this.name = 'RequestError'
  }
}

interface ErrorBody {
  msg?: string
  error_code?: string
  details?: Record<string, string>
  problems?: Problem[]
}

export function errorFrom(status: number, text: string): RequestError {
  let body: ErrorBody = {}
  try {
    body = JSON.parse(text)
  } catch {
    // A fault may return any body. Then only the status is reported.
  }
  const message = body.msg ?? `The response has status ${status}${text ? `: ${text.slice(0, 200)}` : ''}`
  return new RequestError(status, message, body.error_code, body.details, body.problems)
}

export const toRequestError = (error: unknown): RequestError =>
  error instanceof RequestError ? error : new RequestError(0, error instanceof Error ? error.message : String(error))
