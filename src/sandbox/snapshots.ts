import { nearest } from '../basics/nearest.ts'
import { fail } from '../contract/errors.ts'
import { type Base, type Cause, lengthOfBase, Tables } from '../state/index.ts'
import type { ChangeLog, SnapshotFiles } from './change-log.ts'
import type { Clock } from './clock.ts'
import type { Life } from './life.ts'

export interface SnapshotInfo {
  name: string
  /** When it was taken, on the sandbox's clock; null for one from before the last start. */
  at: string | null
  seq: number | null
}

export const MOST = 100
export const MOST_BYTES = 256 * 1024 * 1024
/** Of each table that a snapshot has a copy of, without what is in it. */
const TABLE_BYTES = 2048

/** What snapshots of all sandboxes take together. A snapshot is a promise: none is dropped to make room. */
export class SnapshotRoom {
  constructor(
    readonly most = MOST_BYTES,
    readonly all: () => Iterable<Snapshots> = () => [],
  ) {}

  usedBeside(own: Snapshots): number {
    let bytes = 0
    for (const each of this.all()) if (each !== own) bytes += each.bytes
    return bytes
  }
}

/** The sandbox, as far as its snapshots know it. */
interface Owner {
  readonly tables: Tables
  readonly clock: Clock
  readonly seq: number
  readonly life: Life
  readonly log: ChangeLog | undefined
  readonly origin: { base: Base }
  /** Of all changes so far. */
  readonly changedBytes: number
  replace(cause: Cause, other: Tables, how: { life: Life; text?: readonly Uint8Array[] }): unknown
  prepare(other: Tables): Promise<readonly Uint8Array[] | undefined>
}

interface Snapshot extends SnapshotInfo {
  tables: Tables
  weight: Tables['weight']
  /** The sandbox's, when it was taken. */
  changedBytes: number
}

/** Named states of a sandbox. Taking one copies what the sandbox changed, not the fixture below it. */
export class Snapshots {
  #kept: Map<string, Snapshot> | undefined
  /** About what they take. */
  bytes = 0

  constructor(
    readonly sandbox: Owner,
    readonly room: SnapshotRoom,
  ) {}

  list(): SnapshotInfo[] {
    const infos = new Map<string, SnapshotInfo>()
    for (const name of this.#namesOnDisk()) infos.set(name, { name, at: null, seq: null })
    for (const { name, at, seq } of this.#kept?.values() ?? []) infos.set(name, { name, at, seq })
    return [...infos.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  async save(name: string): Promise<SnapshotInfo> {
    const { tables, clock, seq, changedBytes } = this.sandbox
    const snapshot = { name, at: clock.timestamp(), seq, tables: tables.copy(), weight: tables.weight, changedBytes }
    this.#checkRoom(snapshot)
    // On disk first: a snapshot that was answered for is there after a restart.
    await this.#onDisk(files => files.save(name, snapshot.tables))
    this.#kept ??= new Map()
    this.#kept.set(name, snapshot)
    this.bytes = this.#bytesOf(this.#kept.values())
    return { name, at: snapshot.at, seq }
  }

  async restore(name: string) {
    const kept = this.#kept?.get(name)
    if (!kept) this.#check(name)
    const { life } = this.sandbox
    const tables = kept?.tables ?? new Tables(await this.#load(name))
    const text = await this.sandbox.prepare(tables)
    this.sandbox.replace({ kind: 'restore', id: name }, tables, { life, text })
  }

  async remove(name: string) {
    this.#check(name)
    await this.#onDisk(files => files.remove(name))
    this.#kept?.delete(name)
    this.bytes = this.#bytesOf(this.#kept?.values() ?? [])
  }

  #checkRoom(snapshot: Snapshot) {
    const others = this.list().filter(({ name }) => name !== snapshot.name)
    const forgetSome = 'forget some with DELETE /_sim/snapshots/{name} first'
    if (others.length >= MOST)
      fail('conflict', { why: `There are ${MOST} snapshots, the most there can be; ${forgetSome}` })
    const { room } = this
    const kept = [...(this.#kept?.values() ?? [])].filter(({ name }) => name !== snapshot.name)
    if (room.usedBeside(this) + this.#bytesOf([...kept, snapshot]) <= room.most) return
    const why = `Snapshots of all sandboxes together would take more than ${room.most / 2 ** 20} MB, the most they can`
    fail('conflict', { why: `${why}; ${forgetSome}, or drop sandboxes that are no longer needed` })
  }

  /**
   * Each holds at most what was changed since the one before, and states that took the place of
   * the sandbox's own are held whole.
   */
  #bytesOf(snapshots: Iterable<Snapshot>): number {
    const all = [...snapshots].sort((a, b) => a.changedBytes - b.changedBytes)
    const bases = new Set<Base>()
    let bytes = 0
    let changed = 0
    for (const { tables, weight, changedBytes } of all) {
      bases.add(tables.base)
      bytes += TABLE_BYTES * weight.tables + Math.min(weight.length, changedBytes - changed)
      changed = changedBytes
    }
    bases.delete(this.sandbox.origin.base)
    for (const base of bases) bytes += lengthOfBase(base)
    return bytes
  }

  #namesOnDisk(): string[] {
    try {
      return this.#files?.names() ?? []
    } catch (error) {
      fail('cannot_read', { what: 'The folder of snapshots', why: (error as Error).message })
    }
  }

  async #load(name: string) {
    try {
      return await this.#files!.load(name, this.sandbox.clock.now())
    } catch (error) {
      fail('cannot_read', { what: `The snapshot "${name}"`, why: (error as Error).message })
    }
  }

  async #onDisk(act: (files: SnapshotFiles) => unknown) {
    try {
      if (this.#files) await act(this.#files)
    } catch (error) {
      fail('cannot_write', { why: (error as Error).message })
    }
  }

  get #files() {
    return this.sandbox.log?.snapshots
  }

  #check(name: string) {
    const names = this.list().map(info => info.name)
    if (names.includes(name)) return
    const exists = names.length ? `There are: ${names.join(', ')}.` : 'There are none yet.'
    fail('not_found', { what: `snapshot "${name}"`, nearest: nearest(name, names), exists })
  }
}
