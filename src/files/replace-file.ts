import { renameSync, rmSync, writeFileSync } from 'node:fs'

/** What it holds may be private: a fixture tells much of an account, also without secrets. */
export const PRIVATE = 0o600

/** Writes a file in one step, so that a crash leaves the old one or the new one. A link in its place is not followed. */
export function replaceFile(file: string, text: string) {
  const temp = `${file}.tmp`
  rmSync(temp, { force: true })
  writeFileSync(temp, text, { flag: 'wx', mode: PRIVATE })
  renameOver(temp, file)
}

/** How often a rename is tried on Windows, each time after a longer pause: 0.45 s together. */
const TRIES = 10
const PAUSE_MS = 10

function wait(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

/**
 * Renames a file, also over another. Windows refuses that while a virus scanner or an indexer has one of them open, which
 * takes some milliseconds after each write. Blocks, because callers do more in the same tick.
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
