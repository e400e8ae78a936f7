import fc from 'fast-check'
import { operations, tableNames } from '../../../../src/ngrok/resources/index.ts'
import { bodiesOf, HINTS } from './bodies.ts'
import { records } from './fixtures.ts'
import { garbage, type Oddity, oddity } from './oddities.ts'
import { conditions, PARAMETERS, queryOf } from './queries.ts'
import { names } from './scenarios.ts'
import { fitting, ids, type Schema } from './schema.ts'
import { oddTarget, type Spoil } from './targets.ts'
import { type Edit, edit, mix, oddText, oddValue, oneIn, oneOf } from './values.ts'
import type { Message } from './wire.ts'
import { mark } from './world.ts'

/** A request with marks instead of ids. */
export interface Draft extends Pick<Message, 'area' | 'method' | 'target'> {
  route: string
  sandbox: number
  body?: { value: unknown; edits: Edit[]; spoil: Spoil }
  oddity: Oddity
}

interface Route extends Pick<Message, 'area' | 'method'> {
  path: string
  query: string[]
  table?: string
  body?: fc.Arbitrary<unknown>
}

/** The routes of an OpenAPI document, with one per table for records. */
function* routesOf(document: Schema, bodyOf: (route: string, schema: Schema) => Route['body']): Generator<Route> {
  for (const [path, methods] of Object.entries<Schema>(document.paths))
    for (const [lower, { parameters = [], requestBody }] of Object.entries<Schema>(methods)) {
      const method = lower.toUpperCase()
      const schema = requestBody?.content['application/json']?.schema
      const body = schema && bodyOf(`${method} ${path.replace(/^\/_sim(\/sandboxes\/\{sandbox\})?/, '')}`, schema)
      const names: string[] = parameters.map((each: Schema) => each.name ?? each.$ref.split('/').at(-1))
      const query = names.filter(name => name !== 'version' && !path.includes(`{${name}}`))
      if (path.includes('{collection}'))
        for (const table of tableNames) {
          const record = records.get(table)!.map(({ id, ...rest }) => (method === 'POST' ? { id, ...rest } : rest))
          yield { area: 'db', method, path, query, table, body: schema && record }
        }
      else if (path.startsWith('/_sim')) yield { area: 'control', method, path, query, body }
      else {
        const { resource } = operations.find(each => each.method === method && each.path === path)!
        const { table } = 'table' in resource ? resource : resource.of
        yield { area: 'api', method, path, query, table, body }
      }
    }
}
const nameOf = ({ method, path, table }: Route) => `${method} ${path.replace('{collection}', table!)}`

/** Fills the path parameters. Ids in one path belong together, such as a route and its edge. */
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
    page: oneOf('README.md  keys.md  0001-state.md  ..%2fREADME.md  x'),
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

/** Requests of all kinds. `scripted` ones may set scenarios that change responses. */
export function draftsFor(openapi: Schema, control: Schema, scripted: boolean) {
  const bodyOf = bodiesOf(scripted)
  const routes = [...routesOf(openapi, (_, schema) => fitting(schema, openapi)), ...routesOf(control, bodyOf)]
  const [api, db, controls] = ['api', 'db', 'control'].map(area => {
    const own = routes.filter(route => route.area === area)
    // Listing scenarios takes as long as 100 other requests.
    const weightOf = ({ path }: Route) => (path.endsWith('/scenarios') ? 1 : 10)
    return fc.oneof(...own.map(route => ({ weight: weightOf(route), arbitrary: requestTo(route) })))
  })
  const nowhere = fc
    .tuple(fc.oneof(api!, controls!), oddTarget)
    .map(([draft, change]): Draft => ({ ...draft, area: 'nowhere', target: change(draft.target) }))
  const noRequest = fc.tuple(api!, garbage).map(([draft, instead]): Draft => ({ ...draft, oddity: instead }))
  const drafts = mix([40, api!], [20, db!], [30, controls!], [5, nowhere], [1, noRequest])
  return { drafts, routes: routes.map(nameOf) }
}
