import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { performance } from '../basics/real-time.ts'

/** The process that holds a lock. */
export interface Holder {
  host: string
  pid: number
  started: string
  /** The id of the system's boot. */
  boot?: string
  /** The namespace of the pid: each container has its own. */
  space?: string
  /** When the process started, as the system tells it. */
  birth?: string
}

/** Undefined when the text is damaged, or not written yet. */
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
export const thisProcess = (): Holder => ({
  host: hostname(),
  pid: process.pid,
  started: STARTED,
  boot: BOOT,
  space: spaceHere(),
  birth: birthOf(process.pid),
})

/** Undefined when this process cannot know. A pid alone says little: it is reused, and each container has pid 1. */
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

/** Undefined where the system has no such id. */
function bootHere(): string | undefined {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
  } catch {
    return undefined
  }
}

/** When a process started: in clock ticks on Linux, else an empty text. Undefined when it has ended or is a zombie. */
function birthOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The fields follow the name, which is in parentheses and may hold any character.
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
