import type { Sandbox } from '../sandbox/index.ts'

/** What a control action is given. */
export interface ControlCall {
  sandbox: Sandbox
  params: Record<string, string>
  query: URLSearchParams
  body: unknown
  /** The address the caller used. */
  origin: string
}

export interface ControlReply {
  status: number
  body?: unknown
  headers?: Record<string, string>
}

/** One row of the control plane. Rows that are not global exist below `/_sim/sandboxes/{name}` too. */
export interface ControlRoute {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  path: string
  summary: string
  global?: true
  takesBody?: true
  run(call: ControlCall): ControlReply | Promise<ControlReply>
}

export const ok = (body: unknown): ControlReply => ({ status: 200, body })
export const created = (body: unknown): ControlReply => ({ status: 201, body })
export const done: ControlReply = { status: 204 }
