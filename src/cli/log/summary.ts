import { counted, printable } from '../../basics/text.ts'
import type { JournalEntry } from '../../contract/journal-entry.ts'
import type { Simulator } from '../../simulator/simulator.ts'

const MAX_SHOWN = 20

/** The requests that failed while a command ran: often the reason why the command failed. */
export class FailedRequests {
  #count = 0
  #last: string[] = []

  add({ method, path, status, sandbox, explanation }: JournalEntry) {
    if (status !== null && status < 400) return
    this.#count++
    const where = sandbox === 'default' ? '' : ` [${sandbox}]`
    const line = `  ${status ?? '---'} ${method} ${path}${where}  ${explanation?.text ?? ''}`
    this.#last.push(printable(line.trimEnd()))
    if (this.#last.length > MAX_SHOWN) this.#last.shift()
  }

  print() {
    if (this.#count === 0) return
    const were = `${counted(this.#count, 'request')} ${this.#count === 1 ? 'was' : 'were'}`
    const more = this.#count > MAX_SHOWN ? `; the last ${MAX_SHOWN}` : ''
    console.error(`edgesim: ${were} not successful${more}:\n${this.#last.join('\n')}`)
  }
}

/** Reports the hosts that a program could not reach because `--pass-through` was missing. */
export function reportRefusedHosts({ standIn }: Simulator, report: (text: string) => void) {
  const { count, hosts } = standIn?.refused ?? { count: 0, hosts: new Set() }
  if (count === 0) return
  const names = [...hosts].slice(0, MAX_SHOWN)
  if (hosts.size > MAX_SHOWN) names.push('and others')
  const were = `${counted(count, 'connection')} to other hosts ${count === 1 ? 'was' : 'were'}`
  report(printable(`${were} refused: ${names.join(', ')}. To let them through, add --pass-through.`))
}

/**
 * Reports the rules of the launch scenario that never fired. Scenarios that tests switch to are reported only with
 * --fail-on-unused: the test that chose one knows what it is for.
 */
export function reportUnusedRules({ sandboxes }: Simulator, failOnUnused = false, report: (text: string) => void) {
  const unused = sandboxes.launch.usedRules().filter(({ fired, launched }) => fired === 0 && (launched || failOnUnused))
  for (const { scenario, name } of unused)
    report(printable(`the rule "${name}" of the scenario "${scenario}" never fired`))
  return unused
}
