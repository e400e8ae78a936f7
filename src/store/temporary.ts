import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LoggedChange } from '../state/index.ts'
import { fileCalls } from './file-calls.ts'
import { FileStore, type FileStoreOptions } from './file-store.ts'
import { birthOf, isRunning, parseHolder } from './holder.ts'
import { MemoryStore, type Source, type Store } from './store.ts'

const FILE = 'db.json'

/** A database in a private folder, made at the first change and removed at exit. Nothing is promised of it. */
export class TemporaryStore implements Store {
  #inner: FileStore | MemoryStore | undefined
  #source: Source | undefined
  #attached: Promise<void> | undefined
  /** Set once the folder is made. */
  folder: string | undefined

  constructor(readonly options: Omit<FileStoreOptions, 'durability'>) {}

  async load() {
    return undefined
  }

  async attach(source: Source) {
    this.#source = source
    removeLeftFolders()
  }

  append(change: LoggedChange, undo: () => void) {
    try {
      this.#inner ??= this.#begin()
      this.#inner.append(change, undo)
    } catch (error) {
      this.#giveUp(error as Error)
    }
  }

  get bytes() {
    return this.#inner?.bytes ?? 0
  }

  async close() {
    await this.#attached
    if (this.#inner instanceof FileStore) await this.#inner.close({ write: false })
    this.#remove()
  }

  #begin(): FileStore {
    this.folder = mkdtempSync(join(tmpdir(), `edgesim-${process.pid}-`))
    const store = new FileStore(join(this.folder, FILE), {
      ...this.options,
      durability: 'log',
      alone: true,
      onWarning: () => {},
    })
    this.#attached = store.attach(this.#source!, { write: true }).catch(error => this.#giveUp(error))
    return store
  }

  #giveUp(error: Error) {
    if (this.#inner instanceof MemoryStore) return
    if (this.#inner) void this.#inner.close({ write: false })
    this.#inner = new MemoryStore()
    this.#remove()
    this.options.onWarning(`the state is kept in memory only: ${error.message}`)
  }

  #remove() {
    if (this.folder) rmSync(this.folder, { recursive: true, force: true })
    this.folder = undefined
  }
}

/** Removes the folders of processes that were killed. Those that cannot be removed stay. */
function removeLeftFolders() {
  for (const name of namesIn(tmpdir())) {
    const pid = /^edgesim-(\d+)-\w{6}$/.exec(name)?.[1]
    const folder = join(tmpdir(), name)
    try {
      if (pid && isLeftover(folder, Number(pid))) rmSync(folder, { recursive: true, force: true })
    } catch {}
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function isLeftover(folder: string, pid: number): boolean {
  const holder = parseHolder(fileCalls.read(join(folder, `${FILE}.lock`))?.toString() ?? '')
  return holder ? isRunning(holder) === false : birthOf(pid) === undefined
}
