import { constants } from 'node:os'
import spawn from 'cross-spawn'
import type { SimulatorOptions } from '../options.ts'
import type { Entry } from '../sandbox/index.ts'
import { type Simulator, startSimulator } from '../simulator.ts'
import { createLog } from './log.ts'
import { refuse } from './refusal.ts'
import type { Resolved } from './resolve.ts'
import { UsageError } from './settings.ts'
import { UNUSED, warnOfUnused } from './unused.ts'

export interface Execution {
  options: SimulatorOptions
  log: 'pretty' | 'json' | 'silent'
  command: string[]
  /** NAME=url or NAME=token: more variables for the command. */
  env: string[]
  failOnUnused: boolean
  /** Whether the command's own output is shown. */
  quiet?: boolean
}

/** What an `exec` was asked to run. */
export function readExecution({ values, sources }: Resolved, fixture: string | undefined, command: string[], env: string[]): Execution {
  if (command.length === 0) throw new UsageError('exec needs a command: edgesim exec [FIXTURE] -- CMD…')
  for (const pair of env) {
    if (!/^[A-Za-z_]\w*=(url|token)$/.test(pair))
      throw new UsageError(`--env ${pair}: write NAME=url or NAME=token, with the name of a variable.`)
  }
  const port = sources.port === '--port' ? (values.port as number) : 0
  const log = sources.log === 'default' ? 'silent' : (values.log as Execution['log'])
  return { options: { ...values, port, fixture } as SimulatorOptions, log, command, env, failOnUnused: values.failOnUnused === true }
}

/** Starts the simulator, runs the command with its address, and ends as the command ended. */
export async function exec(execution: Execution): Promise<number> {
  const { options, command, failOnUnused, quiet } = execution
  const log = await createLog(execution.log)
  const failures: Entry[] = []
  let simulator: Simulator
  try {
    simulator = await startSimulator(options, {
      onNotice: log.onNotice,
      onEvent(event) {
        log.onEvent(event)
        if (event.type === 'request' && (event.data.status === null || event.data.status >= 400)) failures.push(event.data)
      },
    })
  } catch (error) {
    log.flush()
    return refuse(error, options)
  }
  log.flush()
  try {
    const code = await run(command, { ...process.env, ...variables(simulator, execution) }, quiet)
    if (code !== 0 && !quiet) summarise(failures)
    const unused = quiet ? [] : warnOfUnused(simulator)
    return code === 0 && failOnUnused && unused.length > 0 ? UNUSED : code
  } finally {
    await simulator.close()
  }
}

function variables({ url, token }: Simulator, { env, options }: Execution): Record<string, string> {
  const known: Record<string, string> = { url, token: token ?? '' }
  const own: Record<string, string> = { EDGESIM_URL: url, EDGESIM_TOKEN: known.token! }
  if (options.controlToken) own.EDGESIM_CONTROL_TOKEN = options.controlToken
  for (const pair of env) {
    const [name, what] = pair.split('=')
    own[name!] = known[what!]!
  }
  return own
}

/** Runs to its end: its exit code, or 128 and the number of the signal that ended it. */
function run([program, ...args]: string[], env: NodeJS.ProcessEnv, quiet = false): Promise<number> {
  return new Promise(resolve => {
    const child = spawn(program!, args, { env, stdio: quiet ? 'ignore' : 'inherit' })
    const passOn = (signal: NodeJS.Signals) => {
      // A terminal sends Ctrl-C to everybody in the foreground: the command has it already.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
    }
    const signals: NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP']
    for (const signal of signals) process.on(signal, passOn)
    const end = (code: number) => {
      for (const signal of signals) process.off(signal, passOn)
      resolve(code)
    }
    child.on('error', error => {
      console.error(`edgesim: ${program} cannot be run: ${error.message}`)
      end(127)
    })
    child.on('exit', (code, signal) => end(code ?? 128 + (constants.signals[signal!] ?? 0)))
  })
}

const SHOWN = 20

/** What the simulator refused while the command ran: often the reason why it failed. */
function summarise(failures: Entry[]) {
  if (failures.length === 0) return
  const more = failures.length > SHOWN ? `, the last ${SHOWN} of them` : ''
  console.error(`edgesim: ${failures.length} requests were not answered with success${more}:`)
  for (const { method, path, status, sandbox, explanation } of failures.slice(-SHOWN)) {
    console.error(`  ${status ?? '---'} ${method} ${path}${sandbox === 'default' ? '' : ` [${sandbox}]`}  ${explanation?.text ?? ''}`)
  }
}
