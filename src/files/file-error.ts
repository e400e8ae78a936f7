import { dirname } from 'node:path'
import { SimulatorError } from '../contract/simulator-error.ts'

/** A problem at a place in a text. */
export interface TextProblem {
  line: number
  column: number
  message: string
}

/** The problems of a file, one in each line of the message: `file:line:column: …`. */
export class FileError extends SimulatorError {
  override name = 'FileError'
  constructor(
    readonly file: string,
    readonly problems: TextProblem[],
  ) {
    super(
      'INVALID_FILE',
      problems.map(({ line, column, message }) => `${file}:${line}:${column}: ${message}`).join('\n'),
    )
  }
}

/** For a problem of the file as a whole. */
export const fileError = (file: string, message: string) => new FileError(file, [{ line: 1, column: 1, message }])

/** Why a file cannot be written, in words; for a code that users cannot do anything about, in those of the system. */
export function whyUnwritable(error: unknown, file: string): string {
  const { code, message } = error as NodeJS.ErrnoException
  const folder = dirname(file)
  const reasons: Record<string, string> = {
    ENOENT: `there is no folder ${folder}`,
    ENOTDIR: `${folder} is not a folder`,
    EEXIST: `${folder} is not a folder`,
    EISDIR: 'it is a folder',
    EACCES: `no permission to write in ${folder}`,
    EPERM: `no permission to write in ${folder}`,
    EROFS: `${folder} can only be read`,
    ENOSPC: 'the disk is full',
  }
  return reasons[code ?? ''] ?? message
}
