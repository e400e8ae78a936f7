import { ControlClient } from '../../client/control-client.ts'
import { ControlError } from '../../client/errors.ts'
import { NAME } from '../../contract/names.ts'
import { SimulatorError } from '../../contract/simulator-error.ts'
import { STDIN } from '../../files/document.ts'
import { serveAgent } from '../../mcp/serve.ts'
import type { OptionName } from '../../options/options.ts'
import { checkUrl } from '../../options/values.ts'
import { createLog, type Log } from '../log/log.ts'
import { checkNames } from '../named.ts'
import { exitCodeFor, UsageError } from '../process/exit-code.ts'
import { runProcess } from '../process/run.ts'
import { untilStopped } from '../process/signals.ts'
import { lastOf, ownPort, type Resolved, toFlag } from '../resolve.ts'

/** The command's own options, as yargs gives them. */
export interface McpOptions {
  url?: string | string[]
  sandbox?: string | string[]
}

/** The simulator that the agent uses, and how to close it. */
interface Steered {
  control: ControlClient
  /** False when the state could not be stored. */
  close(): Promise<boolean>
}

/** Serves one agent until it leaves. Stdout is for the protocol, so the log goes to stderr. */
export async function mcp(resolved: Resolved, own: McpOptions): Promise<number> {
  const url = lastOf(own.url)
  const sandbox = lastOf(own.sandbox) ?? 'default'
  const address = url === undefined ? undefined : readUrl(url, resolved)
  if (!NAME.test(sandbox))
    throw new UsageError(`--sandbox: ${JSON.stringify(sandbox.slice(0, 80))} must match ${NAME.source}.`)
  if (address === undefined) checkNames(resolved)
  if (resolved.values.fixture === STDIN)
    throw new UsageError('mcp speaks with the agent on stdin: name a fixture file.')
  const log = await createLog(resolved.values.log!, process.stderr)
  return untilStopped((stopped, stop) => {
    // The agent has stopped reading: nobody is served, even if stdin is still open.
    process.stdout.once('error', () => stop(0))
    const steered = address === undefined ? startOwn(resolved, log) : reach(address, resolved)
    return serve(steered, sandbox, log, stopped)
  })
}

async function serve(steered: Promise<Steered>, sandbox: string, log: Log, stopped: Promise<number>): Promise<number> {
  try {
    const agent = await serveAgent({
      control: steered.then(({ control }) => control),
      sandbox,
      output: process.stdout,
      onTrouble: text => log.onNotice({ level: 'warn', text }),
    })
    let exit = 1
    try {
      const failed = agent.ready.then(() => {
        if (process.stdin.isTTY) log.onNotice({ level: 'info', text: ON_A_TERMINAL })
        return new Promise<never>(() => {})
      })
      const over = agent.over.then(why => {
        if (why !== undefined) log.onNotice({ level: 'error', text: `it ends, because ${why}` })
        return why === undefined ? 0 : 1
      })
      exit = await Promise.race([over, stopped, failed])
    } finally {
      await agent.close()
      if (!(await (await steered).close())) exit = 1
    }
    return exit
  } catch (error) {
    log.flush()
    return exitCodeFor(withAdvice(error))
  } finally {
    log.flush()
  }
}

const ON_A_TERMINAL =
  'it waits for an agent to speak the Model Context Protocol on stdin. docs/agents.md tells how agents are told to start it. Ctrl-C ends it.'

/** Adds what to do about the error on the command line. */
function withAdvice(error: unknown): unknown {
  if (!(error instanceof SimulatorError)) return error
  const advised = (advice: string) => new SimulatorError(error.code, `${error.message.replace(/\.$/, '')}. ${advice}`)
  if (error.code === 'UNREACHABLE') return advised('Start it with npx edgesim, or leave out --url.')
  if (error instanceof ControlError && error.status === 401) return advised('Here it is given with --control-token.')
  return error
}

async function startOwn(resolved: Resolved, log: Log): Promise<Steered> {
  const options = { ...resolved.values, port: ownPort(resolved) }
  const { simulator, close } = await runProcess(options, log)
  const { url, certificate: ca, fingerprint } = simulator
  return { control: new ControlClient({ url, controlToken: options.controlToken, ca, fingerprint }), close }
}

const reach = async (url: string, { values: { controlToken } }: Resolved): Promise<Steered> => ({
  control: new ControlClient({ url, controlToken, remote: true }),
  close: async () => true,
})

/** The options that count for a simulator that runs already; others would have no effect. */
const WITH_URL: OptionName[] = ['controlToken', 'log']

function readUrl(url: string, { sources }: Resolved): string {
  const useless = (Object.keys(sources) as OptionName[]).find(
    name => sources[name]!.startsWith('--') && !WITH_URL.includes(name),
  )
  if (useless !== undefined)
    throw new UsageError(
      `--${toFlag(useless)} is for a simulator of its own, and --url names one that runs: leave out one of them.`,
    )
  try {
    return checkUrl(url)
  } catch (error) {
    throw new UsageError(`--url: ${(error as Error).message}`)
  }
}
