import { describe, expect, it } from 'vitest'
import { afterwards } from '../support/afterwards.ts'
import { expectError, operationOf } from '../support/http.ts'
import { simulate } from '../support/in-process.ts'
import { ALL } from '../support/long.ts'
import { Connection } from '../support/raw-http.ts'

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
  it.each<[object, number[]]>([
    [{}, [0, 1, 2, 3, 4, 5, 6]],
    [{ operation: 'create_api_key' }, [0, 1]],
    [{ operation: 'create_api_key', count: 2 }, [0, 1]],
    [{ operation: 'create_api_key', at_least: 2 }, [0, 1]],
    [{ operation: 'create_api_key', at_most: 2 }, [0, 1]],
    [{ operation: 'create_api_key', at_least: 1, at_most: 3 }, [0, 1]],
    [{ operation: 'delete_ip_restriction', count: 0 }, []],
    [{ operation: 'delete_ip_restriction', at_most: 5 }, []],
    [{ operation: 'delete_ip_restriction', at_least: 0 }, []],
    [{ method: 'post' }, [0, 1]],
    [{ path: '/api_keys/*' }, [3, 6]],
    [{ path: '/api_keys/ak_a*' }, [3]],
    [{ path: '/*/*_n*b*dy' }, [6]],
    [{ path: `/api_keys/${'*'.repeat(200)}a${'*'.repeat(200)}` }, [3, 6]],
    [{ path: '/api_keys/ak_admin*ak_admin', count: 0 }, []],
    [{ status: 404 }, [6]],
    [{ caller: 'usr_member' }, [3]],
    [{ caller: 'ak_admin', method: 'GET' }, [2]],
    [{ where: { 'body.description': 'two' } }, [1]],
    [{ where: { 'body.ip_policy_ids': ['ipp_office', 'ipp_local'] } }, [4]],
    [{ where: { 'body.ip_policy_ids.1': 'ipp_local' } }, [4]],
    [{ where: { 'body.add.X-A.B': 'c' } }, [5]],
    [{ where: { body: { description: 'two' } } }, [1]],
    [{ where: { 'query.limit': '7' } }, [2]],
    [{ where: { 'headers.user-agent': 'suite/1.0' } }, [0]],
    [{ where: { 'headers.User-Agent': 'suite/1.0' } }, [0]],
    [{ where: { 'response.description': 'two' } }, [1]],
    [{ operation: 'create_api_key', where: { 'body.description': 'one', 'body.metadata': '{"a":1}' } }, [0]],
    [{ sequence: [{ operation: 'create_api_key' }, { status: 404 }] }, [0, 6]],
    [{ sequence: [{ method: 'POST' }, { method: 'POST' }, { caller: 'usr_member' }] }, [0, 1, 3]],
  ])('%j', async (expectation, expected) => {
    const { status, body } = await verify(expectation)
    expect(status).toBe(200)
    expect(body).toEqual({ matched: expected.map(i => ids[i]) })
  })
})

describe('verify fails', () => {
  const refusal = async (expectation: unknown) => {
    const answer = await verify(expectation)
    const { msg, matched, nearest } = expectError(answer, 409, 409)
    return { msg, matched, nearest }
  }

  it('with the nearest misses, closest first, and the field in which each differs', async () => {
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

  it.each<[object, number, object]>([
    [{ operation: 'get_api_key', status: 404 }, 3, { field: 'status', expected: 404, received: 200 }],
    [
      { operation: 'get_api_key', caller: 'usr_admin' },
      3,
      { field: 'caller', expected: 'usr_admin', received: 'usr_member' },
    ],
    [{ operation: 'delete_api_key', method: 'PUT' }, 6, { field: 'method', expected: 'PUT', received: 'DELETE' }],
    [
      { operation: 'list_api_keys', caller: 'usr_member' },
      2,
      { field: 'caller', expected: 'usr_member', received: 'usr_admin' },
    ],
    [
      { method: 'DELETE', path: '/api_keys' },
      6,
      { field: 'path', expected: '/api_keys', received: '/api_keys/ak_nobody' },
    ],
    [
      { operation: 'list_api_keys', where: { 'query.limit': '8' } },
      2,
      { field: 'query.limit', expected: '8', received: '7' },
    ],
    [
      { operation: 'list_api_keys', where: { 'query.limit': 7 } },
      2,
      { field: 'query.limit', expected: 7, received: '7' },
    ],
    [{ operation: 'list_api_keys', where: { 'query.before_id': 'x' } }, 2, { field: 'query.before_id', expected: 'x' }],
  ])('%j', async (expectation, index, difference) => {
    const { nearest } = await refusal(expectation)
    expect(nearest[0]).toMatchObject({ id: ids[index], differs: [difference] })
  })

  it('for too many, with all that matched', async () => {
    for (const wanted of [{ count: 1 }, { at_most: 1 }]) {
      const { msg, matched, nearest } = await refusal({ operation: 'create_api_key', ...wanted })
      expect(msg).toMatch(/(exactly|at most) 1 matching request, found 2/)
      expect(matched).toEqual([ids[0], ids[1]])
      expect(nearest).toEqual([])
    }
  })

  it('for too few, with those that matched and those that nearly did', async () => {
    const { msg, matched, nearest } = await refusal({ operation: 'create_api_key', count: 3 })
    expect(msg).toMatch(/exactly 3 matching requests, found 2/)
    expect(matched).toEqual([ids[0], ids[1]])
    expect(nearest[0].differs).toEqual([expect.objectContaining({ field: 'operation' })])
  })

  it('for a wrong order, with the step that was not met', async () => {
    const { msg, matched, nearest } = await refusal({ sequence: [{ status: 404 }, { operation: 'create_api_key' }] })
    expect(msg).toMatch(/Step 2 of 2/)
    expect(matched).toEqual([ids[6]])
    expect(nearest).toEqual([])
  })

  it('for a step whose field differs, with what came after the step before', async () => {
    const steps = [
      { operation: 'create_api_key' },
      { operation: 'create_api_key', where: { 'body.description': 'zwei' } },
    ]
    const { nearest } = await refusal({ sequence: steps })
    expect(nearest[0]).toMatchObject({
      id: ids[1],
      differs: [{ field: 'body.description', expected: 'zwei', received: 'two' }],
    })
  })

  it.runIf(ALL)('with a note if older requests are no longer in the journal', async () => {
    const connection = new Connection(port)
    afterwards(() => connection.close())
    // Sent ahead, which takes half of the time.
    for (let i = 0; i < 6; i++) await connection.send(Array(167).fill({ path: '/nowhere', token: 'sim_admin~cut' }))
    const answer = await call('POST', '/_sim/sandboxes/cut/requests/verify', { operation: 'delete_api_key' })
    expect(expectError(answer, 409, 409).msg).toMatch(/found 0 among 1000 in the journal; .*dropped from it: 2/)
  })
})

describe('verify refuses an expectation that could not do what it says:', () => {
  it.each<[string, unknown, RegExp]>([
    ['an unknown field', { opration: 'create_api_key' }, /no field "opration"\. Did you mean operation/],
    ['an unknown field of a step', { sequence: [{ count: 1 }] }, /no field "count"/],
    ['an unknown operation', { operation: 'create_api_kee', count: 0 }, /Did you mean create_api_key\?/],
    ['such an operation in a step', { sequence: [{ operation: 'nope' }] }, /no operation "nope"/],
    [
      'a status that is not a number',
      { status: '200' },
      /status: must be a number, or a class like 4xx, not the string "200"/,
    ],
    ['a count below zero', { count: -1 }, /count/],
    ['a count of one and a half', { count: 1.5 }, /count/],
    ['a count and a bound', { count: 1, at_least: 1 }, /count.*at_least/],
    ['bounds that no number fits', { at_least: 3, at_most: 2 }, /at_least.*at_most/],
    ['a sequence and a count', { sequence: [{}], count: 1 }, /sequence/],
    ['a sequence and a pattern beside it', { sequence: [{}], operation: 'create_api_key' }, /sequence/],
    ['an empty sequence', { sequence: [] }, /sequence/],
    ['an unknown place', { where: { 'bdy.description': 'x' } }, /bdy\.description.*body, query, headers, response/],
    ['such a place in a step', { sequence: [{ where: { description: 'x' } }] }, /description.*body, query/],
    ['a list', [], /an object/],
    ['an unknown method', { method: 'PSOT' }, /no method "PSOT"\. Did you mean POST\?/],
    ['a path that no route has', { path: '/api_key' }, /No route has the path "\/api_key"\. Did you mean \/api_keys\?/],
    ['such a path in a step', { sequence: [{ path: '/api_keyz/*' }] }, /No route has the path/],
    ['a member no response has', { where: { 'response.descripton': 'x' } }, /Did you mean description\?/],
    ['the status among the members', { where: { 'response.status': 200 } }, /The status of an answer is "status"/],
  ])('%s', async (_, expectation, says) => {
    expect(expectError(await verify(expectation), 400, 400).msg).toMatch(says)
  })
})

describe('A value in where', () => {
  it.each<[what: string, where: object, count: number]>([
    ['contains a text', { 'body.description': { contains: 'n' } }, 1],
    ['has an item', { 'body.ip_policy_ids': { contains: 'ipp_local' } }, 1],
    ['matches an expression', { 'body.description': { matches: '^(one|two)$' } }, 2],
    [
      'matches several',
      { 'body.description': { matches: 't' }, 'response.id': { matches: '^ak_[[:alnum:]]{27}$' } },
      1,
    ],
    ['matches in any case', { 'body.description': { matches: '(?i)ONE|\\x{54}WO' } }, 2],
    ['matches in part', { 'headers.user-agent': { matches: '\\pL' }, 'query.limit': { matches: '^[0-9]$' } }, 1],
    ['is absent', { 'body.description': { absent: true }, 'body.ip_policy_ids': { absent: false } }, 1],
    ['is more than a number', { 'query.limit': { gt: 6 } }, 1],
    ['lies between numbers', { 'query.limit': { gte: 7, lt: 8 } }, 1],
    ['is no more than that', { 'query.limit': { lte: 6 } }, 0],
    ['is later than a time', { 'response.created_at': { gt: '2026-06-01' } }, 2],
  ])('%s', async (_, where, count) => {
    expect((await verify({ where, count })).body).toMatchObject({ matched: expect.any(Array) })
    expect((await verify({ where, count })).status).toBe(200)
  })

  it('of an answer may be a class of statuses', async () => {
    expect((await verify({ status: '4xx', count: 1 })).status).toBe(200)
    expect((await verify({ status: '2xx', at_least: 5 })).status).toBe(200)
  })

  it.each([
    [{ matches: '(' }, /must be a regular expression as RE2 has them, .*: missing closing \): `\(`/],
    [{ matches: '(?=a)b' }, /without lookaround and backreferences: .*`\(\?=`/],
    [{ matches: '(?<!a)b' }, /without lookaround and backreferences: .*`\(\?<!a\)b`/],
    [{ matches: '(a)\\1' }, /without lookaround and backreferences: .*`\\1`/],
    [{ matches: '(?<n>a)\\k<n>' }, /without lookaround and backreferences: .*`\\k`/],
    [{ matches: 'x'.repeat(201) }, /up to 200 characters/],
    [{ matches: '(a{0,30}){0,30}' }, /with smaller counts: it has \d{4} instructions, of 1000 at most/],
    [{ matches: 7 }, /a regular expression as a text/],
    [{ contains: 7 }, /"contains" of "body.description" in "where" must be a text/],
    [{ gt: true }, /must be a number or a text/],
    [{ absent: 'yes' }, /must be true or false/],
  ])('is refused: %j', async (value, says) => {
    const answer = await verify({ where: { 'body.description': value } })
    expect(expectError(answer, 400, 400).msg).toMatch(says)
  })

  it('is refused where too many regular expressions stand beside it', async () => {
    const where = Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`body.member${i}`, { matches: 'a' }]))
    for (const expectation of [{ where }, { sequence: [{}, { where }] }])
      expect(expectError(await verify(expectation), 400, 400).msg).toContain(
        '"where" has 21 regular expressions, of 20 at most',
      )
  })
})

it('verify names a step of a sequence that came too early', async () => {
  const sequence = [{ operation: 'delete_api_key' }, { operation: 'list_api_keys' }]
  expect(expectError(await verify({ sequence }), 409, 409).msg).toMatch(
    new RegExp(`Step 2 of 2 has no matching request after the ones before it: one came earlier, ${ids[2]}`),
  )
})

it('verify mentions no dropped entries after the journal was emptied', async () => {
  const { call } = await simulate()
  await call('GET', '/api_keys')
  await call('DELETE', '/_sim/requests')
  const { body } = await call('POST', '/_sim/requests/verify', { path: '/api_keys' })
  expect(body.msg).not.toContain('dropped')
})
