import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { performance } from '../basics/real-time.ts'

/** The process that holds a lock. */
export interface Holder {
  host: string
  pid: number
  started: string
  /** What the system calls the time since it was last booted. */
  boot?: string
  /** The processes that the pid is one of: those of one container. */
  space?: string
  /** When it started, as the system tells everybody who knows its pid. */
  birth?: string
}

/** Undefined when it is spoilt, or not written yet. */
export function parseHolder(text: string): Holder | undefined {
  try {
    const holder = JSON.parse(text)
    return typeof holder?.pid === 'number' ? holder : undefined
  } catch {
    return undefined
  }
}

const BOOT = bootHere()
const STARTED = new Date(performance.timeOrigin).toISOString()
export const me = (): Holder => ({
  host: hostname(),
  pid: process.pid,
  started: STARTED,
  boot: BOOT,
  space: spaceHere(),
  birth: birthOf(process.pid),
})

/** Undefined when that cannot be known from here. In a container everybody may be pid 1, and a pid is given out again. */
export function isRunning({ host, pid, started, boot, space, birth }: Holder): boolean | undefined {
  if (boot !== undefined && boot !== BOOT) return host === hostname() ? false : undefined
  if (space === undefined ? host !== hostname() : space !== spaceHere()) return undefined
  const now = birthOf(pid)
  if (now === undefined) return false
  if (now && birth) return now === birth
  return pid === process.pid ? started === STARTED : undefined
}

function spaceHere(): string | undefined {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return undefined
  }
}

/** Undefined where the system does not tell. */
function bootHere(): string | undefined {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
  } catch {
    return undefined
  }
}

/** On Linux in units of its own, elsewhere an empty text; undefined when it is gone, or a zombie that nobody reaped. */
export function birthOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name before them, in parentheses, may have anything in it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return /[ZX]/.test(fields[0]!) ? undefined : fields[19]
  } catch {}
  try {
    process.kill(pid, 0)
    return ''
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? '' : undefined
  }
}
