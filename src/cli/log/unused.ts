import { printable } from '../../basics/text.ts'
import type { Simulator } from '../../simulator/simulator.ts'

/** The exit code with --fail-on-unused. */
export const UNUSED = 3

/**
 * Reports the rules that never fired: those the simulator was started with. A scenario that a test puts to use says there
 * what it is for; of these, somebody has to ask.
 */
export function tellUnused({ sandboxes }: Simulator, failOnUnused = false, tell: (text: string) => void) {
  const unused = sandboxes.launch.unusedRules().filter(({ launched }) => launched || failOnUnused)
  for (const { scenario, rule } of unused)
    tell(printable(`the rule "${rule}" of the scenario "${scenario}" never fired`))
  return unused
}
