import { ControlClient, ControlError } from '../../client/control-client.ts'
import { NAME } from '../../contract/names.ts'
import { SimulatorError } from '../../contract/simulator-error.ts'
import { STDIN } from '../../files/document.ts'
import { serveAgent } from '../../mcp/serve.ts'
import { forSimulator, type OptionName } from '../../options/options.ts'
import { checkUrl } from '../../options/values.ts'
import { runSimulator } from '../../simulator/simulator.ts'
import { toFlag } from '../flags.ts'
import { createLog, type Log } from '../log/log.ts'
import { checkNames } from '../named.ts'
import { keepCertificate } from '../process/certificate-file.ts'
import { watchDefects } from '../process/last-resort.ts'
import { refuse } from '../process/refusal.ts'
import { untilStopped } from '../process/signals.ts'
import { keepHeapSmall } from '../process/small-heap.ts'
import { lastOf, portOfItsOwn, type Resolved } from '../resolve.ts'
import { UsageError } from '../usage-error.ts'

/** The options of its own, as yargs gives them. */
export interface McpOptions {
  url?: string | string[]
  sandbox?: string | string[]
}

/** A simulator, and what to do with it when the agent has left. */
interface Steered {
  control: ControlClient
  /** False when what it has stored could not be written. */
  close(): Promise<boolean>
}

/** Serves one agent until it leaves. Stdout is the protocol's: all that is told goes to stderr. */
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
    // Where nobody reads, nobody is served, though stdin may be open.
    process.stdout.once('error', () => stop(0))
    const steered = address === undefined ? startOwn(resolved, log, () => stop(1)) : reach(address, resolved)
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
        if (process.stdin.isTTY) log.onNotice({ level: 'info', text: ALONE })
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
    return refuse(withAdvice(error))
  } finally {
    log.flush()
  }
}

const ALONE =
  'it waits for an agent to speak the Model Context Protocol on stdin. docs/agents.md tells how agents are told to start it. Ctrl-C ends it.'

/** What to do about it on the command line. */
function withAdvice(error: unknown): unknown {
  if (!(error instanceof SimulatorError)) return error
  const told = (advice: string) => new SimulatorError(error.code, `${error.message.replace(/\.$/, '')}. ${advice}`)
  if (error.code === 'UNREACHABLE') return told('Start it with npx edgesim, or leave out --url.')
  if (error instanceof ControlError && error.status === 401) return told('Here it is given with --control-token.')
  return error
}

async function startOwn(resolved: Resolved, log: Log, fail: () => void): Promise<Steered> {
  keepHeapSmall()
  const options = { ...resolved.values, port: portOfItsOwn(resolved) }
  const simulator = await runSimulator(forSimulator(options), log)
  watchDefects(simulator, log, fail)
  const certificate = keepCertificate(simulator.certificate, options.tlsDir)
  log.ready(simulator, options, certificate?.file)
  const { url, certificate: ca, fingerprint } = simulator
  return {
    control: new ControlClient({ url, controlToken: options.controlToken, ca, fingerprint }),
    async close() {
      certificate?.remove()
      return log.close(simulator)
    },
  }
}

const reach = async (url: string, { values: { controlToken } }: Resolved): Promise<Steered> => ({
  control: new ControlClient({ url, controlToken, remote: true }),
  close: async () => true,
})

/** What one that runs needs of the options: whatever else is given would be without effect. */
const OF_BOTH: OptionName[] = ['controlToken', 'log']

function readUrl(url: string, { sources }: Resolved): string {
  const idle = (Object.keys(sources) as OptionName[]).find(
    name => sources[name]!.startsWith('--') && !OF_BOTH.includes(name),
  )
  if (idle !== undefined)
    throw new UsageError(
      `--${toFlag(idle)} is for a simulator of its own, and --url names one that runs: leave out one of them.`,
    )
  try {
    return checkUrl(url)
  } catch (error) {
    throw new UsageError(`--url: ${(error as Error).message}`)
  }
}
