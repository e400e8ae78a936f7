import type { IncomingMessage } from 'node:http'
import { nearest } from '../../basics/nearest.ts'
import { fail } from '../../contract/errors.ts'
import type { OperationName } from '../../contract/shapes.ts'
import type { Operation } from '../../engine/language/index.ts'
import type { Call } from '../../engine/sandbox/index.ts'
import { operations } from '../../ngrok/resources/index.ts'

/** Sets the operation of a call and its parameters, or fails with 404 or 405. */
export function routeCall(call: Call, req: IncomingMessage, route: Route | undefined) {
  if (!route) failNotFound(call)
  checkNeighbours(call, route)
  call.operation = route.methods.get(req.method!) ?? failMethod(call, req, [...route.methods.keys()])
  call.entry.operation = call.operation.id as OperationName
  call.params = route.params
}

/** docs/api.md 10: edges can be assumed to be retired. Their operations are below this path. */
const EDGES = '/edges/'

export function checkEdges(call: Call) {
  const error = retiredEdges(call)
  if (error) fail(error, { method: call.entry.method, path: call.entry.path })
}

/** Documented operations record the assumption only if it was changed. */
function retiredEdges(call: Call): 'edges_gone' | 'edges_read_only' | undefined {
  const { path, method } = call.entry
  if (!path.startsWith(EDGES)) return undefined
  if (call.assumed('edges') === 'available' && !call.operation!.neighbour) return undefined
  const edges = call.assume('edges')
  if (edges === 'gone') return 'edges_gone'
  return edges === 'read_only' && method !== 'GET' ? 'edges_read_only' : undefined
}

function failNotFound({ entry: { path } }: Call, served = operations): never {
  const paths = served.map(operation => operation.path)
  fail('not_found', { what: `path ${path}`, nearest: nearest(path, paths) })
}

/** docs/api.md 10: neighbours can be assumed absent. */
function checkNeighbours(call: Call, { isNeighbour }: Route) {
  if (!isNeighbour || call.assume('neighbours') !== 'absent') return
  const own = operations.filter(({ neighbour }) => !neighbour)
  failNotFound(call, own)
}

function failMethod({ entry: { path } }: Call, { method, headers }: IncomingMessage, allow: string[]): never {
  const isPreflight = method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
  const preflight = isPreflight ? headers.origin?.slice(0, 100) : undefined
  fail('method_not_allowed', { method: method!, path, allow, preflight }, { Allow: allow.join(', ') })
}

/** A node in the tree of paths. */
interface Node {
  /** By the next segment. */
  next: Map<string, Node>
  /** For a parameter, which matches any segment. */
  any?: Node
  /** The operations at this path, by method. */
  methods: Map<string, Operation>
  isNeighbour: boolean
  /** The path parameters, in order. */
  names: string[]
}

const newNode = (): Node => ({ next: new Map(), methods: new Map(), isNeighbour: false, names: [] })

export interface Route {
  methods: Map<string, Operation>
  isNeighbour: boolean
  params: Record<string, string>
}

/** Compiles the API paths, so the lookup time does not depend on the number of routes. */
export function compileRoutes(): (path: string) => Route | undefined {
  const root = newNode()
  for (const operation of operations) {
    const { node, names } = nodeAt(root, operation.path)
    node.methods.set(operation.method, operation)
    node.isNeighbour = operation.neighbour
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
  return { methods: node.methods, isNeighbour: node.isNeighbour, params }
}
