import type { IncomingMessage, ServerResponse } from 'node:http'
import type * as z from 'zod'
import { fail } from '../contract/errors.ts'
import { NAME } from '../contract/names.ts'
import type { JsonAnswer } from '../http/json-answer.ts'
import type { Sandbox } from '../sandbox/index.ts'

/** The argument of a route's `run`. */
export interface ControlCall<B = unknown> {
  sandbox: Sandbox
  params: Record<string, string>
  query: URLSearchParams
  /** Checked against the route's schema. */
  body: B
  /** The address the caller used. */
  origin: string
  req: IncomingMessage
  res: ServerResponse
}

/** A route as a tool for coding agents, over the Model Context Protocol. */
export interface Tool {
  name: string
  /** What it does; the route's summary unless given. */
  summary?: string
  /** When to use it, in a sentence. */
  when: string
  effect: 'reads' | 'changes' | 'destroys'
  /** The result in a sentence: {member} stands for its value, {list rule} for `1 rule` or `2 rules`. */
  says: string
  /** The name of the argument that becomes the whole body, if its members are not known. */
  body?: string
  /** Query parameters that the tool always sets. */
  sets?: Record<string, string>
  /** Query parameters that the tool requires. */
  needs?: string[]
  /** By list in the answer: the members of its items to show. */
  brief?: Record<string, string[]>
}

/** A route of the control plane. Routes that are not global also exist under `/_sim/sandboxes/{sandbox}`. */
export interface ControlRoute {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  path: string
  summary: string
  global?: true
  /** Descriptions of its parameters, in the path and in the query. */
  params?: Record<string, string>
  query?: Record<string, string>
  /** The schema of the body; without it a body is rejected. */
  body?: z.ZodType
  /** The statuses of success. */
  answers: (200 | 201 | 204)[]
  tools?: Tool[]
  /** Returns undefined if it writes the response itself. */
  run(call: ControlCall): JsonAnswer | undefined | Promise<JsonAnswer | undefined>
}

/** Declares a route whose `run` gets the body in the type of its schema. */
export function route<S extends z.ZodType>(
  declared: Omit<ControlRoute, 'run' | 'body'> & {
    body?: S
    run(call: ControlCall<z.infer<S>>): JsonAnswer | undefined | Promise<JsonAnswer | undefined>
  },
): ControlRoute {
  return declared as unknown as ControlRoute
}

const toolOf =
  (effect: Tool['effect']) =>
  (name: string, when: string, says: string, more: Partial<Tool> = {}): Tool => ({ name, effect, when, says, ...more })
export const reads = toolOf('reads')
export const changes = toolOf('changes')
export const destroys = toolOf('destroys')

export const ok = (body: unknown): JsonAnswer => ({ status: 200, body })
export const created = (body: unknown): JsonAnswer => ({ status: 201, body })
export const done: JsonAnswer = { status: 204 }

/** Fails for other names: names become parts of paths, also on disk. */
export function checkName(what: string, name: string): string {
  if (!NAME.test(name))
    fail('bad_request', { why: `${what} ${JSON.stringify(name.slice(0, 80))} must match ${NAME.source}` })
  return name
}
