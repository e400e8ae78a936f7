import type { SandboxEvent } from '../sandbox/index.ts'

/** A message for whoever watches the simulator. The command line prints it; the library hands it on. */
export interface Notice {
  level: 'info' | 'warn' | 'error'
  text: string
}

export interface Hooks {
  onNotice?(notice: Notice): void
  onEvent?(event: SandboxEvent): void
}

/** Sends notices to the hook. */
export class Notices {
  constructor(readonly hooks: Hooks) {}

  info = (text: string) => this.hooks.onNotice?.({ level: 'info', text })
  warn = (text: string) => this.hooks.onNotice?.({ level: 'warn', text })

  /** For errors that are bugs of ours. */
  defect = (error: unknown) => {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    this.hooks.onNotice?.({ level: 'error', text })
  }
}
