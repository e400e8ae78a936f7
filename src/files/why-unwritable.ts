import { dirname } from 'node:path'

/** Why a file cannot be written, in words; undefined when that is not for a user to know. */
export function whyUnwritable(code: string | undefined, file: string): string | undefined {
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
  return code === undefined ? undefined : reasons[code]
}
