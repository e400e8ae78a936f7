import type { IncomingMessage } from 'node:http'
import { nearest } from '../../basics/nearest.ts'
import { fail } from '../../engine/error.ts'
import type { Catalog, Operation } from '../../engine/language/index.ts'
import type { Call } from '../../engine/sandbox/index.ts'
import { errors } from '../errors.ts'

/** Sets the operation of a call and its parameters, or fails with 404 or 405. */
export function routeCall(call: Call, req: IncomingMessage, route: Route | undefined) {
  if (!route) failNotFound(call)
  checkServed(call, route)
  call.operation = route.methods.get(req.method!) ?? failMethod(call, req, [...route.methods.keys()])
  call.entry.operation = call.operation.id
  call.params = route.params
}

function failNotFound({ entry: { path }, api }: Call, served = api.catalog.operations): never {
  const paths = served.map(operation => operation.path)
  fail(errors.not_found, { what: `path ${path}`, nearest: nearest(path, paths) })
}

/** Some paths may be assumed absent, with all their methods. */
function checkServed(call: Call, { methods }: Route) {
  const { serves, catalog } = call.api
  if (!serves || serves(call, methods.values().next().value!)) return
  failNotFound(
    call,
    catalog.operations.filter(operation => serves(call, operation)),
  )
}

function failMethod({ entry: { path } }: Call, { method, headers }: IncomingMessage, allow: string[]): never {
  const isPreflight = method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
  const preflight = isPreflight ? headers.origin?.slice(0, 100) : undefined
  fail(errors.method_not_allowed, { method: method!, path, allow, preflight }, { Allow: allow.join(', ') })
}

/** A node in the tree of paths. */
interface Node {
  /** By the next segment. */
  next: Map<string, Node>
  /** For a parameter, which matches any segment. */
  any?: Node
  /** The operations at this path, by method. */
  methods: Map<string, Operation>
  /** The path parameters, in order. */
  names: string[]
}

const newNode = (): Node => ({ next: new Map(), methods: new Map(), names: [] })

export interface Route {
  methods: Map<string, Operation>
  params: Record<string, string>
}

/** Compiles the API paths, so the lookup time does not depend on the number of routes. */
export function compileRoutes({ operations }: Catalog): (path: string) => Route | undefined {
  const root = newNode()
  for (const operation of operations) {
    const { node, names } = nodeAt(root, operation.path)
    node.methods.set(operation.method, operation)
    node.names = names
  }
  return path => follow(root, path)
}

function nodeAt(root: Node, path: string): { node: Node; names: string[] } {
  let node = root
  const names: string[] = []
  for (const segment of path.split('/').slice(1)) {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1]
    const next: Node = (name ? node.any : node.next.get(segment)) ?? newNode()
    if (name) {
      node.any = next
      names.push(name)
    } else node.next.set(segment, next)
    node = next
  }
  return { node, names }
}

function follow(root: Node, path: string): Route | undefined {
  let node = root
  const values: string[] = []
  for (let from = 1; from <= path.length; ) {
    const slash = path.indexOf('/', from)
    const to = slash < 0 ? path.length : slash
    const segment = path.slice(from, to)
    const known = node.next.get(segment)
    if (known) node = known
    else if (node.any && segment !== '') {
      values.push(segment.includes('%') ? decodeURIComponent(segment) : segment)
      node = node.any
    } else return undefined
    from = to + 1
  }
  if (node.methods.size === 0) return undefined
  const params: Record<string, string> = {}
  for (let i = 0; i < values.length; i++) params[node.names[i]!] = values[i]!
  return { methods: node.methods, params }
}
