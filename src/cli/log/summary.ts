import { counted, printable } from '../../basics/text.ts'
import type { StoredEntry } from '../../engine/sandbox/index.ts'
import type { Simulator } from '../../simulator/simulator.ts'

const MAX_SHOWN = 20
const MIN_PER_SANDBOX = 3
/** Sandboxes with failed requests. */
const MAX_SANDBOXES = 1000

/** The failed requests of a command, which may explain why the command failed. */
export class FailedRequests {
  #count = 0
  /** The latest ones by sandbox. The sandbox that failed last is the last one. */
  readonly #latest = new Map<string, string[]>()

  add({ method, path, search, status, sandbox, explanation }: StoredEntry) {
    if (status !== null && status < 400) return
    this.#count++
    const line = `  ${status ?? '---'} ${method} ${path}${search}  ${explanation?.text ?? ''}`
    const lines = [...(this.#latest.get(sandbox) ?? []), printable(line.trimEnd())].slice(-MAX_SHOWN)
    this.#latest.delete(sandbox)
    this.#latest.set(sandbox, lines)
    if (this.#latest.size > MAX_SANDBOXES) this.#latest.delete(this.#latest.keys().next().value!)
  }

  /** Prints them by sandbox, those of failed tests first. */
  print(failedTests: ReadonlySet<string>) {
    if (this.#count === 0) return
    const rank = ([name]: [string, unknown]) => (failedTests.has(name) ? 0 : 1)
    const groups = [...this.#latest].reverse().sort((a, b) => rank(a) - rank(b))
    const most = Math.max(MIN_PER_SANDBOX, Math.floor(MAX_SHOWN / groups.length))
    const lines: string[] = []
    let shown = 0
    for (const [name, requests] of groups) {
      if (shown === MAX_SHOWN) break
      const last = requests.slice(-Math.min(most, MAX_SHOWN - shown))
      shown += last.length
      if (groups.length > 1 || name !== 'default')
        lines.push(`sandbox ${name}${failedTests.has(name) ? ' (failed test)' : ''}:`)
      lines.push(...last)
    }
    const some = shown < this.#count ? ` (showing ${groups.length > 1 ? '' : 'the last '}${shown})` : ''
    console.error(`edgesim: ${counted(this.#count, 'request')} failed${some}:\n${lines.join('\n')}`)
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
