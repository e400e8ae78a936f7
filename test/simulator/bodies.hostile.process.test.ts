import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../support/afterwards.ts'
import { LONG, LONG_MS } from '../support/long.ts'
import { type Shape, shapesOf } from './loop/shapes.ts'
import { startWatched } from './loop/watch.ts'

type Json = Record<string, unknown>

/** CPU time of one turn. */
const MOST_MS = 150
/** The same for a state of 15 MB. */
const LARGE_STATE_MS = 800
/** The first runs also compile code. */
const TIMES = 4
/** Only `npm run test:long` sends all bodies. */
const EVERY = LONG ? 1 : 5

const { send, during } = await startWatched()

const read = (file: string): Json => JSON.parse(readFileSync(join(root, file), 'utf8'))
const only = (schema: Json, names: string[]): Json => ({
  ...schema,
  properties: Object.fromEntries(Object.entries(schema.properties as Json).filter(([name]) => names.includes(name))),
})
const { state: anyState, ...members } = read('scenarios/scenario.schema.json').properties as Json
const { missing } = read('fixtures/fixture.schema.json').properties as Json
const tables = (anyState as Json).properties as Record<string, { items: Json }>
const recordsOf = (table: string) => tables[table]!.items
const state = only(anyState as Json, ['ip_policies'])

/** Schemas for bodies that the control API does not specify, with all kinds of record fields. */
const OPEN: Record<string, Json> = {
  'put /_sim/scenario': { type: 'object', properties: { ...members, state } },
  'post /_sim/scenario/yaml': { type: 'object', properties: { assume: members.assume } },
  'put /_sim/state': {
    type: 'object',
    properties: { missing, credentials: tables.credentials, ip_policies: tables.ip_policies },
  },
  'post /_sim/db/{collection}': only(recordsOf('ip_policies'), ['rules', 'metadata']),
  'put /_sim/db/{collection}/{id}': only(recordsOf('https_edges'), ['hostports', 'description', 'mutual_tls']),
  'patch /_sim/db/{collection}/{id}': recordsOf('ip_policies'),
}
const PLACES: Record<string, string> = {
  'post /_sim/db/{collection}': '/_sim/db/ip_policies',
  'put /_sim/db/{collection}/{id}': '/_sim/db/https_edges/edghts_a',
  'patch /_sim/db/{collection}/{id}': '/_sim/db/ip_policies/ipp_a',
}
/** Values by name that are accepted, to also measure the work after the check. */
const GIVEN = { latency: '1ms', operation: 'create_api_key', path: '/api_keys/{id}', id: 'ipp_a', owner: 'usr_admin' }

const { body: control } = await send('GET', '/_sim/control.json')
const routes = Object.entries(control.paths as Record<string, Record<string, Json>>)
  .filter(([path]) => !path.startsWith('/_sim/sandboxes/{sandbox}'))
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { requestBody }]) => ({ method, path, requestBody })),
  )
  .filter(({ requestBody }) => requestBody)
  .map(({ method, path, requestBody }) => {
    const { schema } = (requestBody as { content: Record<string, { schema: Json }> }).content['application/json']!
    const route = `${method} ${path}`
    return {
      route,
      method: method.toUpperCase(),
      at: PLACES[route] ?? path.replace(/\{\w+\}/g, 'a'),
      schema: OPEN[route] ?? schema,
    }
  })

const STATUSES = [200, 201, 204, 400, 404, 409, 413]

/** The shortest of several runs, because other load only adds time. */
async function longestTurnFor(method: string, at: string, body: string): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let time = 0; time < TIMES && least > MOST_MS; time++)
    least = Math.min(least, await during(() => send(method, at, { body, status: STATUSES })))
  return least
}

async function prepare() {
  await send('POST', '/_sim/reset')
  await send('PUT', '/_sim/db/ip_policies/ipp_a', { body: {} })
  for (let i = 0; i < 1_000; i += 50)
    await Promise.all(Array.from({ length: 50 }, () => send('POST', '/api_keys', { body: { description: 'a' } })))
}

describe('A body of 4 MB on /_sim', () => {
  it.each(routes)(
    'never blocks other requests, whichever part is long: $route',
    async ({ route, method, at, schema }) => {
      await prepare()
      // The first request loads code, so it is not measured.
      await send(method, at, { body: '{"a":1}', status: STATUSES })
      const seen: (Pick<Shape, 'what'> & { ms: number })[] = []
      let count = 0
      for (const { what, text } of shapesOf(schema, GIVEN))
        if (count++ % EVERY === 0) seen.push({ what, ms: await longestTurnFor(method, at, text) })
      const worst = seen.toSorted((a, b) => b.ms - a.ms)[0]!
      console.log(`${route}: ${seen.length} bodies, ${worst.ms} ms at most (${worst.what})`)
      // What is accepted as a state has up to 70,000 records.
      const isState = (what: string) => route === 'put /_sim/state' || what.startsWith('the body.state')
      expect(seen.filter(({ ms, what }) => ms > (isState(what) ? LARGE_STATE_MS : MOST_MS))).toEqual([])
    },
    LONG_MS,
  )
})

it('A state with as many copies as possible takes one turn of less than a second', async () => {
  const copies = { repeat: 10_000, id: 'bot_{n}', name: 'x'.repeat(200), description: 'x'.repeat(200) }
  const one = (_: unknown, i: number) => ({ repeat: 1, id: `usr_${i}_{n}`, name: '{n}'.repeat(100) })
  const large = { repeat: 1, id: 'usr_{n}', name: '{n}'.repeat(1_000_000) }
  for (const state of [
    { bots: [copies] },
    { users: Array.from({ length: 10_000 }, one) },
    { users: [large] },
    { bots: [{ ...copies, name: 'x'.repeat(1500) }] },
  ])
    expect(await longestTurnFor('PUT', '/_sim/state', JSON.stringify(state))).toBeLessThanOrEqual(LARGE_STATE_MS)
})

describe('A body of 16 MB on /_sim', () => {
  const most = 16 * 1024 * 1024 - 100
  it.each([
    ['operations', 'PUT', '/_sim/scenario', `{"rules":[{"when":{"operation":["a"${',"a"'.repeat(most / 4)}]}}]}`],
    ['stars in a path', 'POST', '/_sim/requests/verify', `{"path":"/${'*a'.repeat(most / 2)}"}`],
    ['rules', 'PUT', '/_sim/scenario', `{"rules":[{}${',{}'.repeat(most / 3)}]}`],
    ['members of a state', 'PUT', '/_sim/state', `{${Array.from({ length: most / 14 }, (_, i) => `"k${i}":0`)}}`],
  ])('is rejected before it is parsed, and blocks no other request: %s', async (_, method, at, body) => {
    const { body: response } = await send(method, at, { body, status: [400] })
    expect(response.msg).toMatch(/exceeds the limit of \d+ (items|fields|bytes)\. Nothing was changed/)
    expect(await longestTurnFor(method, at, body)).toBeLessThanOrEqual(MOST_MS)
  })
})
