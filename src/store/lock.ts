import { createHash } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { nanoid } from 'nanoid'
import { SimulatorError } from '../simulator-error.ts'
import { clearInterval, performance, setInterval } from '../words/real-time.ts'
import { type FileCalls, fileCalls, PRIVATE, writeAll } from './file-calls.ts'

/** Who holds a lock rewrites it this often. */
const BEAT_MS = 1_000
/** A lock that was not rewritten for so long is nobody's: its process was killed, or runs on a host that is gone. */
const STALE_MS = 10_000

interface Holder {
  host: string
  pid: number
  started: string
}

export interface Lock {
  release(): void
  /** Throws when another process has taken the file over, as it may after we stood still for ten seconds. */
  check(): void
}

/** The lock, or who has it instead. */
type Attempt = { lock: Lock } | ({ lock?: undefined } & Held)

interface Held {
  holder: Holder
  /** When the holder last rewrote it, on the clock of the file system. */
  beat: number
  /** The holder is surely running. */
  sure: boolean
}

/**
 * Keeps a second process off the database file. Whether a holder of another host, or one whose pid may be somebody
 * else's by now, still runs is seen by its lock being rewritten: that takes ten seconds at most.
 */
export async function lock(file: string, calls: FileCalls, onWait?: (text: string) => void): Promise<Lock> {
  let seen: { who: string; beat: number } | undefined
  for (;;) {
    const attempt = take(`${file}.lock`, file, calls)
    if (attempt.lock) return attempt.lock
    const { holder, beat, sure } = attempt
    const who = JSON.stringify(holder)
    if (sure || (seen?.who === who && beat > seen.beat))
      throw new SimulatorError('DATABASE_IN_USE', describe(holder, file))
    if (!seen)
      onWait?.(`${file} was locked by process ${holder.pid} on ${holder.host}: looking whether that still runs`)
    if (seen?.who !== who) seen = { who, beat }
    await sleep(BEAT_MS / 5)
  }
}

/** The lock of a file that nobody else can know of. */
export function lockNow(file: string, calls: FileCalls): Lock {
  const attempt = take(`${file}.lock`, file, calls)
  if (attempt.lock) return attempt.lock
  throw new SimulatorError('DATABASE_IN_USE', describe(attempt.holder, file))
}

const me = (): Holder => ({
  host: hostname(),
  pid: process.pid,
  started: new Date(performance.timeOrigin).toISOString(),
})

function take(path: string, file: string, calls: FileCalls): Attempt {
  // No two locks are alike, so that one can be told from the next of the same process.
  const text = JSON.stringify({ ...me(), id: nanoid(10) })
  for (let tries = 0; tries < 100; tries++) {
    const now = create(path, text, calls)
    if (now === undefined) return { lock: hold(path, text, file) }
    const [found, beat] = [calls.read(path)?.toString(), calls.modified(path)]
    if (found === undefined || beat === undefined) continue
    const holder = parseHolder(found)
    if (holder && !isDead(holder) && now - beat < STALE_MS)
      return { holder, beat, sure: isRunning(holder) && now - beat < 2 * BEAT_MS }
    if (!removeStale(path, found, file, calls)) return { holder: holder ?? me(), beat, sure: false }
  }
  throw new SimulatorError('DATABASE_IN_USE', `${file} is being locked by other processes at this moment. Try again.`)
}

/** Rewrites the lock every second, with calls of its own: whether the database can be written to is another matter. */
function hold(path: string, text: string, file: string): Lock {
  let [lost, at] = [false, performance.now()]
  const beat = () => {
    try {
      lost ||= fileCalls.read(path)?.toString() !== text
      if (!lost) rewrite(path, text)
      at = performance.now()
    } catch {
      // The next time; after ten seconds it is looked at before anything is written.
    }
  }
  const timer = setInterval(beat, BEAT_MS).unref()
  return {
    release() {
      clearInterval(timer)
      if (fileCalls.read(path)?.toString() === text) fileCalls.remove(path)
    },
    check() {
      if (performance.now() - at > STALE_MS / 2) beat()
      if (lost)
        throw new SimulatorError(
          'DATABASE_IN_USE',
          `${file} was taken over by another process, so nothing more is written to it`,
        )
    },
  }
}

function rewrite(path: string, text: string) {
  const fd = fileCalls.open(path, 'r+')
  try {
    writeAll(fileCalls, fd, Buffer.from(text))
  } finally {
    fileCalls.close(fd)
  }
}

/**
 * Of those who find a stale lock only one may remove it, and only while it is that one: it could be the lock which
 * another has just taken instead. So removing takes a lock of its own, named after what is to be removed.
 */
function removeStale(path: string, found: string, file: string, calls: FileCalls): boolean {
  const digest = createHash('sha256').update(found).digest('base64url').slice(0, 10)
  const { lock } = take(`${path}.${digest}`, file, calls)
  if (!lock) return false
  try {
    if (calls.read(path)?.toString() === found) calls.remove(path)
  } finally {
    lock.release()
  }
  return true
}

/** The lock appears with its content or not at all. When there is one already: the time, as the file system has it. */
function create(path: string, text: string, calls: FileCalls): number | undefined {
  const temp = `${path}.${nanoid(10)}.tmp`
  write(temp, text, calls)
  const now = calls.modified(temp) ?? 0
  try {
    calls.link(temp, path)
    return undefined
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // ENOENT: whoever has the lock has swept our file away.
    if (code === 'EEXIST' || code === 'ENOENT') return now
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(code!)) throw error
    return createWithoutLinks(path, text, calls) ? undefined : now
  } finally {
    discard(temp, calls)
  }
}

/** What stays behind is swept by whoever gets the lock. */
function discard(temp: string, calls: FileCalls) {
  try {
    calls.remove(temp)
  } catch {}
}

/** Some file systems have no hard links; there another process may see a lock that is still empty. */
function createWithoutLinks(path: string, text: string, calls: FileCalls): boolean {
  try {
    write(path, text, calls)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function write(path: string, text: string, calls: FileCalls) {
  const fd = calls.open(path, PRIVATE, 0o600)
  try {
    writeAll(calls, fd, Buffer.from(text))
  } catch (error) {
    discard(path, calls)
    throw error
  } finally {
    calls.close(fd)
  }
}

export function parseHolder(text: string): Holder | undefined {
  try {
    const holder = JSON.parse(text)
    return typeof holder?.pid === 'number' ? holder : undefined
  } catch {
    // Not of ours, or spoilt with the disk: nobody holds it.
    return undefined
  }
}

/** Surely gone: it ran here, and no process has its pid any more. */
export const isDead = ({ host, pid }: Holder) => host === hostname() && !isAlive(pid)

/** It runs here under its pid, unless that is somebody else's by now. In a container everybody may be pid 1. */
function isRunning({ host, pid, started }: Holder): boolean {
  const { host: here, started: ours } = me()
  return host === here && (pid === process.pid ? started === ours : isAlive(pid))
}

function describe({ pid, host, started }: Holder, file: string): string {
  return `${file} is in use by process ${pid} on ${host}, since ${started}. Stop that one, or give this one another --db FILE.`
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
