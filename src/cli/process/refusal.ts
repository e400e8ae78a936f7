import { printableLines } from '../../basics/text.ts'
import { hasCode, SimulatorError } from '../../contract/simulator-error.ts'
import { FileError } from '../../files/file-error.ts'
import { UsageError } from '../usage-error.ts'

/**
 * Explains why the simulator did not start, if the user can do something about it. Other errors are bugs and are
 * rethrown.
 */
export function refuse(error: unknown): number {
  if (error instanceof FileError) {
    console.error(printableLines(error.message))
    return 2
  }
  if (hasCode(error, 'INVALID_OPTION', 'UNSAFE_HOST', 'DATABASE_IS_FIXTURE', 'DATABASE_FOREIGN'))
    throw new UsageError(error.message)
  if (!(error instanceof SimulatorError)) throw error
  console.error(`edgesim: ${printableLines(error.message)}`)
  return 1
}
