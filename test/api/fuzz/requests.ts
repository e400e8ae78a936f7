import type { AnySchemaObject } from 'ajv'
import fc from 'fast-check'
import { operations, tableNames } from '../../../src/resources/index.ts'
import { bodiesOf, HINTS } from './bodies.ts'
import { records } from './fixtures.ts'
import { garbage, type Oddity, oddity } from './oddities.ts'
import { conditions, PARAMETERS, queryOf } from './queries.ts'
import { names } from './scenarios.ts'
import { fitting, ids } from './schema.ts'
import { oddTarget, type Spoil } from './targets.ts'
import { type Edit, edit, mix, oddText, oddValue, oneIn, oneOf } from './values.ts'
import type { Message } from './wire.ts'
import { mark } from './world.ts'

/** A request with marks instead of ids. */
export interface Draft extends Pick<Message, 'area' | 'method' | 'target'> {
  /** The route that it was drafted for. */
  route: string
  /** Chooses the sandbox. */
  sandbox: number
  body?: { value: unknown; edits: Edit[]; spoil: Spoil }
  oddity: Oddity
}

interface Route extends Pick<Message, 'area' | 'method'> {
  path: string
  /** The names of its parameters. */
  query: string[]
  table?: string
  body?: fc.Arbitrary<unknown>
}

/** The routes of the API or of the control plane, with those of its records for each table. */
function routesOf(
  document: AnySchemaObject,
  bodyOf: (route: string, schema: AnySchemaObject) => Route['body'],
): Route[] {
  const all = Object.entries<object>(document.paths).flatMap(([path, methods]) =>
    Object.entries<AnySchemaObject>(methods as never).map(
      ([method, each]) => [method.toUpperCase(), path, each] as const,
    ),
  )
  return all.flatMap(([method, path, { parameters = [], requestBody }]): Route[] => {
    const schema = requestBody?.content['application/json']?.schema
    const body = schema && bodyOf(`${method} ${path.replace(/^\/_sim(\/sandboxes\/\{sandbox\})?/, '')}`, schema)
    const query = parameters
      .filter((each: AnySchemaObject) => each.in === 'query' || /limit|before_id/.test(each.$ref))
      .map(({ name, $ref }: AnySchemaObject) => name ?? $ref.split('/').at(-1))
    if (!path.startsWith('/_sim')) {
      const resource = operations.find(each => each.method === method && each.path === path)!.resource
      return [
        { area: 'api', method, path, query, table: 'table' in resource ? resource.table : resource.of.table, body },
      ]
    }
    if (!path.includes('{collection}')) return [{ area: 'control', method, path, query, body }]
    return tableNames.map(table => {
      const record = records.get(table)!.map(({ id, ...rest }) => (method === 'POST' ? { id, ...rest } : rest))
      return { area: 'db', method, path, query, table, body: schema && record }
    })
  })
}
const nameOf = ({ method, path, table }: Route) => `${method} ${path.replace('{collection}', table!)}`

/** The path with marks and names for its parameters; those of one path belong together, as a route and its edge. */
function filled({ path, table = 'requests' }: Route): fc.Arbitrary<string> {
  const marked: Record<string, string> = {
    sandbox: 'sandbox',
    name: path === '/_sim/sandboxes/{name}' ? 'sandboxes' : 'snapshots',
    edge_id: path.includes('{id}') ? 'edge_of_route' : 'https_edges',
    id: table,
    subscription_id: 'event_subscriptions',
  }
  const named: Record<string, fc.Arbitrary<string>> = {
    name: names,
    collection: fc.constant(table),
    type: oneOf('ip_policy_created.v0  api_key_deleted.v0  x'),
    file: oneOf('index.js  ../index.html  x'),
    page: oneOf('README.md  page.md  0005-speed.md  ..%2fREADME.md  x'),
  }
  const given = fc.record(named, { requiredKeys: ['collection', 'type', 'file', 'page'] })
  return fc
    .tuple(fc.nat(30), given)
    .map(([place, values]) =>
      path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? mark(marked[name]!, place)),
    )
}

function queryFor({ area, table = '', query }: Route): fc.Arbitrary<string> {
  const { pair, ...own } = area === 'db' ? conditions(table) : {}
  const before_id = fc.oneof(ids(table), ids(table), fc.constantFrom('', 'ak_x', mark('deleted', 1), '__proto__'))
  const values: typeof HINTS = { ...HINTS, ...PARAMETERS, ...own, before_id }
  const pairs = query.map(name => fc.tuple(fc.constant(name), (values[name] ?? oddText).map(String)))
  return queryOf(pair && query.length > 0 ? [pair, ...pairs] : pairs)
}

const METHODS = oneOf('GET  POST  PUT  PATCH  DELETE  HEAD  OPTIONS  TRACE  PROPFIND  PURGE  QUERY')
const NO_BODIES = ['', ' ', '{', 'null', '[]', '"x"', '1', '{"a":1,"a":2}', '{}x', '\xef\xbb\xbf{}', '\xff\xfe']
const asIs: Spoil = text => text
const spoil = fc.oneof<fc.Arbitrary<Spoil>[]>(
  fc.nat(200).map(cut => text => text.slice(0, -1 - (cut % text.length))),
  fc.constantFrom(...NO_BODIES).map(text => () => text),
)
const edits = oneIn<Edit[]>(4, fc.array(edit, { minLength: 1, maxLength: 2 }), [])
const bodyWith = (value: fc.Arbitrary<unknown>) => fc.record({ value, edits, spoil: oneIn(30, spoil, asIs) })

/** A request to a route, mostly a good one, mutated now and then. */
const requestTo = (route: Route): fc.Arbitrary<Draft> =>
  fc.record({
    area: fc.constant(route.area),
    route: fc.constant(nameOf(route)),
    sandbox: fc.oneof(fc.constant(0), fc.nat(20)),
    method: oneIn(25, METHODS, route.method),
    target: fc
      .tuple(filled(route), oneIn(12, oddTarget, asIs), queryFor(route))
      .map(([path, change, query]) => change(path) + query),
    body: route.body ? bodyWith(route.body) : oneIn<Draft['body']>(40, bodyWith(oddValue), undefined),
    oddity: oneIn<Oddity>(8, oddity, () => ({})),
  })

/** Requests of all kinds; `scripted` ones may set scenarios that change answers. */
export function draftsFor(openapi: AnySchemaObject, control: AnySchemaObject, scripted: boolean) {
  const bodyOf = bodiesOf(scripted)
  const routes = [...routesOf(openapi, (_, schema) => fitting(schema, openapi)), ...routesOf(control, bodyOf)]
  const [api, db, controls] = ['api', 'db', 'control'].map(area => {
    const own = routes.filter(route => route.area === area)
    // To read every scenario takes as long as 100 other requests.
    return mix(
      ...own.map(
        route => [route.path.endsWith('/scenarios') ? 1 : 10, requestTo(route)] as [number, fc.Arbitrary<Draft>],
      ),
    )
  })
  const nowhere = fc
    .tuple(fc.oneof(api!, controls!), oddTarget)
    .map(([draft, change]): Draft => ({ ...draft, area: 'nowhere', target: change(draft.target) }))
  const noRequest = fc.tuple(api!, garbage).map(([draft, instead]): Draft => ({ ...draft, oddity: instead }))
  return {
    drafts: mix([40, api!], [20, db!], [30, controls!], [5, nowhere], [1, noRequest]),
    routes: routes.map(nameOf),
  }
}
