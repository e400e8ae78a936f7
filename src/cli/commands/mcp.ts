import { NAME } from '../../contract/names.ts'
import { SimulatorError } from '../../contract/simulator-error.ts'
import { STDIN } from '../../engine/files/document.ts'
import { distribution } from '../../engine/files/package.ts'
import { ControlClient } from '../../library/control-client.ts'
import { ControlError } from '../../library/errors.ts'
import type { OptionName } from '../../simulator/options/options.ts'
import type { Log } from '../log/lines.ts'
import { createLog } from '../log/log.ts'
import { serveAgent } from '../mcp/serve.ts'
import { checkNames } from '../named.ts'
import { UsageError } from '../process/exit-code.ts'
import { runProcess } from '../process/run.ts'
import { untilStopped } from '../process/signals.ts'
import { lastOf, ownAddress, type Resolved, readUrl, toFlag } from '../resolve.ts'

/** This command's options, as parsed by yargs. */
export interface McpOptions {
  url?: string | string[]
  sandbox?: string | string[]
  allTools?: boolean
}

/** Serves one agent until it disconnects. The protocol uses stdout, so the log goes to stderr. */
export async function mcp(resolved: Resolved, own: McpOptions): Promise<number> {
  const { controlToken, fixture, log: kind } = resolved.values
  const url = lastOf(own.url)
  const sandbox = lastOf(own.sandbox) ?? 'default'
  const address = url === undefined ? undefined : readOnlyUrl(url, resolved)
  if (!NAME.test(sandbox))
    throw new UsageError(`--sandbox: must match ${NAME.source}, got ${JSON.stringify(sandbox.slice(0, 80))}.`)
  if (address === undefined) checkNames(resolved)
  if (fixture === STDIN)
    throw new UsageError(
      'mcp cannot read a fixture from stdin, because it talks to the agent there. Use a fixture file.',
    )
  const log = await createLog(kind, process.stderr)
  return untilStopped(async (stopped, stop) => {
    // The agent has stopped reading, even if stdin is still open.
    process.stdout.once('error', stop)
    const ownOptions = { ...resolved.values, ...ownAddress(resolved) }
    const running = address === undefined ? runProcess(ownOptions, log) : undefined
    const control = async () => {
      if (address !== undefined) {
        const client = new ControlClient({ url: address, controlToken, remote: true })
        await client.checkHealth()
        return client
      }
      const { url, certificate: ca, fingerprint } = (await running!).simulator
      return new ControlClient({ url, controlToken, ca, fingerprint })
    }
    let exit = 1
    try {
      exit = await serve(control(), { sandbox, allTools: own.allTools === true }, log, stopped)
    } catch (error) {
      throw withAdvice(error)
    } finally {
      // A failed start has already closed everything.
      const stored = await running?.then(({ close }) => close()).catch(() => true)
      if (stored === false) exit = 1
      log.flush()
    }
    return exit
  })
}

/** Serves the agent, even before the simulator runs, until it disconnects or `stopped` resolves. */
async function serve(
  control: Promise<ControlClient>,
  offered: { sandbox: string; allTools: boolean },
  log: Log,
  stopped: Promise<void>,
) {
  const onTrouble = (text: string) => log.notice({ level: 'warn', text })
  const agent = await serveAgent({ control, ...offered, output: process.stdout, onTrouble })
  const over = agent.over.then(why => {
    if (why !== undefined) log.notice({ level: 'error', text: `Stopping: ${why}.` })
    return why === undefined ? 0 : 1
  })
  const ended = Promise.race([over, stopped.then(() => 0)])
  try {
    // A failure to get the tools ready also ends the session.
    const ready = agent.ready.then(() => {
      if (process.stdin.isTTY) log.notice({ level: 'info', text: ON_A_TERMINAL })
      return ended
    })
    return await Promise.race([ended, ready])
  } finally {
    await agent.close()
  }
}

const ON_A_TERMINAL = 'Waiting for an MCP client on stdin. See docs/agents.md to configure one. Press Ctrl-C to stop.'

/** Adds a fix for the command line. */
function withAdvice(error: unknown): unknown {
  if (!(error instanceof SimulatorError)) return error
  const advised = (advice: string) => new SimulatorError(error.code, `${error.message.replace(/\.$/, '')}. ${advice}`)
  if (error.code === 'UNREACHABLE') return advised(`Start it with ${distribution.command}, or omit --url.`)
  if (error instanceof ControlError && error.status === 401) return advised('Set --control-token.')
  return error
}

/** The options that apply to a running simulator. */
const WITH_URL: OptionName[] = ['controlToken', 'log']

function readOnlyUrl(url: string, { sources }: Resolved): string {
  const unusable = (Object.keys(sources) as OptionName[]).find(
    name => sources[name]!.startsWith('--') && !WITH_URL.includes(name),
  )
  if (unusable !== undefined)
    throw new UsageError(
      `Use either --${toFlag(unusable)} or --url: --${toFlag(unusable)} has no effect on a running simulator.`,
    )
  return readUrl(url)
}
