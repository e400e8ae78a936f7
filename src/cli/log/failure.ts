import type { StoredEntry } from '../../engine/sandbox/index.ts'

/** A request without a response counts as an error, even if a rule or the client caused it. */
export const levelOf = (status: number | null) =>
  status === null || status >= 500 ? 'error' : status >= 400 ? 'warn' : 'info'

interface Failure {
  error_code?: string
  msg?: string
  /** The closest valid name. */
  nearest?: string
}

/** Why a request failed, from the error in its response, or from the explanation without one. */
export function failureOf({ failure, explanation }: StoredEntry): Failure {
  return {
    ...(failure?.code !== undefined && { error_code: failure.code }),
    msg: failure?.message ?? explanation?.text,
    ...(explanation?.nearest && { nearest: explanation.nearest }),
  }
}
