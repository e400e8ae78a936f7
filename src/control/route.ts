import type { IncomingMessage, ServerResponse } from 'node:http'
import type * as z from 'zod'
import { fail } from '../errors.ts'
import type { JsonAnswer } from '../json-answer.ts'
import type { Sandbox } from '../sandbox/index.ts'
import { NAME } from '../words/name.ts'

/** What a control action is given. */
export interface ControlCall<B = unknown> {
  sandbox: Sandbox
  params: Record<string, string>
  query: URLSearchParams
  /** Checked against the row's schema. */
  body: B
  /** The address the caller used. */
  origin: string
  req: IncomingMessage
  res: ServerResponse
}

/** One row of the control plane. Rows that are not global exist below `/_sim/sandboxes/{sandbox}` too. */
export interface ControlRoute {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  path: string
  summary: string
  global?: true
  query?: Record<string, string>
  /** What the body must be; without it the row takes none. */
  body?: z.ZodType
  /** The statuses it answers with when all is well. */
  answers: (200 | 201 | 204)[]
  /** Undefined when the row has taken over the response itself. */
  run(call: ControlCall): JsonAnswer | undefined | Promise<JsonAnswer | undefined>
}

/** Gives the action its body in the type its schema has. */
export function route<S extends z.ZodType>(
  row: Omit<ControlRoute, 'run' | 'body'> & {
    body?: S
    run(call: ControlCall<z.infer<S>>): JsonAnswer | undefined | Promise<JsonAnswer | undefined>
  },
): ControlRoute {
  return row as unknown as ControlRoute
}

export const ok = (body: unknown): JsonAnswer => ({ status: 200, body })
export const created = (body: unknown): JsonAnswer => ({ status: 201, body })
export const done: JsonAnswer = { status: 204 }

/** Names become parts of paths, on disk too, so only this pattern is allowed. */
export function checkName(what: string, name: string): string {
  if (!NAME.test(name))
    fail('bad_request', { why: `${what} ${JSON.stringify(name.slice(0, 80))} must match ${NAME.source}` })
  return name
}
