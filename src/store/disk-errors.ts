import { hasCode, SimulatorError } from '../contract/simulator-error.ts'
import { whyUnwritable } from '../files/file-error.ts'

/** Says what to do about a database that cannot be used at the start. Errors not of the disk stay as they are. */
export function whyUnusable(error: NodeJS.ErrnoException, file: string): Error {
  const { code, message } = error
  if (hasCode(error, 'DATABASE_DAMAGED')) {
    const what = `${message}.\nNothing was changed. --fresh sets it aside as ${file}.damaged and starts from the fixture.`
    return new SimulatorError('DATABASE_DAMAGED', what)
  }
  if (error instanceof SimulatorError || code === undefined) return error
  return new SimulatorError(
    'DATABASE_UNUSABLE',
    `cannot keep the state in ${file}: ${whyUnwritable(code, file) ?? message}. Give a --db FILE in a folder that exists and can be written to.`,
    { cause: error },
  )
}

/** Warns once when the disk stops taking changes, and once when it takes them again. */
export class DiskWarnings {
  #failing = false

  constructor(
    readonly file: string,
    readonly warn: (text: string) => void,
  ) {}

  onFailure(error: Error) {
    if (!this.#failing) this.warn(`${this.file} cannot be written to, so changes are refused: ${error.message}`)
    this.#failing = true
  }

  onSuccess() {
    if (this.#failing) this.warn(`${this.file} can be written to again`)
    this.#failing = false
  }
}
