import fc from 'fast-check'
import { operations, tableNames } from '../../../src/resources/index.ts'
import { controlBodies } from './bodies.ts'
import { records } from './fixtures.ts'
import { NO_REQUESTS, oddHeaders, type Spice } from './headers.ts'
import { queryFor } from './queries.ts'
import { names } from './scenarios.ts'
import { fitting, type Schema } from './schema.ts'
import { oddTarget } from './targets.ts'
import { type Edit, edit, oddValue } from './values.ts'
import { mark } from './world.ts'

/** A request with marks instead of ids. */
export interface Draft extends Spice {
  /** Its name in the report. */
  area: 'api' | 'db' | 'control' | 'nowhere' | 'framing' | 'garbage'
  /** Chooses the sandbox. */
  sandbox: number
  method: string
  target: string
  body?: { value: unknown; edits: Edit[]; cut?: number; text?: string }
}

interface Place {
  area: Draft['area']
  method: string
  path: fc.Arbitrary<string>
  query: fc.Arbitrary<string>
  body?: fc.Arbitrary<unknown>
  /** 10 unless given. */
  weight?: number
}

const nat = fc.nat(30)
const oneIn = <T>(many: number, arbitrary: fc.Arbitrary<T>, otherwise: T) =>
  fc.oneof({ weight: many - 1, arbitrary: fc.constant(otherwise) }, { weight: 1, arbitrary })

/** The documents that describe the routes and their bodies. */
export interface Documents {
  openapi: { paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema: Schema }> } }>> }
  control: { paths: Record<string, object> }
}

function apiPlaces({ openapi }: Documents): Place[] {
  const root = openapi as unknown as Schema
  return operations.map(({ method, path, kind, resource }) => {
    const table = 'table' in resource ? resource.table : resource.of.table
    const filled = nat.map(place =>
      path
        .replace('{edge_id}', mark(path.includes('{id}') ? 'edge_of_route' : 'https_edges', place))
        .replace('{id}', mark(table, place)),
    )
    const schema = openapi.paths[path]?.[method.toLowerCase()]?.requestBody?.content['application/json']?.schema
    return {
      area: 'api',
      method,
      path: filled,
      query: queryFor(kind === 'list' ? 'list' : 'none', table),
      body: schema && fitting(schema, root),
    }
  })
}

const PARAMS: Record<string, fc.Arbitrary<string>> = {
  sandbox: fc.constant(mark('sandbox', 0)),
  name: fc.oneof(
    nat.map(place => mark('snapshots', place)),
    names,
  ),
  id: nat.map(place => mark('requests', place)),
  file: fc.constantFrom('index.js', '../index.html', 'x'),
  page: fc.constantFrom('README.md', 'page.md', '0005-speed.md', '..%2fREADME.md', 'x'),
}
/** Routes of sandboxes by name. */
const sandboxName = fc.oneof(
  nat.map(place => mark('sandboxes', place)),
  names,
)

function filledPath(path: string): fc.Arbitrary<string> {
  const wanted = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
  const values = wanted.map(name => (path === '/_sim/sandboxes/{name}' ? sandboxName : PARAMS[name]!))
  return fc.tuple(...values).map(given => given.reduce((text, value, i) => text.replace(`{${wanted[i]}}`, value), path))
}

function controlPlaces({ control }: Documents, scripted: boolean): Place[] {
  const bodies = controlBodies(scripted)
  return Object.entries(control.paths).flatMap(([path, methods]) =>
    Object.keys(methods).flatMap((lower): Place[] => {
      const method = lower.toUpperCase()
      if (path.includes('{collection}')) return dbPlaces(method, path)
      const bare = path.replace(/^\/_sim(\/sandboxes\/\{sandbox\})?/, '')
      const query = queryFor(bare === '/requests' ? 'journal' : bare === '/scenario' ? 'scenario' : 'none')
      // It reads every scenario, which takes as long as 100 other requests.
      const weight = bare === '/scenarios' ? 1 : undefined
      return [{ area: 'control', method, path: filledPath(path), query, body: bodies[`${method} ${bare}`], weight }]
    }),
  )
}

const dbPlaces = (method: string, path: string): Place[] =>
  tableNames.map(table => ({
    area: 'db',
    method,
    path: nat.map(place =>
      path.replace('{sandbox}', mark('sandbox', 0)).replace('{collection}', table).replace('{id}', mark(table, place)),
    ),
    query: queryFor(path.endsWith('{collection}') && method === 'GET' ? 'records' : 'none', table),
    body: ['POST', 'PUT', 'PATCH'].includes(method)
      ? records.get(table)!.map(value => (method === 'POST' ? value : withoutId(value)))
      : undefined,
  }))

function withoutId(value: unknown) {
  const { id: _, ...rest } = value as Record<string, unknown>
  return rest
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'PURGE', 'QUERY']
type Body = NonNullable<Draft['body']>
const strayBody: fc.Arbitrary<Body> = oddValue.map(value => ({ value, edits: [] }))

/** A request to a route, mostly a good one, mutated now and then. */
function requestTo({ area, method, path, query, body }: Place): fc.Arbitrary<Draft> {
  const ownBody: fc.Arbitrary<Body | undefined> | undefined =
    body &&
    fc.record({
      value: body,
      edits: oneIn<Edit[]>(4, fc.array(edit, { minLength: 1, maxLength: 2 }), []),
      cut: oneIn<number | undefined>(60, fc.nat(200), undefined),
      text: oneIn<string | undefined>(
        60,
        fc.constantFrom('', ' ', '{', 'null', '[]', '"x"', '1', '\ufeff{}', '{"a":1,"a":2}', '{}x', '\xff\xfe'),
        undefined,
      ),
    })
  return fc
    .record({
      area: fc.constant(area),
      sandbox: fc.oneof(fc.constant(0), fc.nat(20)),
      method: oneIn(25, fc.constantFrom(...METHODS), method),
      target: fc
        .tuple(
          fc
            .tuple(
              path,
              oneIn(12, oddTarget, (text: string) => text),
            )
            .map(([text, spoil]) => spoil(text)),
          query,
        )
        .map(([text, search]) => text + search),
      body: ownBody ?? oneIn<Body | undefined>(40, strayBody, undefined),
      spice: oneIn(8, oddHeaders, {}),
    })
    .map(({ spice, ...draft }) => ({ ...draft, ...spice }))
}

const garbage: fc.Arbitrary<Draft> = fc.record({
  area: fc.constant('garbage' as const),
  sandbox: fc.nat(20),
  method: fc.constant('GET'),
  target: fc.constant(''),
  bytes: fc.oneof(
    fc.constantFrom(...NO_REQUESTS),
    fc.uint8Array({ maxLength: 40 }).map(bytes => Buffer.from(bytes).toString('latin1')),
  ),
  end: fc.constantFrom('fin' as const, 'reset' as const),
})

/** Requests of all kinds; `scripted` ones may set scenarios that change answers. */
export function requests(documents: Documents, scripted = false): fc.Arbitrary<Draft> {
  const places = [...apiPlaces(documents), ...controlPlaces(documents, scripted)]
  const of = (area: Draft['area']) =>
    fc.oneof(
      ...places
        .filter(place => place.area === area)
        .map(place => ({ weight: place.weight ?? 10, arbitrary: requestTo(place) })),
    )
  const nowhere = fc
    .tuple(fc.oneof(of('api'), of('control')), oddTarget)
    .map(([draft, spoil]): Draft => ({ ...draft, area: 'nowhere', target: spoil(draft.target) }))
  return fc.oneof(
    { weight: 40, arbitrary: of('api') },
    { weight: 20, arbitrary: of('db') },
    { weight: 30, arbitrary: of('control') },
    { weight: 5, arbitrary: nowhere },
    { weight: 1, arbitrary: garbage },
  )
}
