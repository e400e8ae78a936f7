import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import type { ControlClient } from '../handle/control-client.ts'
import { SimulatorHandle } from '../handle/simulator-handle.ts'
import { SimulatorError } from '../simulator-error.ts'
import { createAgentServer } from './server.ts'
import { type ControlDocument, toolsOf } from './tools.ts'

export interface AgentSession {
  control: ControlClient
  /** The sandbox that tools are about where none is given; it is made if there is none. */
  sandbox: string
  /** Told what is wrong with what the client sends. */
  onTrouble(text: string): void
}

/** Serves the agent at the other end of stdin and stdout; `over` resolves when it has left. */
export async function serveAgent({ control, sandbox, onTrouble }: AgentSession) {
  if (sandbox !== 'default') await new SimulatorHandle(control, null, async () => {}).sandbox(sandbox)
  const document = await control.for(sandbox).call<ControlDocument>('GET', '/control.json')
  const tools = toolsOf(document, sandbox)
  if (tools.size === 0)
    throw new SimulatorError(
      'NOT_EDGESIM',
      `What runs at ${control.access.url} is edgesim ${document.info.version}, which has no tools for agents. Start it with a newer one.`,
    )
  const server = createAgentServer({ control, tools, sandbox })
  server.onerror = error => onTrouble(`what the client sent cannot be read: ${error.message.split('\n', 1)[0]}`)
  const over = new Promise<void>(resolve => {
    server.onclose = resolve
  })
  const close = () => server.close()
  // The transport does not notice that nobody is there any more.
  for (const event of ['end', 'close']) process.stdin.once(event, close)
  await server.connect(new StdioServerTransport())
  return { over, close }
}
