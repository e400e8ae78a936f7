import { counted, printable } from '../../basics/text.ts'
import type { JournalEntry } from '../../contract/journal-entry.ts'
import type { Simulator } from '../../simulator/simulator.ts'

const MAX_SHOWN = 20

/** The failed requests of a command, which may explain why the command failed. */
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
    const shown = this.#count > MAX_SHOWN ? ` (showing the last ${MAX_SHOWN})` : ''
    console.error(`edgesim: ${counted(this.#count, 'request')} failed${shown}:\n${this.#last.join('\n')}`)
  }
}

/** Reports the hosts that a client could not reach without `--pass-through`. */
export function reportBlockedHosts({ standIn }: Simulator, report: (text: string) => void) {
  const { count, hosts } = standIn?.refused ?? { count: 0, hosts: new Set() }
  if (count === 0) return
  const names = [...hosts].slice(0, MAX_SHOWN)
  if (hosts.size > MAX_SHOWN) names.push('and others')
  const blocked = `Blocked ${counted(count, 'connection')} to other hosts`
  report(printable(`${blocked}: ${names.join(', ')}. To allow them, add --pass-through.`))
}

/**
 * Reports unused rules of the launch scenario. Scenarios that tests activate are reported only with --fail-on-unused: the
 * test checks its scenario itself.
 */
export function reportUnusedRules({ sandboxes }: Simulator, failOnUnused = false, report: (text: string) => void) {
  const unused = sandboxes.launch.usedRules().filter(({ fired, launched }) => fired === 0 && (launched || failOnUnused))
  for (const { scenario, name } of unused) report(printable(`Rule "${name}" of scenario "${scenario}" never fired.`))
  return unused
}
