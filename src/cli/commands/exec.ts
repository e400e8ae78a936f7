import { constants } from 'node:os'
import spawn from 'cross-spawn'
import type { Report } from '../../contract/report.ts'
import type { CliOptions } from '../../simulator/options/options.ts'
import type { Simulator } from '../../simulator/simulator.ts'
import { createLog } from '../log/log.ts'
import { FailedRequests, reportBlockedHosts, reportUnusedRules } from '../log/summary.ts'
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
  /** The log format; undefined shows only the command's output. */
  log?: CliOptions['log']
  command: string[]
  /** Additional variables for the command: NAME=url or NAME=token. */
  env: string[]
  /** The file for all requests of the run. */
  har?: string
  /** The report files. */
  reports: string[]
  /** The required percentage of called operations. */
  failUnder?: number
  /** Hides the command's output. */
  quiet?: boolean
}

/** This command's options, as parsed by yargs. */
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
  if (command.length === 0)
    throw new UsageError('No command to run. Write it after --: edgesim exec [FIXTURE] -- COMMAND')
  checkNames(resolved)
  for (const pair of env) {
    if (!/^[A-Za-z_]\w*=(url|token)$/.test(pair))
      throw new UsageError(`--env ${pair}: must be NAME=url or NAME=token, where NAME is a variable name.`)
  }
  if (har !== undefined) {
    if (own.vary)
      throw new UsageError('Use either --har or --vary: --har records one run, and --vary runs the command many times.')
    checkResultFile('--har', har)
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
  throw new UsageError(`--fail-under: must be a percentage from 0 to 100, got ${JSON.stringify(text)}.`)
}

export interface Ended {
  /** The command's exit code. */
  code: number
  /** The exit code of edgesim, before `--fail-under`. */
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
    if (code !== 0 && !quiet) failed.print(simulator.sandboxes.failed)
    const report = (text: string) => console.error(`edgesim: ${text}`)
    if (!quiet) reportBlockedHosts(simulator, report)
    const unused = quiet ? [] : reportUnusedRules(simulator, options.failOnUnused, report)
    const closed = await close()
    // Closing also records the requests in progress.
    const written = har ? har.write() : true
    const failure = !written || !closed ? 1 : options.failOnUnused && unused.length > 0 ? UNUSED_RULE : 0
    return { code, exit: code || failure, report: { exit_code: code, ...simulator.report() } }
  })
}

function variables({ url, token }: Simulator, { env }: Execution): Record<string, string> {
  const known: Record<string, string> = { url, token: token ?? '' }
  // The same for every run: tests get the same sandbox names and, with a seed, the same ids.
  const own: Record<string, string> = { EDGESIM_RUN: process.env.EDGESIM_RUN || 'exec', EDGESIM_EXEC: '1' }
  for (const pair of env) {
    const [name, what] = pair.split('=')
    own[name!] = known[what!]!
  }
  return own
}

const UNRUNNABLE: Record<string, string> = {
  ENOENT: 'no such file or command',
  EACCES: 'permission denied. Make the file executable',
}

/**
 * Whether the command has also received the signal: a terminal sends Ctrl-C to all foreground processes. On Windows, all
 * signals come from the console, which sends them to all its processes, and `kill` would end the command immediately.
 */
export const hasItAlready = (signal: NodeJS.Signals, { platform, stdin }: Pick<NodeJS.Process, 'platform' | 'stdin'>) =>
  platform === 'win32' || (signal === 'SIGINT' && stdin.isTTY)

/**
 * Runs the command. Its exit code is 128 plus the signal number if a signal ended it. Until `finish` is done, edgesim
 * forwards signals to the command and does not exit: the command handles Ctrl-C first.
 */
async function runCommand<T>(
  [file, ...args]: string[],
  options: { env: NodeJS.ProcessEnv; stdio: 'ignore' | 'inherit' },
  finish: (code: number) => Promise<T>,
): Promise<T> {
  const child = spawn(file!, args, options)
  const passOn = (signal: NodeJS.Signals) => {
    if (!hasItAlready(signal, process)) child.kill(signal)
  }
  for (const signal of SIGNALS) process.on(signal, passOn)
  try {
    const code = await new Promise<number>(resolve => {
      child.on('error', error => {
        const { code, message } = error as NodeJS.ErrnoException
        console.error(`edgesim: Cannot run ${file}: ${UNRUNNABLE[code!] ?? message}.`)
        // Like shells.
        resolve(code === 'EACCES' ? 126 : 127)
      })
      child.on('exit', (code, signal) => resolve(code ?? 128 + (constants.signals[signal!] ?? 0)))
    })
    return await finish(code)
  } finally {
    for (const signal of SIGNALS) process.off(signal, passOn)
  }
}
