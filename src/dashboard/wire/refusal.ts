import type { Problem } from '../types.ts'

/** An answer that is an error, or no answer at all. */
export class Refusal extends Error {
  constructor(
    /** Zero when no answer came. */
    readonly status: number,
    message: string,
    readonly code: string = '',
    readonly details: Record<string, string> = {},
    readonly problems: Problem[] = [],
  ) {
    super(message)
    this.name = 'Refusal'
  }
}

interface ErrorBody {
  msg?: string
  error_code?: string
  details?: Record<string, string>
  problems?: Problem[]
}

export function refusalOf(status: number, text: string): Refusal {
  let body: ErrorBody = {}
  try {
    body = JSON.parse(text)
  } catch {
    // A scripted fault may answer with anything; its status still says something.
  }
  const message = body.msg ?? `The answer was ${status}${text ? `: ${text.slice(0, 200)}` : ''}`
  return new Refusal(status, message, body.error_code, body.details, body.problems)
}

export const toRefusal = (error: unknown): Refusal =>
  error instanceof Refusal ? error : new Refusal(0, error instanceof Error ? error.message : String(error))
