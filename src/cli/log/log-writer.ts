import type { SandboxEvent } from '../../sandbox/index.ts'
import type { Notice } from '../../simulator/hooks.ts'
import type { Simulator, Stored } from '../../simulator/types.ts'

/** What the start message shows of the options. */
export interface Launched {
  fixture: string
  scenario: string | null
  vendor: string
  /** The file that holds the self-signed certificate. */
  certificate?: string
}

/** A format of the log; log.ts decides what is printed, and when. */
export interface LogWriter {
  notice(notice: Notice): void
  event(event: SandboxEvent): void
  ready(simulator: Simulator, launched: Launched): void
  /** The last that is told. */
  stopped(stored: Stored | undefined): void
  /** Writes what has not been written yet. */
  flush(): void
}
