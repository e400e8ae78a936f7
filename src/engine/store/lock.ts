import { hash } from 'node:crypto'
import { statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { nanoid } from 'nanoid'
import { clearInterval, performance, setInterval } from '../../basics/real-time.ts'
import { SimulatorError } from '../../contract/simulator-error.ts'
import { type FileCalls, fileCalls } from './file-calls.ts'

const HEARTBEAT_MS = 500
/** A lock without a heartbeat for this time is stale: its process was killed, or its host is down. */
const STALE_MS = 10_000
/** The same for a container with this host name, which is most likely this one before a restart. */
const STALE_IN_CONTAINER_MS = 1_500
const inUse = (what: string) => new SimulatorError('DATABASE_IN_USE', what)

/** The texts of locks that this process holds. They are never stale, even if the process was suspended. */
const held = new Set<string>()

export type Lock = ReturnType<typeof hold>
/** The process named in a lock. Empty if the lock is damaged or not yet written. */
type Holder = Partial<ReturnType<typeof thisProcess>>

export const thisProcess = () => ({
  host: hostname(),
  /** The boot and the pid namespace, if available: each container has its own pids, and a process 1. */
  space: `${fileCalls.read('/proc/sys/kernel/random/boot_id')}${statSync('/proc/self/ns/pid', { throwIfNoEntry: false })?.ino}`,
  pid: process.pid,
  started: new Date(performance.timeOrigin).toISOString(),
})

/** Takes the lock of a database. Throws if its holder is alive. `onWait` is called when detecting that takes long. */
export async function lock(file: string, calls: FileCalls, onWait?: (text: string) => void): Promise<Lock> {
  for (let [polls, seen] = [0, 0]; ; polls++, await sleep(HEARTBEAT_MS / 5)) {
    const found = tryLock(`${file}.lock`, calls)
    if ('release' in found) return found
    const { beat, host, pid, started } = found
    const who = host ? `process ${pid} on ${host}, since ${started}` : 'another process'
    if (polls > 0 && seen !== beat)
      throw inUse(`${file} is locked by ${who}. Stop that process, or set --db to another file.`)
    if (polls === 8) onWait?.(`${file} is locked by ${who}. Checking whether it is still running …`)
    seen = beat
  }
}

/** The lock, or its holder and the time of its last heartbeat. */
export function tryLock(file: string, calls: FileCalls): Lock | (Holder & { beat: number }) {
  // The id distinguishes this lock from the next one of the same process.
  const own = JSON.stringify({ ...thisProcess(), id: nanoid(10) })
  if (calls.create(file, own)) return hold(file, own)
  const text = calls.read(file)?.toString()
  const holder = { ...parse(text), beat: calls.modified(file) ?? performance.now() }
  if (text === undefined) return holder
  if (held.has(text)) return { ...holder, beat: performance.now() }
  // Only one process may remove a stale lock, and only this lock: another process may have taken a new one in its
  // place. So removal needs its own lock, named after the stale one. It also provides the file system's time. If it
  // disappears, the holder has removed it as a leftover, so the holder is running.
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

/** The heartbeat age at which a lock is stale: none if its process has ended or is a zombie. */
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

/** Rewrites the lock with every heartbeat to show that its process is running. */
function hold(file: string, text: string) {
  let [lost, lastBeat] = [false, performance.now()]
  const beat = () => {
    try {
      lost ||= fileCalls.read(file)?.toString() !== text
      if (!lost) writeFileSync(file, text, { flag: 'r+' })
      lastBeat = performance.now()
    } catch {} // Retried with the next heartbeat, and by `check` before anything is written.
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
    /** Throws if another process has taken the lock. That can happen after this one was suspended for a few seconds. */
    check() {
      if (performance.now() - lastBeat > STALE_IN_CONTAINER_MS / 2) beat()
      if (lost) throw inUse(`another process has taken ${file}, so nothing more is written`)
    },
  }
  return lock
}
