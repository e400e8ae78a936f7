import type { Simulator } from '../simulator.ts'

/** The exit code with --fail-on-unused. */
export const UNUSED = 3

/** Reports the rules that never fired. */
export function tellUnused({ sandboxes }: Simulator, tell: (text: string) => void) {
  const unused = sandboxes.launch.unusedRules()
  for (const { scenario, rule } of unused) tell(`the rule "${rule}" of the scenario "${scenario}" never fired`)
  return unused
}
