import type { IncomingMessage, ServerResponse } from 'node:http'
import type * as z from 'zod'
import { fail } from '../contract/errors.ts'
import { NAME } from '../contract/names.ts'
import type { JsonAnswer } from '../http/json-answer.ts'
import type { Sandbox } from '../sandbox/index.ts'

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

/** How a row is offered to coding agents, over the Model Context Protocol. */
export interface Tool {
  name: string
  /** What it does, where that is not what the row does. */
  summary?: string
  /** When to use it, in a sentence. */
  when: string
  effect: 'reads' | 'changes' | 'destroys'
  /** The result in a sentence: {member} stands for its value, {list rule} for `1 rule` or `2 rules`. */
  says: string
  /** The argument that the whole body is, where its members are not known. */
  body?: string
  /** Parameters of the query that it sets itself. */
  sets?: Record<string, string>
  /** Parameters of the query that it cannot do without. */
  needs?: string[]
  /** Of lists in the answer: the members of an item that are worth showing. */
  brief?: Record<string, string[]>
}

/** One row of the control plane. Rows that are not global exist below `/_sim/sandboxes/{sandbox}` too. */
export interface ControlRoute {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  path: string
  summary: string
  global?: true
  /** What its parameters are, in words: those in the path, those of the query. */
  params?: Record<string, string>
  query?: Record<string, string>
  /** What the body must be; without it the row takes none. */
  body?: z.ZodType
  /** The statuses it answers with when all is well. */
  answers: (200 | 201 | 204)[]
  tools?: Tool[]
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

const toolOf =
  (effect: Tool['effect']) =>
  (name: string, when: string, says: string, more: Partial<Tool> = {}): Tool => ({ name, effect, when, says, ...more })
export const reads = toolOf('reads')
export const changes = toolOf('changes')
export const destroys = toolOf('destroys')

export const ok = (body: unknown): JsonAnswer => ({ status: 200, body })
export const created = (body: unknown): JsonAnswer => ({ status: 201, body })
export const done: JsonAnswer = { status: 204 }

/** Names become parts of paths, on disk too, so only this pattern is allowed. */
export function checkName(what: string, name: string): string {
  if (!NAME.test(name))
    fail('bad_request', { why: `${what} ${JSON.stringify(name.slice(0, 80))} must match ${NAME.source}` })
  return name
}
