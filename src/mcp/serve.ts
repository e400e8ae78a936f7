import type { ControlClient } from '../client/control-client.ts'
import { SimulatorHandle } from '../client/simulator-handle.ts'
import { SimulatorError } from '../contract/simulator-error.ts'
import { Gateway } from './gateway.ts'
import { createAgentServer } from './server.ts'
import { type ControlDocument, toolsOf } from './tools.ts'
import { LineTransport } from './transport.ts'

/** What a message may have. */
export const MOST_MB = 10

export interface AgentSession {
  /** Of the simulator, as soon as it is there. */
  control: Promise<ControlClient>
  /** The sandbox that tools are about where none is given; it is made if there is none. */
  sandbox: string
  /** Where the protocol is spoken. */
  output: NodeJS.WritableStream
  /** Told what is wrong with what the client sends. */
  onTrouble(text: string): void
}

/**
 * Serves the agent at the other end of stdin and stdout, which may leave before the simulator is there. `ready` tells
 * that it is; `over` resolves when it has left, or to why it was not let stay.
 */
export async function serveAgent({ control, sandbox, output, onTrouble }: AgentSession) {
  const ready = control.then(client => reach(client, sandbox))
  const server = createAgentServer(ready)
  server.onerror = ({ message }) => onTrouble(`what the client sent cannot be taken: ${message}`)
  let left = false
  const over = new Promise<string | undefined>(resolve => {
    // By itself the transport ends for nothing else.
    server.onclose = () => resolve(left ? undefined : `a message of its client is longer than ${MOST_MB} MB`)
  })
  const close = () => {
    left = true
    return server.close()
  }
  // The transport does not notice that nobody is there any more.
  for (const event of ['end', 'close']) process.stdin.once(event, close)
  await server.connect(new LineTransport({ input: process.stdin, output, mostBytes: MOST_MB * 1024 * 1024, onTrouble }))
  return { ready, over, close }
}

async function reach(control: ControlClient, sandbox: string): Promise<Gateway> {
  if (sandbox !== 'default') await new SimulatorHandle(control, null, async () => {}).sandbox(sandbox)
  const document = await control.for(sandbox).call<ControlDocument>('GET', '/control.json')
  const tools = toolsOf(document, sandbox)
  if (tools.size > 0) return new Gateway(control, tools, sandbox)
  throw new SimulatorError(
    'NOT_EDGESIM',
    `What runs at ${control.access.url} is edgesim ${document.info.version}, which has no tools for agents. Start it with a newer one.`,
  )
}
