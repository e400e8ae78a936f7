import { printableLines } from '../../basics/text.ts'
import { hasCode, SimulatorError } from '../../contract/simulator-error.ts'
import { FileError } from '../../files/file-error.ts'

/** The exit code of wrong use: an option, a word or a file that cannot be used. */
export const WRONG_USE = 2
/** The exit code with --fail-on-unused when a rule never fired. */
export const UNUSED_RULE = 3
/** The exit code with --fail-on-vary when the command depends on an assumption. */
export const DEPENDS = 4

/** Wrong use of the command line: printed in one line. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** Prints why the simulator did not start, if the user can do something about it. Other errors are bugs: rethrown. */
export function exitCodeFor(error: unknown): number {
  if (error instanceof FileError) {
    console.error(printableLines(error.message))
    return WRONG_USE
  }
  if (hasCode(error, 'INVALID_OPTION', 'UNSAFE_HOST', 'DATABASE_IS_FIXTURE', 'DATABASE_FOREIGN'))
    throw new UsageError(error.message)
  if (!(error instanceof SimulatorError)) throw error
  console.error(`edgesim: ${printableLines(error.message)}`)
  return 1
}
