import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { whyUnwritable } from '../../files/file-error.ts'
import { checkReplaceable, replaceFile } from '../../files/replace-file.ts'
import { UsageError } from './exit-code.ts'

/** Checks before a run that a file of its results can be written: after a long run it would be too late. */
export function checkResultFile(flag: string, file: string, what: string) {
  if (file === '') throw new UsageError(`${flag}: must not be empty. Name the file that ${what} written to.`)
  try {
    checkReplaceable(file)
  } catch (error) {
    throw new UsageError(
      `${flag} ${file}: ${whyUnwritable(error, file)}. Name a file in a folder that exists and can be written to.`,
    )
  }
}

/** Writes it, and prints why it cannot be written. */
export function writeResult(file: string, what: string, text: string | Iterable<string>, mode?: number): boolean {
  try {
    // The command may have removed the folder of its results.
    mkdirSync(dirname(file), { recursive: true })
    replaceFile(file, text, mode)
    return true
  } catch (error) {
    console.error(`edgesim: ${what} could not be written to ${file}: ${whyUnwritable(error, file)}`)
    return false
  }
}
