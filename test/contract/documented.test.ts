import { describe, expect, it } from 'vitest'
import { type Assumed, assumptionSets } from '../../src/contract/assumptions.ts'
import type { CallOptions } from '../support/http.ts'
import { simulate } from '../support/in-process.ts'
import { documented } from './record/errors.ts'
import { chosen, excluded, filterable } from './record/filters.ts'
import { NOW, world } from './record/world.ts'

/** The vendor's documented errors and filters, each tried on the same world in a sandbox of its own. */

const lists = Object.entries(filterable).map(([list, { fields, others }]) => ({ list, fields, others }))
const hidden = lists.flatMap(({ list, others }) => others.map(field => ({ list, field })))
const filters = chosen.length + lists.length + excluded.length + hidden.length

const cases = documented.map(({ code, ...row }) => {
  const error = code === undefined ? undefined : code === null ? `ERR_EDGESIM_${row.status}` : `ERR_SERVICE_${code}`
  return [`${row.what}: ${row.request}, ${row.status} ${error ?? ''}`.trim(), { ...row, error }] as const
})
const combinations = [...new Set(documented.map(({ assume = {} }) => JSON.stringify(assume)))]

describe.each<[string, Assumed]>([
  ['plainly', {}],
  ['with --assume ngrok', assumptionSets.ngrok],
])(`The ${documented.length} documented cases and ${filters} filters, %s,`, async (_, set) => {
  const simulators = new Map<string, Awaited<ReturnType<typeof simulate>>>()
  for (const assume of combinations)
    simulators.set(assume, await simulate({ fixture: world, clock: NOW, assume: { ...set, ...JSON.parse(assume) } }))

  let sandboxes = 0
  function sandboxUnder(assume: Assumed = {}) {
    const { call } = simulators.get(JSON.stringify(assume))!
    const token = `sim_admin~row-${++sandboxes}`
    return (request: string, body?: unknown, how: CallOptions = {}) => {
      const [method, path] = request.split(' ') as [string, string]
      return call(method, path, body, { token, ...how })
    }
  }

  it.each(cases)('hold for %s', async (_, { request, body, assume, first = [], how, status, error }) => {
    const send = sandboxUnder(assume)
    for (const before of first) {
      const answer = await send(before.request, before.body)
      expect(answer.status, `before the request, ${before.request}: ${answer.text}`).toBeLessThan(300)
    }
    const answer = await send(request, body, how)
    expect({ status: answer.status, error: answer.body?.error_code }, answer.text).toEqual({ status, error })
  })

  const listed = (list: string, filter: string) => sandboxUnder()(`GET /${list}?filter=${encodeURIComponent(filter)}`)
  const idsOf = (body: object) => (Object.values(body)[0] as { id: string }[]).map(({ id }) => id)

  it.each(chosen)('choose from %s by %s', async (list, filter, ids) => {
    const { status, body, text } = await listed(list, filter)
    expect(status, text).toBe(200)
    expect(idsOf(body)).toEqual(ids)
  })

  it.each(lists)('accept in a filter of $list the fields $fields', async ({ list, fields }) => {
    const all = await sandboxUnder()(`GET /${list}`)
    const { status, body, text } = await listed(list, fields.map(field => `obj.${field} != null`).join(' || '))
    expect(status, text).toBe(200)
    expect(idsOf(body)).toEqual(idsOf(all.body))
  })

  const expectBadFilter = async (list: string, filter: string) => {
    const { status, body } = await listed(list, filter)
    expect({ status, error: body.error_code }).toEqual({ status: 400, error: 'ERR_SERVICE_250' })
  }

  it.each(excluded)('refuse %s in a filter of %s: %s', (_, list, filter) => expectBadFilter(list, filter))

  it.each(hidden)('refuse $field in a filter of $list', ({ list, field }) =>
    expectBadFilter(list, `obj.${field} != null`))
})
