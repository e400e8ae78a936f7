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
export function lock(file: string, calls: FileCalls): () => void {
  const path = `${file}.lock`
  const mine: Holder = {
    host: hostname(),
    pid: process.pid,
    started: new Date(Date.now() - process.uptime() * 1000).toISOString(),
  }
  const text = JSON.stringify(mine)
  for (let tries = 0; tries < 5; tries++) {
    try {
      const fd = calls.open(path, PRIVATE, 0o600)
      writeAll(calls, fd, Buffer.from(text))
      calls.close(fd)
      return () => {
        if (calls.read(path)?.toString() === text) calls.remove(path)
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    takeAway(path, file, calls)
  }
  throw new FileInUse(`${file} is being locked by other processes at this moment. Try again.`)
}

/** Removes a lock whose holder is gone; two processes that do so at once must not remove each other's new one. */
function takeAway(path: string, file: string, calls: FileCalls) {
  const text = calls.read(path)?.toString()
  if (text === undefined) return
  const holder = parse(text)
  if (holder && !isStale(holder))
    throw new FileInUse(
      `${file} is in use by process ${holder.pid} on ${holder.host}, since ${holder.started}. Stop that one, or give this one another --db FILE. If it is gone for good, delete ${path}.`,
    )
  const aside = `${path}.${nanoid(10)}`
  try {
    calls.rename(path, aside)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  if (calls.read(aside)?.toString() === text) calls.remove(aside)
  else calls.rename(aside, path)
}

function parse(text: string): Holder | undefined {
  try {
    const holder = JSON.parse(text)
    return typeof holder?.pid === 'number' ? holder : undefined
  } catch {
    // Killed while writing it: nobody holds it.
    return undefined
  }
}

/** In a container everybody is pid 1: a lock with our own pid was left by the one before us. */
function isStale({ host, pid }: Holder): boolean {
  if (host !== hostname()) return pid === 1 && process.pid === 1
  return pid === process.pid || !isAlive(pid)
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
