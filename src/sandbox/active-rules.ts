/** A scenario at work, as far as a sandbox knows it; what it does to calls is up to the scenarios room. */
export interface ActiveRules {
  readonly name: string
  report(): Record<string, unknown>
}
