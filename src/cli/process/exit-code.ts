import { printableLines } from '../../basics/text.ts'
import { hasCode, SimulatorError } from '../../contract/simulator-error.ts'
import { FileError } from '../../engine/files/file-error.ts'

/** Invalid option, argument or file. */
const WRONG_USE = 2
/** With --fail-on-unused: a rule never fired. */
export const UNUSED_RULE = 3
/** With --fail-on-vary: the command depends on an assumption. */
export const DEPENDS = 4
/** With --fail-under: too few operations were called. */
export const TOO_FEW = 4
/** The results of a probe differ from the last ones. */
export const DRIFTED = 3

export class UsageError extends SimulatorError {
  override name = 'UsageError'
  constructor(message: string) {
    super('INVALID_OPTION', message)
  }
}

/** Prints why a command failed, and returns its exit code. An error that is not a SimulatorError is a bug. */
export function reportError(error: unknown): number {
  const text = error instanceof SimulatorError ? printableLines(error.message) : ((error as Error)?.stack ?? error)
  console.error(error instanceof FileError ? text : `edgesim: ${text}`)
  const wrongUse = ['INVALID_FILE', 'INVALID_OPTION', 'UNSAFE_HOST', 'DATABASE_IS_FIXTURE', 'DATABASE_FOREIGN'] as const
  return hasCode(error, ...wrongUse) ? WRONG_USE : 1
}
