import { dirname } from 'node:path'
import { SimulatorError } from '../../contract/simulator-error.ts'

export interface TextProblem {
  line: number
  column: number
  message: string
}

/** The problems of a file, one per line of the message: `file:line:column: …`. */
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

/** For a problem of the whole file. */
export const fileError = (file: string, message: string) => new FileError(file, [{ line: 1, column: 1, message }])

/** Why a file is not writable: in plain words for common errors, or the system's message. */
export function whyUnwritable(error: unknown, file: string): string {
  const { code, message } = error as NodeJS.ErrnoException
  const folder = dirname(file)
  const reasons: Record<string, string> = {
    ENOENT: `no such directory: ${folder}`,
    ENOTDIR: `${folder} is not a directory`,
    EEXIST: `${folder} is not a directory`,
    EISDIR: 'it is a directory',
    EACCES: `permission denied in ${folder}`,
    EPERM: `permission denied in ${folder}`,
    EROFS: `${folder} is read-only`,
    ENOSPC: 'the disk is full',
  }
  return reasons[code ?? ''] ?? message
}
