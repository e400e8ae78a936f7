import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { nanoid } from 'nanoid'
import { clearInterval, performance, setInterval } from '../basics/real-time.ts'
import { SimulatorError } from '../contract/simulator-error.ts'
import { CREATE_NEW, type FileCalls, fileCalls, writeAll } from './file-calls.ts'
import { type Holder, isRunning, parseHolder, thisProcess } from './holder.ts'

/** How often the holder of a lock rewrites it. */
const HEARTBEAT_MS = 500
/** A lock that was not rewritten for this time is stale: its process was killed, or its host is gone. */
const STALE_MS = 10_000
/** The same for a lock with our own host name: of this container before a restart, or of another one. */
const STALE_HERE_MS = 1_500

export interface Lock {
  release(): void
  /** Throws when another process has taken the lock, as it may after this one was stopped for some seconds. */
  check(): void
}

/**
 * Keeps a second process off the database file. The system tells whether the holder still runs; for one on another host
 * or in another container, its lock being rewritten does.
 */
export async function lock(file: string, calls: FileCalls, onWait?: (text: string) => void): Promise<Lock> {
  let seen: { who: string; beat: number } | undefined
  for (;;) {
    const attempt = take(`${file}.lock`, file, calls)
    if ('release' in attempt) return attempt
    const { holder, beat, running } = attempt
    const who = JSON.stringify(holder)
    if (running || (seen && seen.who === who && beat > seen.beat)) throw inUse(file, holder)
    if (!seen && holder)
      onWait?.(`${file} was locked by process ${holder.pid} on ${holder.host}: looking whether that still runs`)
    if (seen?.who !== who) seen = { who, beat }
    await sleep(HEARTBEAT_MS / 5)
  }
}

/** The lock of a file that no other process can know of. */
export function lockNow(file: string, calls: FileCalls): Lock {
  const attempt = take(`${file}.lock`, file, calls)
  if ('release' in attempt) return attempt
  throw inUse(file, attempt.holder)
}

function inUse(file: string, holder?: Holder) {
  const who = holder ? `process ${holder.pid} on ${holder.host}, since ${holder.started}` : 'another process'
  const what = `${file} is in use by ${who}. Stop that one, or give this one another --db FILE.`
  return new SimulatorError('DATABASE_IN_USE', what)
}

/** The lock, or the process that holds it and when that last rewrote it. */
function take(
  path: string,
  file: string,
  calls: FileCalls,
): Lock | { holder?: Holder; beat: number; running?: boolean } {
  // The id tells this lock from the next one of the same process.
  const text = JSON.stringify({ ...thisProcess(), id: nanoid(10) })
  for (let tries = 0; tries < 100; tries++) {
    if (create(path, text, calls)) return hold(path, text, file)
    const [found, beat] = [calls.read(path)?.toString(), calls.modified(path)]
    if (found === undefined || beat === undefined) continue
    const holder = parseHolder(found)
    const running = holder && isRunning(holder)
    const staleMs = holder && holder.host !== hostname() ? STALE_MS : STALE_HERE_MS
    if (running ?? timeAt(path, calls) - beat < staleMs) return { holder, beat, running }
    if (!removeStale(path, found, file, calls)) return { holder, beat }
  }
  throw inUse(file)
}

/** Rewrites the lock regularly, with the real calls of the file system: tests make only those of the database fail. */
function hold(path: string, text: string, file: string): Lock {
  let [lost, at] = [false, performance.now()]
  const beat = () => {
    try {
      lost ||= fileCalls.read(path)?.toString() !== text
      if (!lost) writeFileSync(path, text, { flag: 'r+' })
      at = performance.now()
    } catch {
      // The next beat tries again, and so does `check` before anything is written.
    }
  }
  const timer = setInterval(beat, HEARTBEAT_MS).unref()
  return {
    release() {
      clearInterval(timer)
      if (fileCalls.read(path)?.toString() === text) fileCalls.remove(path)
    },
    check() {
      if (performance.now() - at > STALE_HERE_MS / 2) beat()
      if (!lost) return
      const what = `${file} was taken over by another process, so nothing more is written to it`
      throw new SimulatorError('DATABASE_IN_USE', what)
    },
  }
}

/**
 * Of the processes that find a stale lock only one may remove it, and only that lock: another process may just have
 * taken a new one in its place. So removing needs a lock of its own, named after the stale one.
 */
function removeStale(path: string, found: string, file: string, calls: FileCalls): boolean {
  const digest = createHash('sha256').update(found).digest('base64url').slice(0, 10)
  const lock = take(`${path}.${digest}`, file, calls)
  if (!('release' in lock)) return false
  try {
    if (calls.read(path)?.toString() === found) calls.remove(path)
  } finally {
    lock.release()
  }
  return true
}

/** False when the lock exists. Another process may see it while it is empty; it is not stale then. */
function create(path: string, text: string, calls: FileCalls): boolean {
  let fd: number
  try {
    fd = calls.open(path, CREATE_NEW, 0o600)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
  try {
    try {
      writeAll(calls, fd, Buffer.from(text))
    } finally {
      calls.close(fd)
    }
  } catch (error) {
    fileCalls.remove(path)
    throw error
  }
  return true
}

/** The time by the clock of the file system, which may be another machine's. */
function timeAt(path: string, calls: FileCalls): number {
  const probe = `${path}.${nanoid(10)}.tmp`
  create(probe, '', calls)
  try {
    return calls.modified(probe) ?? 0
  } finally {
    calls.remove(probe)
  }
}
