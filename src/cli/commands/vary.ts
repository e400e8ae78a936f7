import { didYouMean, nearest } from '../../basics/nearest.ts'
import {
  type AssumptionName,
  changeable,
  defaultOf,
  isAssumption,
  valuesOf,
  verdictOn,
} from '../../contract/assumptions.ts'
import { dayOf, describeVerdict, type Probed } from '../../contract/evidence.ts'
import { DEPENDS, UsageError } from '../process/exit-code.ts'
import { type Execution, exec, type OwnOptions } from './exec.ts'

const SAME = 'same'

/** Runs the command once as it is and once for each changed assumption, and reports the differences. */
export async function vary(execution: Execution, { vary: names = [], failOnVary }: OwnOptions): Promise<number> {
  const variants = chosen(names).flatMap(name => others(name, execution).map(value => ({ name, value })))
  // A signal stops all runs, not only the current one.
  let stopped = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => (stopped = true))
  const { code: plain, exit } = await exec(execution)
  const probed = execution.options.assume?.probed
  const rows: { changed: string; result: string; known: string }[] = []
  for (const { name, value } of variants) {
    if (stopped) break
    // A database would carry one run's state into the next.
    const options = { ...execution.options, assume: { ...execution.options.assume, [name]: value }, db: undefined }
    const { exit: code } = await exec({ ...execution, options, quiet: true })
    if (stopped) break
    const result = code === plain ? SAME : `DEPENDS ON IT (exit code ${code})`
    rows.push({ changed: `${name}=${value}`, result, known: probed ? describeProbed(name, probed) : '' })
  }
  const widthOf = (column: 'changed' | 'result') => Math.max(...rows.map(row => row[column].length))
  const widths = { changed: widthOf('changed'), result: widthOf('result') }
  console.log(`\nedgesim: the exit code was ${plain}. With one assumption changed:`)
  for (const { changed, result, known } of rows)
    console.log(`  ${changed.padEnd(widths.changed)}  ${result.padEnd(widths.result)}  ${known}`.trimEnd())
  if (stopped) console.log(`  stopped; ${variants.length - rows.length} were not tried`)
  const matters = rows.some(({ result }) => result !== SAME)
  return exit === 0 && failOnVary && matters ? DEPENDS : exit
}

function chosen(names: string[]): AssumptionName[] {
  for (const name of names) {
    if (isAssumption(name) && changeable().includes(name)) continue
    const hint = didYouMean(nearest(name, changeable()))
    throw new UsageError(
      `--vary ${name}: there is no such assumption to change.${hint} Write the fixture before --vary, not after it.`,
    )
  }
  return names.length > 0 ? (names as AssumptionName[]) : changeable()
}

function others(name: AssumptionName, { options }: Execution): string[] {
  const current = options.assume?.[name] ?? defaultOf(name)
  return valuesOf(name).filter(value => value !== current)
}

/** What the service itself does, so that one sees whether what the command depends on holds there. */
function describeProbed(name: AssumptionName, probed: Probed): string {
  const verdict = verdictOn(name, probed)
  return verdict ? `probed ${dayOf(probed)}: ${describeVerdict(verdict)}` : 'not probed'
}
