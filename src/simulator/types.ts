import type { ListenerReport } from '../contract/traffic.ts'
import type { LaunchToken } from '../fixtures/index.ts'
import type { Sandboxes } from '../sandboxes/registry.ts'
import type { FileCalls } from '../store/index.ts'

/** What tests replace. */
export interface Parts {
  files?: FileCalls
  /** The size of the log, in bytes, at which the database file is rewritten. */
  compactAt?: number
  /** The limit of the journals, histories and decisions of all sandboxes. */
  journalBytes?: number
  /** The limit of the snapshots of all sandboxes. */
  snapshotBytes?: number
  /** The clock of `--sandbox-ttl`, in milliseconds. */
  now?: () => number
  /** How long closing waits for connections in use. */
  closeMs?: number
  /** How many files and sockets the process may have open. */
  openFiles?: number
}

export interface Stored {
  file: string
  records: number
  /** Since the start. */
  changes: number
}

export interface Simulator {
  url: string
  port: number
  /** A token of the launch fixture that works, an admin's if there is one; null when only hashes are known. */
  token: string | null
  tokens: readonly LaunchToken[]
  /** The PEM of a self-signed certificate, for clients to trust: of the API or of HTTPS edges. */
  certificate: string | undefined
  /** The addresses of the edges at the start. */
  listeners: ListenerReport[]
  /** The fingerprint of the certificate that the API is served with. */
  fingerprint: string | undefined
  /** The other addresses of the API, if it listens on all interfaces. */
  otherUrls(): string[] | undefined
  /** Whether the database was created or resumed, in a sentence or two; only with `--db`. */
  database: string | undefined
  /** What the database file holds; only with `--db`. */
  stored(): Stored | undefined
  sandboxes: Sandboxes
  /** The files of the launch fixture and scenario, where they are files. */
  files: { fixture?: string; scenario?: string }
  /** Reads the file again and applies it. An invalid file changes nothing. */
  reload(what: 'fixture' | 'scenario'): Promise<void>
  close(): Promise<void>
}
