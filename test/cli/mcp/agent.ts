import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterwards, whoRuns } from '../../support/afterwards.ts'
import { cleanEnvironment, EDGESIM, mustBeProcessTest, type SpawnOptions } from '../../support/as-process.ts'

export interface Told {
  /** The summary. */
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look at results of many shapes
  data: any
  isError: boolean
  raw: string
}

/** `edgesim mcp` with the MCP SDK client. It stops at the end of its test. */
export async function agentOf(args: string[] = [], { env = {}, cwd, command = EDGESIM }: SpawnOptions = {}) {
  mustBeProcessTest()
  const [program, ...before] = command
  const transport = new StdioClientTransport({
    command: program!,
    args: [...before, 'mcp', ...args],
    env: { ...(cleanEnvironment() as Record<string, string>), EDGESIM_STARTED_BY: whoRuns(), ...env },
    cwd,
    stderr: 'pipe',
  })
  const printed = { err: '' }
  transport.stderr!.on('data', chunk => {
    printed.err += chunk
  })
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(transport)
  afterwards(() => client.close())

  async function call(name: string, given: Record<string, unknown> = {}): Promise<Told> {
    const result = await client.callTool({ name, arguments: given })
    const [first] = result.content as { text: string }[]
    return {
      text: first!.text,
      data: result.structuredContent,
      isError: result.isError === true,
      raw: JSON.stringify(result),
    }
  }
  return { client, transport, printed, call }
}

export type Agent = Awaited<ReturnType<typeof agentOf>>
