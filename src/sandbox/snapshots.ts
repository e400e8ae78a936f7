import { fail } from '../errors.ts'
import { type Cause, lengthOfBase, Tables } from '../state/index.ts'
import { nearest } from '../words/nearest.ts'
import type { ChangeLog, SnapshotFiles } from './change-log.ts'
import type { Clock } from './clock.ts'
import type { Life } from './life.ts'

export interface SnapshotInfo {
  name: string
  /** When it was taken, on the sandbox's clock; null for one from before the last start. */
  at: string | null
  seq: number | null
}

const MOST = 100
/** Of states that others than these do not need: a snapshot of a changed fixture costs only what was changed. */
const MOST_BYTES = 256 * 1024 * 1024

/** The sandbox, as far as its snapshots know it. */
interface Owner {
  readonly tables: Tables
  readonly clock: Clock
  readonly seq: number
  readonly life: Life
  readonly log: ChangeLog | undefined
  replace(cause: Cause, other: Tables, how: { life: Life; text?: readonly Uint8Array[] }): unknown
  prepare(other: Tables): Promise<readonly Uint8Array[] | undefined>
}

interface Snapshot extends SnapshotInfo {
  tables: Tables
}

/** Named states of a sandbox. Taking one copies what the sandbox changed, not the fixture below it. */
export class Snapshots {
  #kept: Map<string, Snapshot> | undefined

  constructor(readonly sandbox: Owner) {}

  list(): SnapshotInfo[] {
    const infos = new Map<string, SnapshotInfo>()
    for (const name of this.#namesOnDisk()) infos.set(name, { name, at: null, seq: null })
    for (const { name, at, seq } of this.#kept?.values() ?? []) infos.set(name, { name, at, seq })
    return [...infos.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  async save(name: string): Promise<SnapshotInfo> {
    const { tables, clock, seq } = this.sandbox
    this.#checkRoom(name, tables)
    const snapshot = { name, at: clock.timestamp(), seq, tables: tables.copy() }
    // On disk first: a snapshot that was answered for is there after a restart.
    await this.#onDisk(files => files.save(name, snapshot.tables))
    this.#kept ??= new Map()
    this.#kept.set(name, snapshot)
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
  }

  #checkRoom(name: string, tables: Tables) {
    const others = this.list().filter(other => other.name !== name)
    const kept = others.flatMap(other => this.#kept?.get(other.name) ?? [])
    const bases = new Set(kept.map(snapshot => snapshot.tables.base))
    bases.delete(tables.base)
    let bytes = 0
    for (const base of bases) bytes += lengthOfBase(base)
    if (others.length < MOST && bytes <= MOST_BYTES) return
    const why =
      bytes > MOST_BYTES ? `The snapshots hold more than ${MOST_BYTES / 2 ** 20} MB` : `There are ${MOST} snapshots`
    fail('conflict', { why: `${why}, the most there can be; forget some with DELETE /_sim/snapshots/{name} first` })
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
