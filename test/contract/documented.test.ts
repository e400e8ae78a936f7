import { describe, expect, it } from 'vitest'
import type { Assumed } from '../../src/ngrok/assumed.ts'
import { assumptionSets } from '../../src/ngrok/questions.ts'
import type { CallOptions, TestResponse } from '../support/http.ts'
import { simulate } from '../support/in-process.ts'
import { ALL } from '../support/long.ts'
import { documented } from './record/errors.ts'
import { chosen, excluded, filterable } from './record/filters.ts'
import { NOW, world } from './record/world.ts'

/** The vendor's documented errors and filters, each tested with the same state in its own sandbox. */

const lists = Object.entries(filterable).map(([list, { fields, others }]) => ({ list, fields, others }))
const hidden = lists.flatMap(({ list, others }) => others.map(field => ({ list, field })))
const filters = chosen.length + lists.length + excluded.length + hidden.length

const cases = documented.map(row => [`${row.what}: ${row.request}, ${row.expected}`, row] as const)
const combinations = [...new Set(documented.map(({ assume = {} }) => JSON.stringify(assume)))]

describe.each<[string, Assumed]>([
  ['plainly', {}],
  ...(ALL ? [['with --assume ngrok', assumptionSets.ngrok] as [string, Assumed]] : []),
])(`The ${documented.length} documented cases and ${filters} filters, %s,`, async (_, set) => {
  const simulators = new Map<string, Awaited<ReturnType<typeof simulate>>>()
  for (const assume of combinations)
    simulators.set(assume, await simulate({ fixture: world, clock: NOW, assume: { ...set, ...JSON.parse(assume) } }))

  let sandboxes = 0
  function sandboxUnder(assume: Assumed = {}) {
    const { call } = simulators.get(JSON.stringify(assume))!
    const name = `row-${++sandboxes}`
    const send = (request: string, body?: unknown, how: CallOptions = {}) => {
      const [method, path] = request.split(' ') as [string, string]
      return call(method, path, body, { token: `sim_admin~${name}`, ...how })
    }
    const lastEntry = async () => (await call('GET', `/_sim/sandboxes/${name}/requests?limit=1`)).body.requests[0]
    return { send, lastEntry }
  }

  it.each(cases)('are true for %s', async (_, { request, body, assume, first = [], how, expected, says = '' }) => {
    const { send, lastEntry } = sandboxUnder(assume)
    for (const [before, given] of first) {
      const response = await send(before, given)
      expect(response.status, `before the request, ${before}: ${response.text}`).toBeLessThan(300)
    }
    const response = await send(request, body, how)
    expect(summaryOf(response), response.text).toBe(expected)
    expect(response.body?.msg ?? '').toContain(says)
    const meant = says.match(/Did you mean (\w+)\?/)?.[1]
    if (meant) expect(response.body.details.nearest).toBe(meant)
    expect(response.body?.msg ?? '', 'A message does not repeat a long value').not.toContain('x'.repeat(200))
    // Requests sent in a different way may be in another sandbox, or in none.
    if (response.status >= 400 && !how)
      expect(await lastEntry()).toMatchObject({ status: response.status, change: null })
  })

  const listed = (list: string, filter: string) =>
    sandboxUnder().send(`GET /${list}?filter=${encodeURIComponent(filter)}`)
  const idsOf = (body: object) => (Object.values(body)[0] as { id: string }[]).map(({ id }) => id)

  it.each(chosen)('choose from %s by %s', async (list, filter, ids) => {
    const { status, body, text } = await listed(list, filter)
    expect(status, text).toBe(200)
    expect(idsOf(body)).toEqual(ids)
  })

  it.each(lists)('accept in a filter of $list the fields $fields', async ({ list, fields }) => {
    const all = await sandboxUnder().send(`GET /${list}`)
    const { status, body, text } = await listed(list, fields.map(field => `obj.${field} != null`).join(' || '))
    expect(status, text).toBe(200)
    expect(idsOf(body)).toEqual(idsOf(all.body))
  })

  const expectBadFilter = async (list: string, filter: string) => {
    const { status, body } = await listed(list, filter)
    expect({ status, error: body.error_code }).toEqual({ status: 400, error: 'ERR_SERVICE_250' })
  }

  it.each(excluded)('reject %s in a filter of %s: %s', (_, list, filter) => expectBadFilter(list, filter))

  it.each(hidden)('reject $field in a filter of $list', ({ list, field }) =>
    expectBadFilter(list, `obj.${field} != null`))
})

function summaryOf({ status, body }: TestResponse): string {
  if (status < 400) return String(status)
  const code = body.error_code?.replace('ERR_SERVICE_', '') ?? 'none'
  const number = code === `ERR_EDGESIM_${status}` ? 'own' : code
  return [status, number, body.details.field ?? []].flat().join(' ')
}
