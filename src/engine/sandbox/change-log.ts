import type { Base, LoggedChange, Tables } from '../state/index.ts'

/** Stores changes. `append` either succeeds before the change is applied, or throws and changes nothing. */
export interface ChangeLog {
  append(change: LoggedChange): void
  /** The path of the stored state. */
  readonly file: string
  /** Its size on disk, in addition to the state itself. */
  readonly bytes: number
  readonly snapshots?: SnapshotFiles
}

/** Named states that survive a restart. */
export interface SnapshotFiles {
  names(): string[]
  save(name: string, tables: Tables): Promise<void>
  /** `now` is the time for records that were added to the file manually, without a time. */
  load(name: string, now: number): Promise<Base>
  remove(name: string): void
}
