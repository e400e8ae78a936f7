import fc from 'fast-check'
import { operations, tableNames } from '../../../src/resources/index.ts'
import { bodiesOf, HINTS } from './bodies.ts'
import { records } from './fixtures.ts'
import { garbage, type Oddity, oddity } from './oddities.ts'
import { conditions, PARAMETERS, queryOf } from './queries.ts'
import { names } from './scenarios.ts'
import { fitting, ids, type Schema } from './schema.ts'
import { oddTarget } from './targets.ts'
import { edit, oddText, oddValue, oneIn, oneOf } from './values.ts'
import type { Message } from './wire.ts'
import { mark } from './world.ts'

type Value<T> = T extends fc.Arbitrary<infer V> ? V : never

/** A request with marks instead of ids. */
export interface Draft extends Pick<Message, 'area' | 'method' | 'target'> {
  /** The route that it was drafted for. */
  route: string
  /** Chooses the sandbox. */
  sandbox: number
  body?: { value: unknown; edits: Value<typeof edit>[]; spoil: (text: string) => string }
  oddity: Oddity
}

interface Operation {
  parameters?: { $ref?: string; name?: string; in?: string }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}
type Document = Schema & { paths: Record<string, Record<string, Operation>> }

interface Route extends Pick<Draft, 'area' | 'method'> {
  path: string
  table: string
  query: string[]
  body?: fc.Arbitrary<unknown>
}

const schemaOf = ({ requestBody }: Operation) => requestBody?.content['application/json']?.schema
/** The names of the parameters in the query; those that are references are called like the last part of them. */
const queryNames = ({ parameters = [] }: Operation) =>
  parameters
    .filter(each => each.in === 'query' || each.$ref)
    .map(({ name, $ref }) => name ?? $ref!.split('/').at(-1)!)
    .filter(name => name !== 'version')

const apiRoutes = (document: Document): Route[] =>
  operations.map(({ method, path, resource }) => {
    const operation = document.paths[path]![method.toLowerCase()]!
    const table = 'table' in resource ? resource.table : resource.of.table
    const schema = schemaOf(operation)
    return { area: 'api', method, path, table, query: queryNames(operation), body: schema && fitting(schema, document) }
  })

function controlRoutes(document: Document, scripted: boolean): Route[] {
  const bodyOf = bodiesOf(scripted)
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([lower, operation]): Route[] => {
      const [method, schema, query] = [lower.toUpperCase(), schemaOf(operation), queryNames(operation)]
      if (!path.includes('{collection}')) {
        const bare = path.replace(/^\/_sim(\/sandboxes\/\{sandbox\})?/, '')
        return [
          { area: 'control', method, path, table: '', query, body: schema && bodyOf(`${method} ${bare}`, schema) },
        ]
      }
      return tableNames.map(table => {
        const body = records.get(table)!.map(({ id, ...rest }) => (method === 'POST' ? { id, ...rest } : rest))
        return { area: 'db', method, path, table, query, body: schema && body }
      })
    }),
  )
}

const nameOf = ({ method, path, table }: Route) => `${method} ${path.replace('{collection}', table)}`

/** The path with marks and names for its parameters. */
function filled({ path, table }: Route): fc.Arbitrary<string> {
  const kinds: Record<string, fc.Arbitrary<string>> = {
    sandbox: fc.constant(mark('sandbox', 0)),
    collection: fc.constant(table),
    name: fc.oneof(ids(path === '/_sim/sandboxes/{name}' ? 'sandboxes' : 'snapshots'), names),
    edge_id: ids(path.includes('{id}') ? 'edge_of_route' : 'https_edges'),
    id: ids(table || 'requests'),
    subscription_id: ids('event_subscriptions'),
    type: oneOf('ip_policy_created.v0  api_key_deleted.v0  x'),
    file: oneOf('index.js  ../index.html  x'),
    page: oneOf('README.md  page.md  0005-speed.md  ..%2fREADME.md  x'),
  }
  const wanted = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => kinds[name!]!)
  return fc.tuple(...wanted).map(given => given.reduce((text, value) => text.replace(/\{\w+\}/, () => value), path))
}

function queryFor({ area, table, query }: Route): fc.Arbitrary<string> {
  const { pair, ...own } = area === 'db' ? conditions(table) : {}
  const beforeId = fc.oneof(ids(table), ids(table), fc.constantFrom('', 'ak_x', mark('deleted', 1), '__proto__'))
  const values: typeof PARAMETERS = { ...PARAMETERS, ...own, before_id: beforeId }
  const pairs = query.map(name => fc.tuple(fc.constant(name), (values[name] ?? HINTS[name] ?? oddText).map(String)))
  return queryOf(pair && query.length > 0 ? [pair, ...pairs] : pairs)
}

const METHODS = oneOf('GET  POST  PUT  PATCH  DELETE  HEAD  OPTIONS  TRACE  PROPFIND  PURGE  QUERY')
const NO_BODIES = fc.constantFrom(
  '',
  ' ',
  '{',
  'null',
  '[]',
  '"x"',
  '1',
  '{"a":1,"a":2}',
  '{}x',
  '\xef\xbb\xbf{}',
  '\xff\xfe',
)
type Spoil = (text: string) => string
const asIs: Spoil = text => text
const spoil: fc.Arbitrary<Spoil> = fc.oneof(
  fc.nat(200).map(cut => (text: string) => text.slice(0, -1 - (cut % text.length))),
  NO_BODIES.map(text => () => text),
)

/** A request to a route, mostly a good one, mutated now and then. */
function requestTo(route: Route): fc.Arbitrary<Draft> {
  const { area, method, body } = route
  const own = (value: fc.Arbitrary<unknown>) =>
    fc.record({
      value,
      edits: oneIn<Value<typeof edit>[]>(4, fc.array(edit, { minLength: 1, maxLength: 2 }), []),
      spoil: oneIn(30, spoil, asIs),
    })
  return fc.record({
    area: fc.constant(area),
    route: fc.constant(nameOf(route)),
    sandbox: fc.oneof(fc.constant(0), fc.nat(20)),
    method: oneIn(25, METHODS, method),
    target: fc
      .tuple(filled(route), oneIn(12, oddTarget, asIs), queryFor(route))
      .map(([text, change, query]) => change(text) + query),
    body: body ? own(body) : oneIn<Draft['body']>(40, own(oddValue), undefined),
    oddity: oneIn<Oddity>(8, oddity, () => ({})),
  })
}

/** Requests of all kinds; `scripted` ones may set scenarios that change answers. */
export function draftsFor(openapi: Document, control: Document, scripted: boolean) {
  const all = [...apiRoutes(openapi), ...controlRoutes(control, scripted)]
  const of = (area: Draft['area']) =>
    fc.oneof(
      ...all
        .filter(route => route.area === area)
        // It reads every scenario, which takes as long as 100 other requests.
        .map(route => ({ weight: route.path.endsWith('/scenarios') ? 1 : 10, arbitrary: requestTo(route) })),
    )
  const nowhere = fc
    .tuple(fc.oneof(of('api'), of('control')), oddTarget)
    .map(([draft, change]): Draft => ({ ...draft, area: 'nowhere', target: change(draft.target) }))
  const drafts = fc.oneof(
    { weight: 40, arbitrary: of('api') },
    { weight: 20, arbitrary: of('db') },
    { weight: 30, arbitrary: of('control') },
    { weight: 5, arbitrary: nowhere },
    {
      weight: 1,
      arbitrary: fc.tuple(of('api'), garbage).map(([draft, instead]): Draft => ({ ...draft, oddity: instead })),
    },
  )
  return { drafts, routes: all.map(nameOf) }
}
