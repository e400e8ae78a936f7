import {
  accessSync,
  closeSync,
  constants,
  copyFileSync,
  linkSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { nanoid } from 'nanoid'

/** For files that may contain secrets or describe an account. */
const PRIVATE = 0o600
/** For files that others may read, subject to the umask. */
export const SHARED = 0o666

type Content = string | Uint8Array | Iterable<string>

/** Replaces a file atomically: after a crash, it has the old or the new content. Does not follow a link. */
export function replaceFile(file: string, content: Content, mode = PRIVATE) {
  if (isStream(file)) writeTo(openSync(file, 'w'), content)
  else viaTemp(file, content, mode, temp => renameOver(temp, file))
}

/** Fails where `replaceFile` would fail, and where the file is read-only. */
export function checkReplaceable(file: string) {
  if (isStream(file)) return
  const found = lstatSync(file, { throwIfNoEntry: false })
  if (found?.isDirectory()) throw Object.assign(new Error(`${file} is a directory`), { code: 'EISDIR' })
  if (found?.isFile()) accessSync(file, constants.W_OK)
  viaTemp(file, '', PRIVATE, () => {})
}

/** Creates a file atomically. Fails with EEXIST if the name is taken, even by a dangling link. */
export function createFile(file: string, content: Content, mode = PRIVATE) {
  viaTemp(file, content, mode, temp => {
    try {
      linkSync(temp, file)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error
      // Some file systems do not support links.
      copyFileSync(temp, file, constants.COPYFILE_EXCL)
    }
  })
}

/** Whether the name is taken, even by a dangling link. */
export function isTaken(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) !== undefined
  } catch {
    // Its parent is not a folder: writing reports that.
    return false
  }
}

/** Passes a new temporary file next to `file` to `use`, then removes it. A random name prevents link attacks. */
function viaTemp(file: string, content: Content, mode: number, use: (temp: string) => void) {
  const temp = `${file}.${nanoid(10)}.tmp`
  const fd = openSync(temp, 'wx', mode)
  try {
    writeTo(fd, content)
    use(temp)
  } finally {
    rmSync(temp, { force: true })
  }
}

function writeTo(fd: number, content: Content) {
  const isWhole = typeof content === 'string' || content instanceof Uint8Array
  try {
    for (const piece of isWhole ? [content] : content) writeFileSync(fd, piece)
  } finally {
    closeSync(fd)
  }
}

/** Whether it is a device or a pipe, such as /dev/stdout, which a rename would replace. */
function isStream(file: string): boolean {
  const found = lstatSync(file, { throwIfNoEntry: false })
  const isOther = found && !found.isFile() && !found.isDirectory() && !found.isSymbolicLink()
  return isOther || /^\/(dev\/(stdout$|stderr$|fd\/)|proc\/)/.test(file)
}

/** Number of attempts to rename on Windows, with growing pauses: 0.45 s in total. */
const TRIES = 10
const PAUSE_MS = 10

function wait(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

/**
 * Renames a file, and may replace another. On Windows this fails while a virus scanner or an indexer has one of them open,
 * for a few milliseconds after each write. Blocks, because callers continue in the same tick.
 */
export function renameOver(
  from: string,
  to: string,
  { platform = process.platform, rename = renameSync, pause = wait } = {},
) {
  for (let tries = 1; ; tries++) {
    try {
      return rename(from, to)
    } catch (error) {
      const isOpen = ['EPERM', 'EACCES', 'EBUSY'].includes((error as NodeJS.ErrnoException).code!)
      if (platform !== 'win32' || !isOpen || tries === TRIES) throw error
      pause(tries * PAUSE_MS)
    }
  }
}
