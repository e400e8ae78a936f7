import type { SandboxEvent } from '../sandbox/index.ts'
import type { Notice, Simulator } from '../simulator.ts'

/** What it was started with, as far as it is told. */
export interface Launched {
  fixture: string
  scenario: string | null
  vendor: string
}

/** How things are printed; what is printed, and when, is decided by the log. */
export interface LogWriter {
  notice(notice: Notice): void
  event(event: SandboxEvent): void
  ready(simulator: Simulator, launched: Launched): void
}
