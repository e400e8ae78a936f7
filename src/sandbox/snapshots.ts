import { nearest } from '../basics/nearest.ts'
import { fail } from '../contract/errors.ts'
import { type Base, type Cause, lengthOfBase, Tables } from '../state/index.ts'
import type { Changeable, SnapshotFiles } from './changes.ts'
import type { Lifetime } from './lifetime.ts'

export interface SnapshotInfo {
  name: string
  /** When it was taken, on the sandbox's clock; null for one that was taken before the last start. */
  at: string | null
  seq: number | null
}

/** Of one sandbox. */
export const MAX_SNAPSHOTS = 100
/** What a copy of a table takes, without what is in it. */
const TABLE_BYTES = 2048

/** The sandbox, as far as its snapshots know it. */
interface Owner extends Pick<Changeable, 'tables' | 'clock' | 'seq' | 'lifetime' | 'log' | 'changedBytes'> {
  readonly origin: { base: Base }
  replace(cause: Cause, other: Tables, options: { lifetime: Lifetime; text?: readonly Uint8Array[] }): unknown
  logTextOf(other: Tables): Promise<readonly Uint8Array[] | undefined>
}

interface Snapshot extends SnapshotInfo {
  tables: Tables
  weight: Tables['weight']
  /** That of the sandbox when the snapshot was taken. */
  changedBytes: number
}

/** Named states of a sandbox. Taking one copies what the sandbox changed, not the fixture below it. */
export class Snapshots {
  #inMemory: Map<string, Snapshot> | undefined
  /** About what they take in memory. */
  bytes = 0

  constructor(
    readonly sandbox: Owner,
    readonly budget: SnapshotBudget,
  ) {}

  list(): SnapshotInfo[] {
    const infos = new Map<string, SnapshotInfo>()
    for (const name of this.#namesOnDisk()) infos.set(name, { name, at: null, seq: null })
    for (const { name, at, seq } of this.#inMemory?.values() ?? []) infos.set(name, { name, at, seq })
    return [...infos.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  async save(name: string): Promise<SnapshotInfo> {
    const { tables, clock, seq, changedBytes } = this.sandbox
    const snapshot = { name, at: clock.timestamp(), seq, tables, weight: tables.weight, changedBytes }
    this.#checkBounds(snapshot)
    // On disk first: a snapshot whose answer was sent is there after a restart.
    await this.#onDisk(files => files.save(name, snapshot.tables))
    this.#inMemory ??= new Map()
    this.#inMemory.set(name, snapshot)
    this.bytes = this.#bytesOf(this.#inMemory.values())
    return { name, at: snapshot.at, seq }
  }

  /** The state that was saved. */
  async get(name: string): Promise<Tables> {
    const inMemory = this.#inMemory?.get(name)
    if (!inMemory) this.#checkExists(name)
    return inMemory?.tables ?? new Tables(await this.#load(name))
  }

  async restore(name: string) {
    const { lifetime } = this.sandbox
    const tables = await this.get(name)
    const text = await this.sandbox.logTextOf(tables)
    this.sandbox.replace({ kind: 'restore', id: name }, tables, { lifetime, text })
  }

  async remove(name: string) {
    this.#checkExists(name)
    await this.#onDisk(files => files.remove(name))
    this.#inMemory?.delete(name)
    this.bytes = this.#bytesOf(this.#inMemory?.values() ?? [])
  }

  #checkBounds(snapshot: Snapshot) {
    const others = this.list().filter(({ name }) => name !== snapshot.name)
    const deleteSome = 'Delete some with DELETE /_sim/snapshots/{name} first'
    if (others.length >= MAX_SNAPSHOTS)
      fail('conflict', { why: `There are ${MAX_SNAPSHOTS} snapshots, the maximum. ${deleteSome}` })
    const { budget } = this
    const inMemory = [...(this.#inMemory?.values() ?? [])].filter(({ name }) => name !== snapshot.name)
    if (budget.bytesOfOthers(this) + this.#bytesOf([...inMemory, snapshot]) <= budget.maxBytes) return
    const why = `Snapshots of all sandboxes together would take more than ${budget.maxBytes / 2 ** 20} MB, the maximum`
    fail('conflict', { why: `${why}. ${deleteSome}, or drop sandboxes that are no longer needed` })
  }

  /** A snapshot shares with the one before it what did not change; a state that replaced the sandbox's own is whole. */
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

  #checkExists(name: string) {
    const names = this.list().map(info => info.name)
    if (names.includes(name)) return
    const exists = names.length ? `There are: ${names.join(', ')}.` : 'There are none yet.'
    fail('not_found', { what: `snapshot "${name}"`, nearest: nearest(name, names), exists })
  }
}

export const MAX_SNAPSHOT_BYTES_OF_ALL_SANDBOXES = 256 * 1024 * 1024

/** Bounds the snapshots of all sandboxes together. None is dropped for another: a new one is refused instead. */
export class SnapshotBudget {
  constructor(
    readonly maxBytes = MAX_SNAPSHOT_BYTES_OF_ALL_SANDBOXES,
    readonly holders: () => Iterable<{ readonly bytes: number }> = () => [],
  ) {}

  bytesOfOthers(own: { readonly bytes: number }): number {
    let bytes = 0
    for (const each of this.holders()) if (each !== own) bytes += each.bytes
    return bytes
  }
}
