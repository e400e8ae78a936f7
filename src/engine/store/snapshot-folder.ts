import { join } from 'node:path'
import { NAME } from '../../contract/names.ts'
import type { Catalog } from '../language/index.ts'
import type { SnapshotFiles } from '../sandbox/index.ts'
import type { Base, Tables } from '../state/index.ts'
import { DatabaseFile } from './database-file.ts'
import type { FileCalls } from './file-calls.ts'
import { toBase } from './load.ts'
import { storedOf } from './stored.ts'

/** Snapshots next to the database file, in the same format. Callers have checked the names. */
export class SnapshotFolder implements SnapshotFiles {
  constructor(
    readonly catalog: Catalog,
    readonly folder: string,
    readonly calls: FileCalls,
    readonly fsync: boolean,
  ) {}

  names(): string[] {
    if (!this.calls.isFolder(this.folder)) return []
    const names = this.calls.list(this.folder).flatMap(file => /^(.*)\.json$/.exec(file)?.[1] ?? [])
    return names.filter(name => NAME.test(name))
  }

  async save(name: string, tables: Tables) {
    // A link to a directory does not count, so nothing is written elsewhere.
    if (!this.calls.isFolder(this.folder)) this.calls.makeFolder(this.folder)
    this.#file(name).write(storedOf(tables, 0, {}))
  }

  async load(name: string, now: number): Promise<Base> {
    const file = this.#file(name)
    const stored = file.read()
    if (!stored) throw new Error(`${file.file} does not exist`)
    return toBase(this.catalog, stored, file, now)
  }

  remove(name: string) {
    this.calls.remove(this.#file(name).file)
  }

  #file(name: string) {
    return new DatabaseFile(join(this.folder, `${name}.json`), this.calls, this.fsync)
  }
}
