import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { afterwards } from '../support/afterwards.ts'
import { expectError, operationOf } from '../support/http.ts'
import { simulate } from '../support/in-process.ts'
import { ALL } from '../support/long.ts'
import { Connection } from '../support/raw-http.ts'

interface Expectations {
  found: [expectation: object, matched: number[]][]
  missed: [expectation: object, nearest: number, difference: object][]
  refused: [what: string, expectation: unknown, says: string][]
  values: [what: string, where: object, count: number][]
  refusedValues: [value: object, says: string][]
}

const text = readFileSync(new URL('verify.yaml', import.meta.url), 'utf8')
const { found, missed, refused, values, refusedValues }: Expectations = parse(text)
found.push([{ path: `/api_keys/${'*'.repeat(200)}a${'*'.repeat(200)}` }, [3, 6]])
refusedValues.push([{ matches: 'x'.repeat(201) }, 'up to 200 characters'])

const { call, as, port } = await simulate()
const sandbox = as('sim_admin~verified')

const agent = { headers: { 'user-agent': 'suite/1.0' } }
const sent = [
  await sandbox('POST', '/api_keys', { description: 'one', metadata: '{"a":1}' }, agent),
  await sandbox('POST', '/api_keys', { description: 'two' }),
  await sandbox('GET', '/api_keys?limit=7'),
  await as('sim_member~verified')('GET', '/api_keys/ak_admin'),
  await sandbox('PATCH', '/ip_restrictions/ipx_dashboard', { ip_policy_ids: ['ipp_office', 'ipp_local'] }),
  await sandbox('PUT', '/edges/https/edghts_web/routes/edghtsrt_static/request_headers', { add: { 'X-A.B': 'c' } }),
  await sandbox('DELETE', '/api_keys/ak_nobody'),
]
const ids = sent.map(operationOf)
const verify = (expectation: unknown) => call('POST', '/_sim/sandboxes/verified/requests/verify', expectation)

describe('verify finds', () => {
  it.each(found)('%j', async (expectation, expected) => {
    const { status, body } = await verify(expectation)
    expect(status).toBe(200)
    expect(body).toEqual({ matched: expected.map(i => ids[i]) })
  })
})

describe('verify fails', () => {
  const refusal = async (expectation: unknown) => {
    const response = await verify(expectation)
    const { msg, matched, nearest } = expectError(response, 409, 409)
    return { msg, matched, nearest }
  }

  it('with the closest requests, best first, and the field that differs in each', async () => {
    const wanted = { operation: 'create_api_key', where: { 'body.description': 'three' } }
    const { msg, matched, nearest } = await refusal(wanted)
    expect(msg).toMatch(/at least 1 matching request, found 0 among 7/)
    expect(matched).toEqual([])
    expect(nearest.slice(0, 2)).toEqual([
      {
        id: ids[1],
        method: 'POST',
        path: '/api_keys',
        status: 201,
        differs: [{ field: 'body.description', expected: 'three', received: 'two' }],
      },
      expect.objectContaining({
        id: ids[0],
        differs: [{ field: 'body.description', expected: 'three', received: 'one' }],
      }),
    ])
    expect(nearest[2].differs).toHaveLength(2)
  })

  it.each(missed)('%j', async (expectation, index, difference) => {
    const { nearest } = await refusal(expectation)
    expect(nearest[0]).toMatchObject({ id: ids[index], differs: [difference] })
  })

  it('for too many, with all matches', async () => {
    for (const wanted of [{ count: 1 }, { at_most: 1 }]) {
      const { msg, matched, nearest } = await refusal({ operation: 'create_api_key', ...wanted })
      expect(msg).toMatch(/(exactly|at most) 1 matching request, found 2/)
      expect(matched).toEqual([ids[0], ids[1]])
      expect(nearest).toEqual([])
    }
  })

  it('for too few, with the matches and the closest others', async () => {
    const { msg, matched, nearest } = await refusal({ operation: 'create_api_key', count: 3 })
    expect(msg).toMatch(/exactly 3 matching requests, found 2/)
    expect(matched).toEqual([ids[0], ids[1]])
    expect(nearest[0].differs).toEqual([expect.objectContaining({ field: 'operation' })])
  })

  it('for a wrong order, with the missing step and a request that came too early', async () => {
    const { msg, matched, nearest } = await refusal({ sequence: [{ status: 404 }, { operation: 'create_api_key' }] })
    expect(msg).toContain('Step 2 of 2 has no matching request after the previous steps')
    expect(msg).toContain(`${ids[1]} matches, but came earlier`)
    expect(matched).toEqual([ids[6]])
    expect(nearest).toEqual([])
  })

  it('for a different field in a step, with the requests after the previous step', async () => {
    const step = { operation: 'create_api_key' }
    const { nearest } = await refusal({ sequence: [step, { ...step, where: { 'body.description': 'zwei' } }] })
    expect(nearest[0]).toMatchObject({
      id: ids[1],
      differs: [{ field: 'body.description', expected: 'zwei', received: 'two' }],
    })
  })

  it.runIf(ALL)('with a note if older requests are no longer in the journal', async () => {
    const connection = new Connection(port)
    afterwards(() => connection.close())
    // Pipelining takes half the time.
    for (let i = 0; i < 6; i++) await connection.send(Array(167).fill({ path: '/nowhere', token: 'sim_admin~cut' }))
    const response = await call('POST', '/_sim/sandboxes/cut/requests/verify', { operation: 'delete_api_key' })
    expect(expectError(response, 409, 409).msg).toMatch(/found 0 among 1000 in the journal\. .*dropped from it: 2/)
  })
})

describe('verify rejects an expectation that cannot work:', () => {
  it.each(refused)('%s', async (_, expectation, says) => {
    expect(expectError(await verify(expectation), 400, 400).msg).toMatch(new RegExp(says))
  })
})

describe('A value in where', () => {
  it.each(values)('%s', async (_, where, count) => {
    const { status, body } = await verify({ where, count })
    expect(status).toBe(200)
    expect(body.matched).toHaveLength(count)
  })

  it.each(refusedValues)('is rejected: %j', async (value, says) => {
    const response = await verify({ where: { 'body.description': value } })
    expect(expectError(response, 400, 400).msg).toMatch(new RegExp(says))
  })

  it('is rejected next to too many regular expressions', async () => {
    const where = Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`body.member${i}`, { matches: 'a' }]))
    for (const expectation of [{ where }, { sequence: [{}, { where }] }])
      expect(expectError(await verify(expectation), 400, 400).msg).toContain(
        '"where" can have up to 20 regular expressions, got 21',
      )
  })
})

it('verify mentions no dropped entries after the journal was cleared', async () => {
  const { call } = await simulate()
  await call('GET', '/api_keys')
  await call('DELETE', '/_sim/requests')
  const { body } = await call('POST', '/_sim/requests/verify', { path: '/api_keys' })
  expect(body.msg).not.toContain('dropped')
})
