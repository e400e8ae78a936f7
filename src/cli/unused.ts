import type { Simulator } from '../simulator.ts'

/** The exit code when rules were meant to fire and did not. */
export const UNUSED = 3

/** Names the rules that never fired: a scenario that did nothing proves nothing. */
export function tellUnused({ sandboxes }: Simulator, tell: (text: string) => void) {
  const unused = sandboxes.launch.unusedRules()
  for (const { scenario, rule } of unused) tell(`the rule "${rule}" of the scenario "${scenario}" never fired`)
  return unused
}
