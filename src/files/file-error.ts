import { SimulatorError } from '../contract/simulator-error.ts'

/** A problem at a place in a text. */
export interface Place {
  line: number
  column: number
  message: string
}

/** What is wrong in a file, where, in one line: `file:line:column: …`. */
export class FileError extends SimulatorError {
  override name = 'FileError'
  constructor(
    readonly file: string,
    readonly problems: Place[],
  ) {
    super(
      'INVALID_FILE',
      problems.map(({ line, column, message }) => `${file}:${line}:${column}: ${message}`).join('\n'),
    )
  }
}

/** Wrong as a whole. */
export const refuse = (file: string, message: string) => new FileError(file, [{ line: 1, column: 1, message }])
