import type { ControlClient } from '../client/control-client.ts'
import { SimulatorHandle } from '../client/simulator-handle.ts'
import { SimulatorError } from '../contract/simulator-error.ts'
import { MAX_MESSAGE_MB } from './bounds.ts'
import { Gateway } from './gateway.ts'
import { createAgentServer } from './server.ts'
import { type ControlDocument, toolsOf } from './tools.ts'
import { LineTransport } from './transport.ts'

export interface AgentSession {
  /** Resolves when the simulator runs. */
  control: Promise<ControlClient>
  /** The sandbox of tool calls that name none; created if it does not exist. */
  sandbox: string
  /** Where messages to the agent are written. */
  output: NodeJS.WritableStream
  /** Called when the agent sends something invalid. */
  onTrouble(text: string): void
}

/**
 * Serves the agent on stdin, also before the simulator runs. `ready` resolves when tools can be called. `over` resolves
 * when the agent has left, to a reason if its session was ended here.
 */
export async function serveAgent({ control, sandbox, output, onTrouble }: AgentSession) {
  const ready = control.then(client => openGateway(client, sandbox))
  const server = createAgentServer(ready)
  server.onerror = ({ message }) => onTrouble(`protocol error: ${message}`)
  let left = false
  const over = new Promise<string | undefined>(resolve => {
    // A message that is too long is the only reason for which the transport closes itself.
    server.onclose = () => resolve(left ? undefined : `a message of its client is longer than ${MAX_MESSAGE_MB} MB`)
  })
  const close = () => {
    left = true
    return server.close()
  }
  // The transport does not watch for the end of stdin.
  for (const event of ['end', 'close']) process.stdin.once(event, close)
  await server.connect(
    new LineTransport({ input: process.stdin, output, maxLineBytes: MAX_MESSAGE_MB * 1024 * 1024, onTrouble }),
  )
  return { ready, over, close }
}

async function openGateway(control: ControlClient, sandbox: string): Promise<Gateway> {
  if (sandbox !== 'default') await new SimulatorHandle(control, null, async () => {}).sandbox(sandbox)
  const document = await control.for(sandbox).call<ControlDocument>('GET', '/control.json')
  const tools = toolsOf(document, sandbox)
  if (tools.size > 0) return new Gateway(control, tools, sandbox)
  throw new SimulatorError(
    'NOT_EDGESIM',
    `What runs at ${control.access.url} is edgesim ${document.info.version}, which has no tools for agents. Start it with a newer one.`,
  )
}
