import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { tableNames } from '../resources/index.ts'
import { type Base, baseOf, type SnapshotFiles, type Tables } from '../sandbox/index.ts'
import type { Row } from '../schema/index.ts'
import { DatabaseFile, FORMAT } from './database-file.ts'
import type { FileCalls } from './file-calls.ts'
import { DamagedFile } from './log-file.ts'

/** Snapshots beside the database file, each a file of the same format. Names were checked before they come here. */
export class SnapshotFolder implements SnapshotFiles {
  constructor(
    readonly folder: string,
    readonly calls: FileCalls,
    readonly fsync: boolean,
  ) {}

  names(): string[] {
    try {
      return readdirSync(this.folder).flatMap(file => /^([a-z0-9][a-z0-9_-]{0,63})\.json$/.exec(file)?.[1] ?? [])
    } catch {
      return []
    }
  }

  async save(name: string, tables: Tables) {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 })
    const rows = Object.fromEntries(tableNames.map(table => [table, tables.of(table).oldestFirst()]))
    await this.#file(name).write({ rows, meta: { format: FORMAT, seq: 0, counters: {}, deleted: {} } })
  }

  async load(name: string): Promise<Base> {
    const stored = await this.#file(name).read()
    if (!stored) throw new DamagedFile(`the snapshot ${name} is gone from ${this.folder}`)
    return baseOf(stored.rows as Record<string, Row[]>)
  }

  remove(name: string) {
    this.calls.remove(join(this.folder, `${name}.json`))
  }

  #file(name: string) {
    return new DatabaseFile(join(this.folder, `${name}.json`), this.calls, this.fsync)
  }
}
