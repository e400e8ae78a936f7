import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LoggedChange } from '../sandbox/index.ts'
import { isAlive } from './lock.ts'
import { FileStore, type FileStoreOptions, type Source, type Store } from './store.ts'

const PREFIX = 'edgesim-'

/** The same file in a private folder that goes away at exit: made at the first change, and nothing is promised of it. */
export class TemporaryStore implements Store {
  #inner: FileStore | undefined
  #folder: string | undefined
  #source: Source | undefined
  #given = false

  constructor(readonly options: FileStoreOptions) {}

  async load() {
    return undefined
  }

  async attach(source: Source) {
    this.#source = source
  }

  append(change: LoggedChange) {
    if (!this.#given) this.#begin()
    try {
      this.#inner?.append(change)
    } catch (error) {
      this.#giveUp(error)
    }
  }

  async close() {
    const { folder } = this
    await this.#inner?.close().catch(() => {})
    if (folder) rmSync(folder, { recursive: true, force: true })
  }

  /** Where it is, once there is something in it. */
  get folder() {
    return this.#folder
  }

  #begin() {
    this.#given = true
    try {
      sweep()
      this.#folder = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`))
      this.#inner = new FileStore(join(this.#folder, 'db.json'), this.options)
      this.#inner.attach(this.#source!, { write: true }).catch(error => this.#giveUp(error))
    } catch (error) {
      this.#giveUp(error)
    }
  }

  #giveUp(error: unknown) {
    this.#inner = undefined
    this.options.onWarning(`the state is kept in memory only: ${(error as Error).message}`)
  }
}

/** Folders of processes that were killed before they could remove theirs. */
function sweep() {
  for (const name of readdirSync(tmpdir())) {
    const pid = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1]
    if (!pid || isAlive(Number(pid))) continue
    const folder = join(tmpdir(), name)
    if (existsSync(join(folder, 'db.json'))) rmSync(folder, { recursive: true, force: true })
  }
}
