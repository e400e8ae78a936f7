import { ControlClient, ControlError } from '../handle/control-client.ts'
import { serveAgent } from '../mcp/serve.ts'
import { checkUrl } from '../option-values.ts'
import { forSimulator, type OptionName } from '../options.ts'
import { runSimulator } from '../simulator.ts'
import { hasCode, SimulatorError } from '../simulator-error.ts'
import { NAME } from '../words/name.ts'
import { keepCertificate } from './certificate-file.ts'
import { toFlag } from './flags.ts'
import { watchDefects } from './last-resort.ts'
import { createLog, type Log } from './log.ts'
import { checkNames } from './named.ts'
import { refuse } from './refusal.ts'
import type { Resolved } from './resolve.ts'
import { watchSignals } from './signals.ts'
import { keepHeapSmall } from './small-heap.ts'
import { UsageError } from './usage-error.ts'

/** The options of its own, as yargs gives them. */
export interface McpOptions {
  url?: string | string[]
  sandbox?: string | string[]
}

/** A simulator, and what to do with it when the agent has left. */
interface Steered {
  control: ControlClient
  close(): Promise<void>
}

/** Serves one agent until it leaves. Stdout is the protocol's: all that is told goes to stderr. */
export async function mcp(resolved: Resolved, own: McpOptions): Promise<number> {
  // If a flag is given twice, the last one counts.
  const [url, sandbox = 'default'] = [own.url, own.sandbox].map(given => [given].flat().at(-1))
  const address = url === undefined ? undefined : readUrl(url, resolved)
  if (!NAME.test(sandbox))
    throw new UsageError(`--sandbox: ${JSON.stringify(sandbox.slice(0, 80))} must match ${NAME.source}.`)
  if (address === undefined) checkNames(resolved)
  const log = await createLog(resolved.values.log!, process.stderr)
  return new Promise((resolve, reject) => {
    let stop!: (exit: number) => void
    const stopped = new Promise<number>(settle => {
      stop = settle
    })
    watchSignals({ stop: () => stop(0), giveUp: () => resolve(1) })
    // Where nobody reads, nobody is served, though stdin may be open.
    process.stdout.once('error', () => stop(0))
    const steered = address === undefined ? startOwn(resolved, log, () => stop(1)) : reach(address, resolved)
    serve(steered, sandbox, log, stopped).then(resolve, reject)
  })
}

async function serve(steered: Promise<Steered>, sandbox: string, log: Log, stopped: Promise<number>): Promise<number> {
  try {
    const agent = await serveAgent({
      control: steered.then(({ control }) => control),
      sandbox,
      onTrouble: text => log.onNotice({ level: 'warn', text }),
    })
    try {
      const failed = agent.ready.then(() => {
        if (process.stdin.isTTY) log.onNotice({ level: 'info', text: ALONE })
        return new Promise<never>(() => {})
      })
      const over = agent.over.then(left => {
        if (!left) log.onNotice({ level: 'error', text: TOO_LONG })
        return left ? 0 : 1
      })
      return await Promise.race([over, stopped, failed])
    } finally {
      await agent.close()
      await (await steered).close()
    }
  } catch (error) {
    log.flush()
    return refuse(withHint(error))
  } finally {
    log.flush()
  }
}

const TOO_LONG = 'it ends, because a message of its client is longer than 10 MB'
const ALONE =
  'it waits for an agent to speak the Model Context Protocol on stdin. docs/agents.md tells how agents are told to start it. Ctrl-C ends it.'

/** What to do about it on the command line. */
function withHint(error: unknown): unknown {
  const told = (hint: string) =>
    new SimulatorError('UNREACHABLE', `${(error as Error).message.replace(/\.$/, '')}. ${hint}`)
  if (hasCode(error, 'UNREACHABLE')) return told('Start it with npx edgesim, or leave out --url.')
  if (error instanceof ControlError && error.status === 401) return told('Here it is given with --control-token.')
  return error
}

/** Like `start`; but several agents may work side by side, so a port is used only if it is asked for here. */
async function startOwn(resolved: Resolved, log: Log, fail: () => void): Promise<Steered> {
  keepHeapSmall()
  const { values, sources } = resolved
  const options = { ...values, port: sources.port === '--port' ? values.port : 0 }
  const simulator = await runSimulator(forSimulator(options), log)
  watchDefects(simulator, log, fail)
  const certificate = keepCertificate(simulator.certificate)
  log.ready(simulator, options, certificate?.file)
  const { url, certificate: ca, fingerprint } = simulator
  return {
    control: new ControlClient({ url, controlToken: options.controlToken, ca, fingerprint }),
    async close() {
      certificate?.remove()
      await simulator.close()
    },
  }
}

const reach = async (url: string, { values: { controlToken } }: Resolved): Promise<Steered> => ({
  control: new ControlClient({ url, controlToken, remote: true }),
  close: async () => {},
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
