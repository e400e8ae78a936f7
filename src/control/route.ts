import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Lengths } from '../basics/json-lengths.ts'
import { suggest } from '../basics/nearest.ts'
import type { Shape } from '../basics/shape.ts'
import { NAME } from '../contract/names.ts'
import { fail } from '../engine/error.ts'
import { errors } from '../engine/errors.ts'
import type { Sandbox } from '../engine/sandbox/index.ts'
import type { JsonReply } from '../server/http/json-reply.ts'

/** The argument of a route's `run`. */
export interface Call<B = unknown> {
  sandbox: Sandbox
  params: Record<string, string>
  query: URLSearchParams
  /** Checked by the route's shape. */
  body: B
  /** The address used by the caller. */
  origin: string
  req: IncomingMessage
  res: ServerResponse
}

/** A route of the control API. Routes that are not global also exist under `/_sim/sandboxes/{sandbox}`. */
export interface Route<B = unknown> {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  path: string
  summary: string
  global?: true
  /** Descriptions of path and query parameters. */
  params?: Record<string, string>
  query?: Record<string, string>
  /** The shape of the body. Without it, a body is rejected. */
  body?: Shape<B>
  /** The limits of the body (default: `BODY`). */
  lengths?: Lengths
  /** The success statuses, the default first. */
  statuses: (200 | 201 | 204)[]
  /** Returns the body of the default response, or a `Reply`. It may also write the response itself. */
  run(call: Call<B>): unknown
}

/** With parameters in braces. */
export const pathsOf = ({ path, global }: Route): string[] =>
  global ? [`/_sim${path}`] : [`/_sim${path}`, `/_sim/sandboxes/{sandbox}${path}`]

/** Declares a route (default status: 200). */
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

/** A response other than the route's default. */
export class Reply implements JsonReply {
  constructor(
    readonly status: number,
    readonly body?: unknown,
    readonly headers?: Record<string, string>,
  ) {}
}

/** Rejects other names, because names are used in URLs and file paths. */
export function checkName(what: string, name: string): string {
  if (!NAME.test(name)) reject(`${what} ${quoted(name)} must match ${NAME.source}`)
  return name
}

/** An optional field of a body. */
export const optional = <T>(shape: Shape<T>, describe?: string) => ({ shape, describe })

export function reject(why: string): never {
  fail(errors.bad_request, { why })
}

export function rejectUnknown(what: string, name: string, known: readonly string[]): never {
  reject(`Unknown ${what} ${quoted(name)}.${suggest(name, known)}`)
}

/** The beginning of an untrusted string, in quotes. */
export const quoted = (text: string) => JSON.stringify(text.slice(0, 80))
