import type { Base, LoggedChange, Tables } from '../state/index.ts'

/** Named states that outlive the process. */
export interface SnapshotFiles {
  names(): string[]
  save(name: string, tables: Tables): Promise<void>
  /** `now` is for records that somebody added to the file by hand, without a time. */
  load(name: string, now: number): Promise<Base>
  remove(name: string): void
}

/** Where changes are kept. Appending either succeeds before anything is applied, or throws and nothing happened. */
export interface ChangeLog {
  /** `undo` is called if the disk accepts the change and then fails to confirm it. */
  append(change: LoggedChange, undo: () => void): void
  /** Resolves when the changes so far are as safe as was promised: at once, or when the disk has confirmed them. */
  durable?(): Promise<void>
  /** What it takes on the disk, beside the state itself. */
  readonly bytes: number
  readonly snapshots?: SnapshotFiles
}
