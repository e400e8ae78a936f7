import { createHash } from 'node:crypto'
import { hostname } from 'node:os'
import { nanoid } from 'nanoid'
import { type FileCalls, PRIVATE, writeAll } from './file-calls.ts'

interface Holder {
  host: string
  pid: number
  started: string
}

export class FileInUse extends Error {
  override name = 'FileInUse'
}

/** Keeps a second process off the database file. Returns what lets go of it. */
export const lock = (file: string, calls: FileCalls): (() => void) => take(`${file}.lock`, file, calls)

const me = (): Holder => ({
  host: hostname(),
  pid: process.pid,
  started: new Date(performance.timeOrigin).toISOString(),
})

function take(path: string, file: string, calls: FileCalls): () => void {
  // No two locks are alike, so that one can be told from the next of the same process.
  const text = JSON.stringify({ ...me(), id: nanoid(10) })
  for (let tries = 0; tries < 100; tries++) {
    if (create(path, text, calls))
      return () => {
        if (calls.read(path)?.toString() === text) calls.remove(path)
      }
    const found = calls.read(path)?.toString()
    if (found === undefined) continue
    const holder = parseHolder(found)
    if (holder && !isStale(holder)) throw new FileInUse(explain(holder, file))
    removeStale(path, found, file, calls)
  }
  throw new FileInUse(`${file} is being locked by other processes at this moment. Try again.`)
}

/**
 * Of those who find a stale lock only one may remove it, and only while it is that one: it could be the lock which
 * another has just taken instead. So removing takes a lock of its own, named after what is to be removed.
 */
function removeStale(path: string, found: string, file: string, calls: FileCalls) {
  const digest = createHash('sha256').update(found).digest('base64url').slice(0, 10)
  const release = take(`${path}.${digest}`, file, calls)
  try {
    if (calls.read(path)?.toString() === found) calls.remove(path)
  } finally {
    release()
  }
}

/** The lock appears with its content or not at all; false when there is one already. */
function create(path: string, text: string, calls: FileCalls): boolean {
  const temp = `${path}.${nanoid(10)}.tmp`
  write(temp, text, calls)
  try {
    calls.link(temp, path)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // ENOENT: whoever has the lock has swept our file away.
    if (code === 'EEXIST' || code === 'ENOENT') return false
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(code!)) throw error
    return createWithoutLinks(path, text, calls)
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

/** In a container everybody is pid 1: a lock with our own pid was left by the one before us, unless it is ours. */
export function isStale({ host, pid, started }: Holder): boolean {
  const { host: here, started: ours } = me()
  if (pid === process.pid) return host !== here || started !== ours
  return host === here && !isAlive(pid)
}

function explain({ pid, host, started }: Holder, file: string): string {
  return `${file} is in use by process ${pid} on ${host}, since ${started}. Stop that one, or give this one another --db FILE. If it is gone for good, delete ${file}.lock.`
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
