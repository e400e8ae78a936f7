export type ErrorCode =
  | 'INVALID_OPTION'
  | 'INVALID_FILE'
  | 'PORT_IN_USE'
  | 'CANNOT_LISTEN'
  | 'UNSAFE_HOST'
  | 'DATABASE_IN_USE'
  | 'DATABASE_DAMAGED'
  | 'DATABASE_FOREIGN'
  | 'DATABASE_IS_FIXTURE'
  | 'DATABASE_UNUSABLE'
  | 'UNREACHABLE'
  | 'NOT_EDGESIM'
  | 'TWO_INSTANCES'
  | 'CONTROL_REFUSED'
  | 'VERIFY_FAILED'
  | 'NOT_LISTENING'

/** An error that the user can fix, such as a port in use. Other errors are bugs in edgesim. */
export class SimulatorError extends Error {
  override name = 'SimulatorError'
  constructor(
    readonly code: ErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

export const hasCode = (error: unknown, ...codes: ErrorCode[]): error is SimulatorError =>
  error instanceof SimulatorError && codes.includes(error.code)
