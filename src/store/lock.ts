import { hash } from 'node:crypto'
import { statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { nanoid } from 'nanoid'
import { clearInterval, performance, setInterval } from '../basics/real-time.ts'
import { SimulatorError } from '../contract/simulator-error.ts'
import { type FileCalls, fileCalls } from './file-calls.ts'

const HEARTBEAT_MS = 500
/** A lock that was not rewritten for this time is stale: its process was killed, or its host is gone. */
const STALE_MS = 10_000
/** The same for a container with our host name: most likely this one, before a restart. */
const STALE_IN_CONTAINER_MS = 1_500
const inUse = (what: string) => new SimulatorError('DATABASE_IN_USE', what)

/** What the locks say that this process holds. They are never stale, however long the process stood still. */
const held = new Set<string>()

export type Lock = ReturnType<typeof hold>
/** What a lock says of the process that holds it; nothing if it is damaged, or not written yet. */
type Holder = Partial<ReturnType<typeof thisProcess>>

export const thisProcess = () => ({
  host: hostname(),
  /** The boot, and the namespace of the pid, where there are any: each container has pids of its own, and a process 1. */
  space: `${fileCalls.read('/proc/sys/kernel/random/boot_id')}${statSync('/proc/self/ns/pid', { throwIfNoEntry: false })?.ino}`,
  pid: process.pid,
  started: new Date(performance.timeOrigin).toISOString(),
})

/** Takes the lock of a database; throws if its holder rewrites it. `onWait` is called when that takes long to tell. */
export async function lock(file: string, calls: FileCalls, onWait?: (text: string) => void): Promise<Lock> {
  for (let [polls, seen] = [0, 0]; ; polls++, await sleep(HEARTBEAT_MS / 5)) {
    const found = tryLock(`${file}.lock`, calls)
    if ('release' in found) return found
    const { beat, host, pid, started } = found
    const who = host ? `process ${pid} on ${host}, since ${started}` : 'another process'
    if (polls > 0 && seen !== beat)
      throw inUse(`${file} is in use by ${who}. Stop that one, or give this one another --db FILE.`)
    if (polls === 8) onWait?.(`${file} is locked by ${who}: looking whether that still runs`)
    seen = beat
  }
}

/** The lock, or who holds it and when that last rewrote it. */
export function tryLock(file: string, calls: FileCalls): Lock | (Holder & { beat: number }) {
  // The id tells this lock from the next one of the same process.
  const own = JSON.stringify({ ...thisProcess(), id: nanoid(10) })
  if (calls.create(file, own)) return hold(file, own)
  const text = calls.read(file)?.toString()
  const holder = { ...parse(text), beat: calls.modified(file) ?? performance.now() }
  if (text === undefined) return holder
  if (held.has(text)) return { ...holder, beat: performance.now() }
  // Only one process may remove a stale lock, and only that one: another process may just have taken a new one in its
  // place. So removing needs a lock of its own, named after the stale one. It tells the time of the file system, too; if
  // it is gone, the holder has removed it as a leftover, and so it runs.
  const removal = `${file}.${hash('sha256', text, 'base64url').slice(0, 10)}`
  const remover = tryLock(removal, calls)
  if (!('release' in remover)) return holder
  try {
    const now = calls.modified(removal)
    if (now === undefined || now - holder.beat < staleAfter(holder)) return holder
    if (calls.read(file)?.toString() === text) calls.remove(file)
  } finally {
    remover.release()
  }
  return tryLock(file, calls)
}

function parse(text = ''): Holder {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    return {}
  }
}

/** For how long a lock must not have been rewritten to be stale: no time if its process has ended, or is a zombie. */
function staleAfter({ host, space, pid }: Holder): number {
  const here = thisProcess()
  if (host !== here.host) return STALE_MS
  if (space !== here.space || pid === here.pid) return STALE_IN_CONTAINER_MS
  try {
    process.kill(pid!, 0)
    return /\) Z /.test(`${fileCalls.read(`/proc/${pid}/stat`)}`) ? Number.NEGATIVE_INFINITY : STALE_MS
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH' ? Number.NEGATIVE_INFINITY : STALE_MS
  }
}

/** Rewrites the lock with every heartbeat, so that others know that its process runs. */
function hold(file: string, text: string) {
  let [lost, lastBeat] = [false, performance.now()]
  const beat = () => {
    try {
      lost ||= fileCalls.read(file)?.toString() !== text
      if (!lost) writeFileSync(file, text, { flag: 'r+' })
      lastBeat = performance.now()
    } catch {} // The next beat tries again, and so does `check` before anything is written.
  }
  const timer = setInterval(() => {
    beat()
    if (!lost) lock.onBeat()
  }, HEARTBEAT_MS).unref()
  held.add(text)
  const lock = {
    onBeat() {},
    release() {
      clearInterval(timer)
      held.delete(text)
      if (fileCalls.read(file)?.toString() === text) fileCalls.remove(file)
    },
    /** Throws when another process has taken the lock, as it may after this one was stopped for some seconds. */
    check() {
      if (performance.now() - lastBeat > STALE_IN_CONTAINER_MS / 2) beat()
      if (lost) throw inUse(`${file} was taken over by another process, so nothing more is written`)
    },
  }
  return lock
}
