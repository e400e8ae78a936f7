import { nearest } from '../../basics/nearest.ts'
import type { JournalEntry } from '../../contract/journal-entry.ts'
import { fail } from '../error.ts'
import { errors } from '../errors.ts'
import { type Base, type Cause, lengthOfBase, Tables } from '../state/index.ts'
import type { ChangeLog, SnapshotFiles } from './change-log.ts'
import type { Parts } from './origin.ts'

export interface SnapshotInfo {
  name: string
  /** The time on the sandbox clock; null if it was taken before the last restart. */
  at: string | null
  seq: number | null
  /** The last request whose change it contains, if the journal contained the request when it was taken. */
  request: Pick<JournalEntry, 'id' | 'method' | 'path'> | null
}

/** Per sandbox. */
export const MAX_SNAPSHOTS = 100
/** The estimated size of a table copy, without its content. */
const TABLE_BYTES = 2048

/** Changes by requests, and changes that replace the state, so it no longer contains earlier ones. */
const DECISIVE: readonly Cause['kind'][] = ['request', 'state', 'restore', 'rewind']

/** The parts of the sandbox that snapshots use. */
interface Owner extends Pick<Parts, 'origin' | 'clock' | 'lifetime' | 'history' | 'journal'> {
  readonly tables: Tables
  readonly seq: number
  readonly changedBytes: number
  readonly log: ChangeLog | undefined
  replace(cause: Cause, other: Tables, options: Pick<Parts, 'lifetime'>): unknown
}

interface Snapshot extends SnapshotInfo {
  tables: Tables
  weight: Tables['weight']
  /** The value of the sandbox when the snapshot was taken. */
  changedBytes: number
}

/** Named states of a sandbox. A snapshot copies the sandbox's changes, not its fixture. */
export class Snapshots {
  #inMemory: Map<string, Snapshot> | undefined
  /** The approximate size in memory. */
  bytes = 0

  constructor(
    readonly sandbox: Owner,
    readonly budget: SnapshotBudget,
  ) {}

  list(): SnapshotInfo[] {
    const infos = new Map<string, SnapshotInfo>()
    for (const name of this.#namesOnDisk()) infos.set(name, { name, at: null, seq: null, request: null })
    for (const { name, at, seq, request } of this.#inMemory?.values() ?? []) infos.set(name, { name, at, seq, request })
    return [...infos.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  async save(name: string): Promise<SnapshotInfo> {
    const { tables, clock, seq, changedBytes } = this.sandbox
    const info = { name, at: clock.timestamp(), seq, request: this.#lastRequest() }
    const snapshot = { ...info, tables, weight: tables.weight, changedBytes }
    this.#checkBounds(snapshot)
    // On disk first, so a snapshot with a sent response survives a restart.
    await this.#onDisk(files => files.save(name, snapshot.tables))
    this.#inMemory ??= new Map()
    this.#inMemory.set(name, snapshot)
    this.bytes = this.#bytesOf(this.#inMemory.values())
    return info
  }

  async get(name: string): Promise<Tables> {
    const inMemory = this.#inMemory?.get(name)
    if (!inMemory) this.#checkExists(name)
    return inMemory?.tables ?? new Tables(await this.#load(name))
  }

  async restore(name: string) {
    const { lifetime } = this.sandbox
    const tables = await this.get(name)
    this.sandbox.replace({ kind: 'restore', id: name }, tables, { lifetime })
  }

  async remove(name: string) {
    this.#checkExists(name)
    await this.#onDisk(files => files.remove(name))
    this.#inMemory?.delete(name)
    this.bytes = this.#bytesOf(this.#inMemory?.values() ?? [])
  }

  #lastRequest(): SnapshotInfo['request'] {
    const { history, journal } = this.sandbox
    const cause = history.changes.findLast(({ cause }) => DECISIVE.includes(cause.kind))?.cause
    const entry = cause?.kind === 'request' ? journal.get(cause.id!) : undefined
    return entry ? { id: entry.id, method: entry.method, path: entry.path } : null
  }

  #checkBounds(snapshot: Snapshot) {
    const others = this.list().filter(({ name }) => name !== snapshot.name)
    const deleteSome = 'Delete some with DELETE /_sim/snapshots/{name}'
    if (others.length >= MAX_SNAPSHOTS)
      fail(errors.conflict, { why: `The limit of ${MAX_SNAPSHOTS} snapshots is reached. ${deleteSome}` })
    const { budget } = this
    const inMemory = [...(this.#inMemory?.values() ?? [])].filter(({ name }) => name !== snapshot.name)
    let bytes = this.#bytesOf([...inMemory, snapshot])
    for (const each of budget.all()) if (each !== this) bytes += each.bytes
    if (bytes <= budget.maxBytes) return
    const why = `Snapshots of all sandboxes would exceed the limit of ${budget.maxBytes / 2 ** 20} MB`
    fail(errors.conflict, { why: `${why}. ${deleteSome}, or drop unused sandboxes` })
  }

  /** A snapshot shares unchanged data with the previous one. A state that replaced another counts completely. */
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
      fail(errors.cannot_read, { what: 'The snapshot directory', why: (error as Error).message })
    }
  }

  async #load(name: string) {
    try {
      return await this.#files!.load(name, this.sandbox.clock.now())
    } catch (error) {
      fail(errors.cannot_read, { what: `The snapshot "${name}"`, why: (error as Error).message })
    }
  }

  async #onDisk(act: (files: SnapshotFiles) => unknown) {
    try {
      if (this.#files) await act(this.#files)
    } catch (error) {
      fail(errors.cannot_write, { why: (error as Error).message })
    }
  }

  get #files() {
    return this.sandbox.log?.snapshots
  }

  #checkExists(name: string) {
    const names = this.list().map(info => info.name)
    if (names.includes(name)) return
    const exists = names.length ? `Known: ${names.join(', ')}.` : 'No snapshots yet.'
    fail(errors.not_found, { what: `snapshot "${name}"`, nearest: nearest(name, names), exists })
  }
}

export const MAX_SNAPSHOT_BYTES_OF_ALL_SANDBOXES = 256 * 1024 * 1024

/** Limits the snapshots of all sandboxes. A new snapshot that exceeds the limit is rejected. */
export interface SnapshotBudget {
  maxBytes: number
  /** The snapshots of all sandboxes. */
  all(): Iterable<Snapshots>
}
