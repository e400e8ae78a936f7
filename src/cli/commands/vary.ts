import { didYouMean, nearest } from '../../basics/nearest.ts'
import { dayOf, describeVerdict, type Probed } from '../../contract/evidence.ts'
import type { Report } from '../../contract/report.ts'
import { changeable, defaultOf, valuesOf, verdictOn } from '../../engine/assumptions.ts'
import type { AssumptionName } from '../../ngrok/assumed.ts'
import { ngrokAssumptions } from '../../ngrok/questions.ts'
import { DEPENDS, UsageError } from '../process/exit-code.ts'
import { type Ended, type Execution, exec, type OwnOptions } from './exec.ts'

const SAME = 'same'

/** Runs the command unchanged, then once per changed assumption, and reports the differences. */
export async function vary(execution: Execution, { vary: names = [], failOnVary }: OwnOptions): Promise<Ended> {
  const variants = chosen(names).flatMap(name => others(name, execution).map(value => ({ name, value })))
  // A signal stops all runs, not only the current one.
  let stopped = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => (stopped = true))
  const first = await exec(execution)
  const { code: plain, exit } = first
  const matters = new Map<AssumptionName, string[]>()
  const probed = execution.options.assume?.probed
  const rows: { changed: string; result: string; known: string }[] = []
  for (const { name, value } of variants) {
    if (stopped) break
    // With a database, a run would continue with the state of the previous one.
    const options = { ...execution.options, assume: { ...execution.options.assume, [name]: value }, db: undefined }
    const { exit: code } = await exec({ ...execution, options, quiet: true })
    if (stopped) break
    const result = code === plain ? SAME : `DEPENDS ON IT (exit code ${code})`
    matters.set(name, [...(matters.get(name) ?? []), ...(code === plain ? [] : [value])])
    rows.push({ changed: `${name}=${value}`, result, known: probed ? describeProbed(name, probed) : '' })
  }
  const widthOf = (column: 'changed' | 'result') => Math.max(...rows.map(row => row[column].length))
  const widths = { changed: widthOf('changed'), result: widthOf('result') }
  console.log(`\nedgesim: The exit code was ${plain}. Results with one assumption changed:`)
  for (const { changed, result, known } of rows)
    console.log(`  ${changed.padEnd(widths.changed)}  ${result.padEnd(widths.result)}  ${known}`.trimEnd())
  if (stopped) console.log(`  Stopped. Not tested: ${variants.length - rows.length}`)
  const depends = rows.some(({ result }) => result !== SAME)
  return {
    ...first,
    exit: exit === 0 && failOnVary && depends ? DEPENDS : exit,
    report: withVaried(first.report, matters, name => currentValue(name, execution)),
  }
}

/** Adds which assumptions matter to the command, including ones that no response depended on. */
function withVaried(
  report: Report,
  matters: Map<AssumptionName, string[]>,
  current: (name: AssumptionName) => string,
): Report {
  const noted = report.assumptions.map(each => ({ ...each, matters: matters.get(each.name as AssumptionName) }))
  const others = [...matters]
    .filter(([name, values]) => values.length > 0 && !noted.some(each => each.name === name))
    .map(([name, values]) => ({ name, value: current(name), requests: 0, matters: values }))
  return { ...report, assumptions: [...noted, ...others] }
}

function chosen(names: string[]): AssumptionName[] {
  for (const name of names) {
    if (changeable(ngrokAssumptions).includes(name)) continue
    const hint = didYouMean(nearest(name, changeable(ngrokAssumptions)))
    throw new UsageError(`--vary: no changeable assumption named "${name}".${hint} Write the fixture before --vary.`)
  }
  return (names.length > 0 ? names : changeable(ngrokAssumptions)) as AssumptionName[]
}

const currentValue = (name: AssumptionName, { options }: Execution): string =>
  options.assume?.[name] ?? defaultOf(ngrokAssumptions, name)

const others = (name: AssumptionName, execution: Execution) =>
  valuesOf(ngrokAssumptions, name).filter(value => value !== currentValue(name, execution))

/** Shows whether the real API behaves as the command needs. */
function describeProbed(name: AssumptionName, probed: Probed): string {
  const verdict = verdictOn(ngrokAssumptions, name, probed)
  return verdict ? `probed ${dayOf(probed)}: ${describeVerdict(verdict)}` : 'not probed'
}
