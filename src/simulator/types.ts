import type { SandboxEvent } from '../sandbox/index.ts'
import type { FileCalls } from '../store/index.ts'

/** A message for whoever watches the simulator. The command line prints it; the library hands it on. */
export interface Notice {
  level: 'info' | 'warn' | 'error'
  text: string
}

/** How the parts of a simulator say something. */
export interface Notices {
  info(text: string): void
  warn(text: string): void
  /** For errors that are bugs of ours. */
  onDefect(error: unknown): void
}

export interface Hooks {
  onNotice?(notice: Notice): void
  onEvent?(event: SandboxEvent): void
}

/** What tests replace. */
export interface Parts {
  files?: FileCalls
  /** The size of the log, in bytes, at which the database file is rewritten. */
  compactAt?: number
  /** The limit of the journals, histories, decisions and deliveries of all sandboxes. */
  journalBytes?: number
  /** The limit of the snapshots of all sandboxes. */
  snapshotBytes?: number
  /** The clock of `--sandbox-ttl`, in milliseconds. */
  now?: () => number
  /** How long closing waits for connections in use. */
  closeMs?: number
  /** How many files and sockets the process may have open. */
  openFiles?: number
  /** In seconds: how long clients of edges may take for the handshake and the headers, and for a whole request. */
  edgeTimeouts?: { headers: number; request: number }
}

export interface Stored {
  file: string
  records: number
  /** Since the start. */
  changes: number
}
