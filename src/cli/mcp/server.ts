import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CallToolRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js'
import { didYouMean, nearest } from '../../basics/nearest.ts'
import { SimulatorError } from '../../contract/simulator-error.ts'
import { version } from '../../engine/files/package.ts'
import { ArgumentError } from './arguments.ts'
import type { Gateway } from './gateway.ts'
import { prompts, promptText } from './prompts.ts'
import { resources } from './resources.ts'
import { errorResultOf, resultOf } from './results.ts'
import type { AgentTool } from './tools.ts'

const INSTRUCTIONS = `edgesim is a local simulator of a management API: API keys, IP restrictions, edges. Create a sandbox and use its url and token in your code (create_sandbox), inject faults (use_scenario), explain a response (explain_request), and verify the requests of your code (verify_requests). simulator_info returns the address. edgesim://docs/agents.md has an example. More tools, for records, snapshots, edges and events: edgesim mcp --all-tools.`

/** Serves a simulator over the Model Context Protocol: its routes are tools, its documents are resources. */
export function createAgentServer(ready: Promise<Gateway>): Server {
  const server = new Server(
    { name: 'edgesim', title: 'edgesim', version },
    { capabilities: { tools: {}, resources: {}, prompts: {} }, instructions: INSTRUCTIONS },
  )

  server.setRequestHandler(ListToolsRequestSchema, async () => {
    const { tools } = await ready
    return { tools: [...tools.values()].map(describe) }
  })
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
    const gateway = await ready
    if (gateway.others.includes(params.name))
      throw new McpError(ErrorCode.InvalidParams, `The tool ${params.name} requires edgesim mcp --all-tools.`)
    const tool = choose('tool', params.name, gateway.tools)
    try {
      return resultOf(tool, await gateway.call(tool, params.arguments ?? {}, signal))
    } catch (error) {
      // Errors that the agent can fix are results. All others are bugs.
      if (error instanceof ArgumentError || error instanceof SimulatorError) return errorResultOf(tool, error)
      throw error
    }
  })

  server.setRequestHandler(ListResourcesRequestSchema, () => ({
    resources: resources().map(({ read: _read, ...resource }) => resource),
  }))
  // Some clients always request templates, and treat "method not found" as a failure.
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: [] }))
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }, { signal }) => {
    const { mimeType, read } = choose('resource', uri, new Map(resources().map(each => [each.uri, each])))
    return { contents: [{ uri, mimeType, text: await read(await ready, signal) }] }
  })

  server.setRequestHandler(ListPromptsRequestSchema, () => ({
    prompts: prompts.map(({ text: _text, ...prompt }) => prompt),
  }))
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) => {
    const prompt = choose('prompt', params.name, new Map(prompts.map(each => [each.name, each])))
    try {
      const text = promptText(prompt, params.arguments ?? {})
      return { description: prompt.description, messages: [{ role: 'user', content: { type: 'text', text } }] }
    } catch (error) {
      if (error instanceof ArgumentError) throw new McpError(ErrorCode.InvalidParams, error.message)
      throw error
    }
  })
  return server
}

function choose<T>(what: string, name: string, known: Map<string, T>): T {
  const found = known.get(name)
  if (found !== undefined) return found
  const hint = `${didYouMean(nearest(name, known.keys()))} Known: ${[...known.keys()].join(', ')}.`
  throw new McpError(ErrorCode.InvalidParams, `Unknown ${what} ${JSON.stringify(name.slice(0, 80))}.${hint}`)
}

const describe = ({ name, summary, when, effect, input }: AgentTool): Tool => ({
  name,
  title: summary,
  description: `${summary}. ${when}`,
  inputSchema: input,
  annotations: {
    readOnlyHint: effect === 'reads',
    destructiveHint: effect === 'destroys',
    openWorldHint: false,
  },
})
