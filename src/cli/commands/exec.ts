import { constants } from 'node:os'
import spawn from 'cross-spawn'
import type { Report } from '../../contract/report.ts'
import type { CliOptions } from '../../options/options.ts'
import type { Simulator } from '../../simulator/simulator.ts'
import { createLog } from '../log/log.ts'
import { FailedRequests, reportRefusedHosts, reportUnusedRules } from '../log/summary.ts'
import { checkNames } from '../named.ts'
import { UNUSED_RULE, UsageError } from '../process/exit-code.ts'
import { HarFile } from '../process/har-file.ts'
import { checkReportFile } from '../process/report-file.ts'
import { checkResultFile } from '../process/result-file.ts'
import { runProcess } from '../process/run.ts'
import { SIGNALS } from '../process/signals.ts'
import { lastOf, ownAddress, type Resolved } from '../resolve.ts'

export interface Execution {
  options: CliOptions
  /** The format of the log; undefined if none was asked for, so that only the command's output is shown. */
  log?: CliOptions['log']
  command: string[]
  /** NAME=url or NAME=token: more variables for the command. */
  env: string[]
  /** The file that all requests of the run are written to. */
  har?: string
  /** The files that the report is written to. */
  reports: string[]
  /** How many percent of the operations must be called. */
  failUnder?: number
  /** Whether the command's own output is hidden. */
  quiet?: boolean
}

/** The command's own options, as yargs gives them. */
export interface OwnOptions {
  env?: string[]
  har?: string | string[]
  report?: string[]
  failUnder?: string | string[]
  vary?: string[]
  failOnVary?: boolean
  /** The command and its arguments. */
  '--'?: unknown[]
}

/** Checks the arguments of `exec`. */
export function readExecution(resolved: Resolved, own: OwnOptions): Execution {
  const { values, sources } = resolved
  const { env = [], '--': words = [] } = own
  const command = words.map(String)
  const har = lastOf(own.har)
  if (command.length === 0) throw new UsageError('exec needs a command after --: edgesim exec [FIXTURE] -- COMMAND')
  checkNames(resolved)
  for (const pair of env) {
    if (!/^[A-Za-z_]\w*=(url|token)$/.test(pair))
      throw new UsageError(`--env ${pair}: write NAME=url or NAME=token, with the name of a variable.`)
  }
  if (har !== undefined) {
    if (own.vary)
      throw new UsageError('--har is of one run, and --vary runs the command many times: leave out one of them.')
    checkResultFile('--har', har, 'the requests are')
  }
  const { report: reports = [] } = own
  for (const file of reports) checkReportFile(file)
  return {
    options: { ...values, ...ownAddress(resolved) },
    log: sources.log === 'default' ? undefined : values.log,
    command,
    env,
    har,
    reports,
    failUnder: readPercent(lastOf(own.failUnder)),
  }
}

function readPercent(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const percent = /^\d{1,3}(\.\d+)?%?$/.test(text) ? Number.parseFloat(text) : Number.NaN
  if (percent >= 0 && percent <= 100) return percent
  throw new UsageError(`--fail-under ${text}: must be a percentage from 0 to 100, such as 80.`)
}

/** How a run ended. */
export interface Ended {
  /** The command's own exit code. */
  code: number
  /** Ours, but for what the report says. */
  exit: number
  report: Report
}

/** Starts the simulator and runs the command with its address. */
export async function exec(execution: Execution): Promise<Ended> {
  const { options, quiet } = execution
  const log = await createLog(quiet ? 'silent' : (execution.log ?? 'silent'))
  const failed = new FailedRequests()
  const har = execution.har === undefined ? undefined : new HarFile(execution.har)
  const { simulator, close } = await runProcess(options, log, event => {
    if (event.type !== 'request') return
    failed.add(event.data)
    har?.add(event.data)
  })
  const env = { ...process.env, ...simulator.environment.forProgram, ...variables(simulator, execution) }
  return runCommand(execution.command, { env, stdio: quiet ? 'ignore' : 'inherit' }, async code => {
    if (code !== 0 && !quiet) failed.print()
    const report = (text: string) => console.error(`edgesim: ${text}`)
    if (!quiet) reportRefusedHosts(simulator, report)
    const unused = quiet ? [] : reportUnusedRules(simulator, options.failOnUnused, report)
    const closed = await close()
    // Requests that were under way are recorded only now.
    const written = har ? har.write() : true
    const failure = !written || !closed ? 1 : options.failOnUnused && unused.length > 0 ? UNUSED_RULE : 0
    return { code, exit: code || failure, report: { exit_code: code, ...simulator.report() } }
  })
}

function variables({ url, token }: Simulator, { env }: Execution): Record<string, string> {
  const known: Record<string, string> = { url, token: token ?? '' }
  // The same for every run, so that sandboxes of tests have the same names each time and, with a seed, the same ids.
  const own: Record<string, string> = { EDGESIM_RUN: process.env.EDGESIM_RUN || 'exec' }
  for (const pair of env) {
    const [name, what] = pair.split('=')
    own[name!] = known[what!]!
  }
  return own
}

const UNRUNNABLE: Record<string, string> = {
  ENOENT: 'there is no such command in the PATH, and no such file',
  EACCES: 'the file may not be executed',
}

/**
 * Whether the command has got the signal too: a terminal sends Ctrl-C to all processes in the foreground. On Windows all
 * signals are from the console, which sends them to all its processes, and `kill` would end the command at once.
 */
export const hasItAlready = (signal: NodeJS.Signals, { platform, stdin }: Pick<NodeJS.Process, 'platform' | 'stdin'>) =>
  platform === 'win32' || (signal === 'SIGINT' && stdin.isTTY)

/**
 * Runs the command to its end. Its exit code is 128 and the number of the signal if a signal ended it. Until `finish` is
 * done, signals are passed on to the command and do not end us: the command's answer to Ctrl-C comes first.
 */
async function runCommand<T>(
  [program, ...args]: string[],
  options: { env: NodeJS.ProcessEnv; stdio: 'ignore' | 'inherit' },
  finish: (code: number) => Promise<T>,
): Promise<T> {
  const child = spawn(program!, args, options)
  const passOn = (signal: NodeJS.Signals) => {
    if (!hasItAlready(signal, process)) child.kill(signal)
  }
  for (const signal of SIGNALS) process.on(signal, passOn)
  try {
    const code = await new Promise<number>(resolve => {
      child.on('error', error => {
        const { code, message } = error as NodeJS.ErrnoException
        console.error(`edgesim: ${program} cannot be run: ${UNRUNNABLE[code!] ?? message}.`)
        // The exit codes of shells.
        resolve(code === 'EACCES' ? 126 : 127)
      })
      child.on('exit', (code, signal) => resolve(code ?? 128 + (constants.signals[signal!] ?? 0)))
    })
    return await finish(code)
  } finally {
    for (const signal of SIGNALS) process.off(signal, passOn)
  }
}
