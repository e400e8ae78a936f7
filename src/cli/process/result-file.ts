import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { whyUnwritable } from '../../engine/files/file-error.ts'
import { checkReplaceable, replaceFile } from '../../engine/files/replace-file.ts'
import { UsageError } from './exit-code.ts'

/** Checks that a result file is writable, before a long run. */
export function checkResultFile(flag: string, file: string) {
  if (file === '') throw new UsageError(`${flag}: must not be empty. Set it to a file name.`)
  try {
    checkReplaceable(file)
  } catch (error) {
    throw new UsageError(
      `Cannot write ${flag} ${file}: ${whyUnwritable(error, file)}. Choose a file in a writable directory.`,
    )
  }
}

/** Returns false, and prints the reason, if the file is not writable. */
export function writeResult(file: string, text: string | Iterable<string>, mode?: number): boolean {
  try {
    // The command may have removed the result folder.
    mkdirSync(dirname(file), { recursive: true })
    replaceFile(file, text, mode)
    return true
  } catch (error) {
    console.error(`edgesim: Cannot write ${file}: ${whyUnwritable(error, file)}.`)
    return false
  }
}
