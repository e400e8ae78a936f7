import { SimulatorError } from '../../contract/simulator-error.ts'
import type { ControlClient } from '../../library/control-client.ts'
import { SimulatorHandle } from '../../library/simulator-handle.ts'
import { MAX_MESSAGE_MB } from './bounds.ts'
import { Gateway } from './gateway.ts'
import { createAgentServer } from './server.ts'
import { type ControlDocument, toolsOf } from './tools.ts'
import { LineTransport } from './transport.ts'

export interface AgentSession {
  /** Resolves when the simulator runs. */
  control: Promise<ControlClient>
  /** The default sandbox of tool calls, created if missing. */
  sandbox: string
  /** Offers all tools, not only the core. */
  allTools: boolean
  /** Receives messages to the agent. */
  output: NodeJS.WritableStream
  /** Called when the agent sends something invalid. */
  onTrouble(text: string): void
}

/**
 * Serves the agent on stdin, even before the simulator runs. `ready` resolves when tools can be called. `over` resolves
 * when the session ends, to a reason if edgesim ended it.
 */
export async function serveAgent({ control, sandbox, allTools, output, onTrouble }: AgentSession) {
  const ready = control.then(client => openGateway(client, sandbox, allTools))
  const server = createAgentServer(ready)
  server.onerror = ({ message }) => onTrouble(`Protocol error: ${message}`)
  let disconnected = false
  const over = new Promise<string | undefined>(resolve => {
    // The transport closes itself only if a message is too long.
    server.onclose = () => resolve(disconnected ? undefined : `a message of the client exceeds ${MAX_MESSAGE_MB} MB`)
  })
  const close = () => {
    disconnected = true
    return server.close()
  }
  // The transport does not watch for the end of stdin.
  for (const event of ['end', 'close']) process.stdin.once(event, close)
  await server.connect(
    new LineTransport({ input: process.stdin, output, maxLineBytes: MAX_MESSAGE_MB * 1024 * 1024, onTrouble }),
  )
  return { ready, over, close }
}

async function openGateway(control: ControlClient, sandbox: string, allTools: boolean): Promise<Gateway> {
  if (sandbox !== 'default') await new SimulatorHandle(control, null, async () => {}).sandbox(sandbox)
  const document = await control.for(sandbox).call<ControlDocument>('GET', '/control.json')
  const tools = toolsOf(document, sandbox)
  if (tools.size > 0) {
    const offered = new Map([...tools].filter(([, { core }]) => allTools || core))
    const others = [...tools.keys()].filter(name => !offered.has(name))
    return new Gateway(control, offered, others, sandbox)
  }
  throw new SimulatorError(
    'NOT_EDGESIM',
    `edgesim ${document.info.version} at ${control.access.url} has no tools for agents. Update it.`,
  )
}
