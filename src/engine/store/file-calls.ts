import * as fs from 'node:fs'
import { readBytesOf } from '../files/read-file.ts'
import { renameOver } from '../files/replace-file.ts'

/** More than the store writes, less than Node can read in one call. */
const MAX_READ_MB = 2_000

/** All file system calls of the store. Tests make each of them fail. */
export const fileCalls = {
  open: (file: string, flags: string | number, mode?: number) => fs.openSync(file, flags, mode),
  /** False if the name is already in use. */
  create: (file: string, text: string) => {
    try {
      fs.writeFileSync(file, text, { flag: 'wx', mode: 0o600 })
      return true
    } catch (error) {
      const { code, syscall } = error as NodeJS.ErrnoException
      if (code === 'EEXIST') return false
      if (syscall === 'write') fs.rmSync(file)
      throw error
    }
  },
  write: (fd: number, bytes: Uint8Array) => fs.writeSync(fd, bytes),
  /** Windows cannot truncate through a descriptor that appends. Elsewhere, the name could belong to another file. */
  truncate: (fd: number, file: string, length: number) =>
    process.platform === 'win32' ? fs.truncateSync(file, length) : fs.ftruncateSync(fd, length),
  close: (fd: number) => fs.closeSync(fd),
  /** Does not follow links. */
  find: (file: string) => fs.lstatSync(file, { throwIfNoEntry: false }),
  syncNow: (fd: number) => fs.fdatasyncSync(fd),
  rename: (from: string, to: string) => renameOver(from, to),
  remove: (file: string) => fs.rmSync(file, { force: true }),
  makeFolder: (folder: string) => fs.mkdirSync(folder, { mode: 0o700 }),
  /** The modification time, in milliseconds. */
  modified: (file: string) => fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs,
  isFolder: (folder: string) => fs.lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === true,
  list: (folder: string) => fs.readdirSync(folder),
  read: (file: string): Buffer | undefined => {
    try {
      return readBytesOf(file, MAX_READ_MB)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
  },
}

export type FileCalls = typeof fileCalls

/** Writes all bytes, because a single call may write fewer. */
export function writeAll(calls: FileCalls, fd: number, bytes: Uint8Array) {
  for (let at = 0; at < bytes.length; ) {
    const written = calls.write(fd, at === 0 ? bytes : bytes.subarray(at))
    if (written <= 0) throw new Error('the disk accepts no more bytes')
    at += written
  }
}

/** A rename survives power loss only after its directory is flushed. Windows cannot open directories, and need not. */
export function syncFolder(calls: FileCalls, folder: string) {
  if (process.platform === 'win32') return
  const fd = calls.open(folder, 'r')
  try {
    calls.syncNow(fd)
  } finally {
    calls.close(fd)
  }
}
