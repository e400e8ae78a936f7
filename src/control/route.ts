import type { IncomingMessage, ServerResponse } from 'node:http'
import type * as z from 'zod'
import type { Lengths } from '../basics/json-lengths.ts'
import { suggest } from '../basics/nearest.ts'
import { fail } from '../contract/errors.ts'
import { NAME } from '../contract/names.ts'
import type { JsonReply } from '../http/json-reply.ts'
import type { Sandbox } from '../sandbox/index.ts'

/** The argument of a route's `run`. */
export interface Call<B = unknown> {
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
export interface Route<B = unknown> {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  path: string
  summary: string
  global?: true
  /** Descriptions of its parameters, in the path and in the query. */
  params?: Record<string, string>
  query?: Record<string, string>
  /** The schema of the body; without it a body is rejected. */
  body?: z.ZodType<B>
  /** How long the parts of the body may be; as those of most bodies unless given. */
  lengths?: Lengths
  /** The statuses of success, the usual one first. */
  statuses: (200 | 201 | 204)[]
  tool?: Tool | Tool[]
  /** Returns the body of the usual answer, or another answer. It may also write the response itself. */
  run(call: Call<B>): unknown
}

/** The paths of a route, with its parameters in braces. */
export const pathsOf = ({ path, global }: Route): string[] =>
  global ? [`/_sim${path}`] : [`/_sim${path}`, `/_sim/sandboxes/{sandbox}${path}`]

/** Declares a route; its answer has the status 200 unless it says otherwise. */
const routeWith =
  (method: Route['method']) =>
  <B>(
    path: string,
    summary: string,
    rest: Omit<Route<B>, 'method' | 'path' | 'summary' | 'statuses'> & Partial<Pick<Route, 'statuses'>>,
  ) =>
    ({ method, path, summary, statuses: [200], ...rest }) as Route
export const get = routeWith('get')
export const post = routeWith('post')
export const put = routeWith('put')
export const patch = routeWith('patch')
export const del = routeWith('delete')

/** An answer that is not the usual one of its route. */
export class Reply implements JsonReply {
  constructor(
    readonly status: number,
    readonly body?: unknown,
    readonly headers?: Record<string, string>,
  ) {}
}

const toolOf =
  (effect: Tool['effect']) =>
  (name: string, when: string, says: string, more: Partial<Tool> = {}): Tool => ({ name, effect, when, says, ...more })
export const reads = toolOf('reads')
export const changes = toolOf('changes')
export const destroys = toolOf('destroys')

/** Fails for other names: names become parts of paths, also on disk. */
export function checkName(what: string, name: string): string {
  if (!NAME.test(name)) reject(`${what} ${quoted(name)} must match ${NAME.source}`)
  return name
}

/** A member of a body that may be left out. */
export const optional = <S extends z.ZodType>(schema: S, description: string) =>
  schema.optional().meta({ description }) as z.ZodOptional<S>

/** Refuses a request of the control plane. */
export function reject(why: string): never {
  fail('bad_request', { why })
}

export function rejectUnknown(what: string, name: string, known: readonly string[]): never {
  reject(`There is no ${what} ${quoted(name)}.${suggest(name, known)}`)
}

/** The beginning of a text from outside, in quotes. */
export const quoted = (text: string) => JSON.stringify(text.slice(0, 80))
