import { hasCode, SimulatorError } from '../contract/simulator-error.ts'
import { whyUnwritable } from '../files/file-error.ts'

/** What is to be done about a database that cannot be used; errors that the disk has no part in stay as they are. */
export function whyUnusable(error: NodeJS.ErrnoException, file: string): Error {
  const { code, message } = error
  if (hasCode(error, 'DATABASE_DAMAGED')) {
    const what = `${message}.\nNothing was changed. \`edgesim repair ${file}\` saves what can be saved; --fresh starts over.`
    return new SimulatorError('DATABASE_DAMAGED', what)
  }
  if (error instanceof SimulatorError || code === undefined) return error
  return new SimulatorError(
    'DATABASE_UNUSABLE',
    `cannot keep the state in ${file}: ${whyUnwritable(code, file) ?? message}. Give a --db FILE in a folder that exists and can be written to.`,
    { cause: error },
  )
}
