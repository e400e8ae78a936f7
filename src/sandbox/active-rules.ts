/** A scenario in use, as far as a sandbox needs to know it; scenarios/ applies it to calls. */
export interface ActiveRules {
  readonly name: string
  report(): Record<string, unknown>
}
