import { listAssumptions } from '../../contract/assumptions.ts'
import type { Resolved } from '../resolve.ts'

/** The list as a table: what is asked, what is assumed, and how to change it. */
export function printAssumptions({ values }: Resolved): number {
  for (const { name, question, value, why, evidence, flag, section } of listAssumptions(values.assume ?? {})) {
    console.log(`${name} = ${value}`)
    console.log(`  ${question} (docs/api.md ${section})`)
    console.log(`  ${why}`)
    if (evidence) console.log(`  ${evidence}`)
    if (flag) console.log(`  ${flag}`)
    console.log()
  }
  return 0
}
