import { hasCode } from '../../contract/simulator-error.ts'
import type { ControlClient } from '../../library/control-client.ts'
import { ControlError } from '../../library/errors.ts'
import { requestOf } from './arguments.ts'
import type { AgentTool } from './tools.ts'

/** Sends tool calls to the simulator. */
export class Gateway {
  /** By sandbox: each client checks that the same simulator always responds for its sandbox. */
  readonly #clients = new Map<string, ControlClient>()

  constructor(
    readonly control: ControlClient,
    /** The offered tools. */
    readonly tools: Map<string, AgentTool>,
    /** Tools that need `--all-tools`. */
    readonly others: string[],
    /** The default sandbox of calls. */
    readonly sandbox: string,
  ) {}

  async call(tool: AgentTool, given: Record<string, unknown>, signal: AbortSignal): Promise<unknown> {
    const { method, path, body, sandbox } = requestOf(tool, given, this.sandbox)
    try {
      return await this.#clientFor(sandbox).call(method, path, body, signal)
    } catch (error) {
      // The sandbox was deleted. Later calls may use a new sandbox with that name.
      const gone = hasCode(error, 'TWO_INSTANCES') || (error instanceof ControlError && error.status === 404)
      if (sandbox !== undefined && gone) this.#clients.delete(sandbox)
      throw error
    }
  }

  /** A call without a sandbox gets a new client: behind a proxy, any simulator may respond. */
  #clientFor(sandbox: string | undefined): ControlClient {
    if (sandbox === undefined) return this.control.for('default')
    const client = this.#clients.get(sandbox) ?? this.control.for(sandbox)
    this.#clients.set(sandbox, client)
    return client
  }
}
