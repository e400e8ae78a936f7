import * as fs from 'node:fs'

/** The calls the store makes of the file system: gathered so that a test can make each of them fail. */
export const fileCalls = {
  open: (file: string, flags: string | number, mode?: number) => fs.openSync(file, flags, mode),
  write: (fd: number, bytes: Uint8Array) => fs.writeSync(fd, bytes),
  truncate: (fd: number, length: number) => fs.ftruncateSync(fd, length),
  close: (fd: number) => fs.closeSync(fd),
  size: (fd: number) => fs.fstatSync(fd).size,
  sync: (fd: number) =>
    new Promise<void>((done, failed) => fs.fdatasync(fd, error => (error ? failed(error) : done()))),
  rename: (from: string, to: string) => fs.renameSync(from, to),
  remove: (file: string) => fs.rmSync(file, { force: true }),
  read: (file: string): Buffer | undefined => {
    try {
      return fs.readFileSync(file)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
  },
}

export type FileCalls = typeof fileCalls

/** Writes all of it: a single call may take less than it was given. */
export function writeAll(calls: FileCalls, fd: number, bytes: Uint8Array) {
  for (let at = 0; at < bytes.length; ) at += calls.write(fd, at === 0 ? bytes : bytes.subarray(at))
}

/** Owner only, never through a link, never over something that is there. */
export const PRIVATE =
  fs.constants.O_CREAT | fs.constants.O_EXCL | fs.constants.O_WRONLY | (fs.constants.O_NOFOLLOW ?? 0)
