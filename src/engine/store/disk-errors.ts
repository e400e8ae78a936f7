import { hasCode, SimulatorError } from '../../contract/simulator-error.ts'
import { whyUnwritable } from '../files/file-error.ts'

/** Explains why a database is unusable and how to fix it. Errors without a disk code are unchanged. */
export function whyUnusable(error: NodeJS.ErrnoException, file: string): Error {
  const { code, message, path = file } = error
  if (hasCode(error, 'DATABASE_DAMAGED')) {
    const what = `${message}.\nNothing was changed. Use --fresh to rename it to ${file}.damaged and start from the fixture.`
    return new SimulatorError('DATABASE_DAMAGED', what)
  }
  if (error instanceof SimulatorError || code === undefined) return error
  return new SimulatorError(
    'DATABASE_UNUSABLE',
    `Cannot store the state in ${file}: ${whyUnwritable(error, path)}. Set --db to a file in a writable directory.`,
    { cause: error },
  )
}

/** Warns once when the disk rejects changes, and once when it accepts them again. */
export class DiskWarnings {
  #failing = false

  constructor(
    readonly file: string,
    readonly warn: (text: string) => void,
  ) {}

  onFailure(error: Error) {
    if (!this.#failing) this.warn(`Cannot write ${this.file}, so changes are rejected: ${error.message}.`)
    this.#failing = true
  }

  onSuccess() {
    if (this.#failing) this.warn(`Writing ${this.file} works again.`)
    this.#failing = false
  }
}
