import { printableLines } from '../../basics/text.ts'
import { hasCode, SimulatorError } from '../../contract/simulator-error.ts'
import { FileError } from '../../files/file-error.ts'

/** The exit code of wrong use: an option, a word or a file that cannot be used. */
const WRONG_USE = 2
/** The exit code with --fail-on-unused when a rule never fired. */
export const UNUSED_RULE = 3
/** The exit code with --fail-on-vary when the command depends on an assumption. */
export const DEPENDS = 4
/** The exit code with --fail-under when too few operations were called. */
export const TOO_FEW = 4

/** The exit code of a probe when the service answers otherwise than the last time. */
export const DRIFTED = 3

/** Wrong use of the command line. */
export class UsageError extends SimulatorError {
  override name = 'UsageError'
  constructor(message: string) {
    super('INVALID_OPTION', message)
  }
}

/** Prints why a command failed, and returns its exit code. Errors that the user can do nothing about are bugs. */
export function reportError(error: unknown): number {
  const text = error instanceof SimulatorError ? printableLines(error.message) : ((error as Error)?.stack ?? error)
  console.error(error instanceof FileError ? text : `edgesim: ${text}`)
  const wrongUse = ['INVALID_FILE', 'INVALID_OPTION', 'UNSAFE_HOST', 'DATABASE_IS_FIXTURE', 'DATABASE_FOREIGN'] as const
  return hasCode(error, ...wrongUse) ? WRONG_USE : 1
}
