import type { Simulator } from '../simulator.ts'
import { printable } from './printable.ts'

/** The exit code with --fail-on-unused. */
export const UNUSED = 3

/** Reports the rules that never fired. */
export function tellUnused({ sandboxes }: Simulator, tell: (text: string) => void) {
  const unused = sandboxes.launch.unusedRules()
  for (const { scenario, rule } of unused)
    tell(printable(`the rule "${rule}" of the scenario "${scenario}" never fired`))
  return unused
}
