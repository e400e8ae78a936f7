import { type ControlClient, ControlError } from '../client/control-client.ts'
import { hasCode } from '../contract/simulator-error.ts'
import { requestOf } from './request.ts'
import type { AgentTool } from './tools.ts'

/** Takes calls of tools to the simulator. */
export class Gateway {
  /** By sandbox: each sees to it that one simulator answers for it. */
  readonly #clients = new Map<string, ControlClient>()

  constructor(
    readonly control: ControlClient,
    readonly tools: Map<string, AgentTool>,
    /** The sandbox that calls are about where none is given. */
    readonly sandbox: string,
  ) {}

  async call(tool: AgentTool, given: Record<string, unknown>, signal: AbortSignal): Promise<unknown> {
    const { method, path, body, sandbox } = requestOf(tool, given, this.sandbox)
    try {
      return await this.#clientFor(sandbox).call(method, path, body, signal)
    } catch (error) {
      // It is gone, or was: that is told once. Who goes on has read that it must be made anew.
      const gone = hasCode(error, 'TWO_INSTANCES') || (error instanceof ControlError && error.status === 404)
      if (sandbox !== undefined && gone) this.#clients.delete(sandbox)
      throw error
    }
  }

  /** What is about no sandbox may be answered by any simulator behind a proxy. */
  #clientFor(sandbox: string | undefined): ControlClient {
    if (sandbox === undefined) return this.control.for('default')
    const client = this.#clients.get(sandbox) ?? this.control.for(sandbox)
    this.#clients.set(sandbox, client)
    return client
  }
}
