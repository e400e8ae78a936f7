/** A scenario in use, as far as a sandbox needs to know it; scenarios/ applies it to calls. */
export interface ActiveRules {
  readonly name: string
  /** How far back in time its rules look, at most. */
  readonly lookBackMs: number
  report(): Record<string, unknown>
}
