import { statSync } from 'node:fs'

const LONG_BYTES = 5_000_000

/** Who reads the file will say what is wrong with it. */
function sizeOf(file: string): number {
  try {
    return statSync(file).size
  } catch {
    return 0
  }
}

/** Who watches should know why nothing happens for a while. */
export function announceLong(files: unknown[], tell: (text: string) => void) {
  for (const file of files) {
    const size = typeof file === 'string' ? sizeOf(file) : 0
    if (size > LONG_BYTES) tell(`reading ${file} (${Math.round(size / 1e6)} MB) …`)
  }
}
