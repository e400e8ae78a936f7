import type { SandboxEvent } from '../engine/sandbox/index.ts'
import type { FileCalls } from '../engine/store/index.ts'

/** A message to the user. The command line prints it, and the library passes it on. */
export interface Notice {
  level: 'info' | 'warn' | 'error'
  text: string
}

/** Where the parts of a simulator send messages. */
export interface Notices {
  info(text: string): void
  warn(text: string): void
  /** For internal errors. */
  onDefect(error: unknown): void
}

export interface Hooks {
  onNotice?(notice: Notice): void
  onEvent?(event: SandboxEvent): void
}

/** Replaced in tests. */
export interface Parts {
  files?: FileCalls
  /** The log size, in bytes, at which the database file is rewritten. */
  compactAt?: number
  /** The time until the database file is current. */
  quietMs?: number
  /** The limit for journals, histories, decisions and deliveries of all sandboxes. */
  journalBytes?: number
  /** The limit for snapshots of all sandboxes. */
  snapshotBytes?: number
  /** The clock of `--sandbox-ttl`, in milliseconds. */
  now?: () => number
  /** The maximum number of open files and sockets. */
  openFiles?: number
  /** Timeouts for clients of listeners, in seconds: for handshake and headers, and for a whole request. */
  listenerTimeouts?: { headers: number; request: number }
}

export interface Stored {
  file: string
  records: number
  /** Since startup. */
  changes: number
}
