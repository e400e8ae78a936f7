import type { ChangeLog, Counters, Sandbox } from '../sandbox/index.ts'
import type { SavedSandbox, Tables } from '../state/index.ts'
import type { Stored } from './stored.ts'

/** What a sandbox's state must offer to be written. */
export interface Source {
  tables: Tables
  seq: number
  ids: { counters: Counters }
}

export interface Loaded extends SavedSandbox, Pick<Stored, 'written' | 'seeded'> {
  warnings: string[]
}

/** Keeps one sandbox's state. */
export interface Store extends ChangeLog {
  /** What was kept, or undefined when there is nothing. `now` is for records that give no time of their own. */
  load(now: number): Promise<Loaded | undefined>
  /** From now on this is the state to keep; `write` says that nothing of it was kept before. */
  attach(source: Source, options: { write: boolean }): Promise<void>
  /** Writes everything down and lets go. */
  close(): Promise<void>
}

/** What became of a database at the start. */
export interface Resumption {
  warnings: string[]
  /** Undefined when it was created. */
  resumed: Pick<Stored, 'written' | 'seeded'> | undefined
}

/** The sandbox continues from what the store kept, or is kept from now on. */
export async function keep(store: Store, sandbox: Sandbox, { fresh = false } = {}): Promise<Resumption> {
  const loaded = fresh ? undefined : await store.load(sandbox.clock.now())
  if (loaded) sandbox.resume(loaded)
  await store.attach(sandbox, { write: !loaded })
  sandbox.log = store
  const resumed = loaded && { written: loaded.written, seeded: loaded.seeded }
  return { warnings: loaded?.warnings ?? [], resumed }
}
