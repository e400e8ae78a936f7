import { describe, expect, it } from 'vitest'
import { type Facts, operationOf, readPairs, readRecorded, toPairs } from '../../scripts/record.ts'
import { simulate } from '../support/in-process.ts'
import { ALL } from '../support/long.ts'
import { tableIn } from '../support/tables.ts'
import { changedValues, differences } from './record/compare.ts'
import { replay } from './record/replay.ts'

/** Replays the vendor's published requests with new values. CONTRIBUTING.md explains how to extend the table. */

interface Cases {
  shapes: [recorded: unknown, answered: unknown, says: string][]
  values: [sent: object, answered: object, says: string[]][]
}
const cases: Cases = tableIn(import.meta.url, 'record.yaml')

const pairs = Object.entries(readPairs())
const RERUN = 'Run npm run record -- FACTS.json'

/** As recorded: listed keys have a description, and a page of one bot user is not the last. */
const fixture = {
  users: [{ id: 'usr_admin', admin: true }],
  bots: [{ id: 'bot_first' }],
  service_users: [{ id: 'service_first' }],
  api_keys: [{ id: 'ak_admin', owner_id: 'usr_admin', token: 'sim_admin', description: 'text' }],
}

/** No request creates these records. replay.ts expects their IDs. */
const agents = {
  ...fixture,
  credentials: [{ id: 'cr_fixture' }],
  endpoints: [{ id: 'ep_fixture', type: 'agent', url: 'https://www.example.com', tunnel_session_id: 'ts_fixture' }],
  tunnel_sessions: [{ id: 'ts_fixture', credential_id: 'cr_fixture' }],
  tunnels: [
    {
      id: 'tn_fixture',
      tunnel_session_id: 'ts_fixture',
      endpoint_id: 'ep_fixture',
      proto: 'https',
      public_url: 'https://www.example.com',
    },
  ],
}

/** Recorded behaviour that changed later, by pair name. */
const CHANGED: [name: RegExp, assume: Record<string, string>][] = [[/^secrets_/, { secret_vault_name: 'absent' }]]

describe.each<[string, 'ngrok' | undefined]>([
  ['plainly', undefined],
  ...(ALL ? [['with --assume ngrok', 'ngrok'] as [string, 'ngrok']] : []),
])(`The ${pairs.length} recorded pairs, %s,`, async (_, assume) => {
  const { call, url } = await simulate({ fixture, assume })

  const sandbox = (name: string) => (method: string, path: string, body?: unknown) =>
    call(method, path, body, { token: `sim_admin~${name}` })

  it.each(pairs)('get the recorded responses: %s', async (name, pair) => {
    if (name.startsWith('tunnel')) await call('PUT', `/_sim/sandboxes/${name}`, { fixture: agents })
    for (const [names, changed] of CHANGED)
      if (names.test(name)) {
        await call('PUT', `/_sim/sandboxes/${name}`)
        await call('PATCH', `/_sim/sandboxes/${name}/assumptions`, changed)
      }
    const { status, body, sent } = await replay(pair, sandbox(name))
    const refused = status === pair.status ? '' : `: ${body?.error_code} ${body?.msg}`
    expect(`${name}: status: ${status}${refused}`).toBe(`${name}: status: ${pair.status}`)
    expect(
      [...differences(pair.answer, body, url), ...changedValues(sent, body)].map(each => `${name}: ${each}`),
    ).toEqual([])
  })
})

describe('The table of recorded pairs', () => {
  it('has a row for every recorded and simulated operation', () => {
    const rows = readPairs()
    const without = Object.entries(readRecorded()).filter(([name, request]) => operationOf(request) && !rows[name])
    expect(without.map(([name]) => `${name} has no row. ${RERUN}`)).toEqual([])
  })

  it('has no rows of removed operations', () => {
    const gone = pairs.filter(([, { request }]) => !operationOf(request))
    expect(gone.map(([name, { request }]) => `${name}: no operation is ${request}`)).toEqual([])
  })

  it('is generated from facts by the script', () => {
    const rows: [name: string, fact: Facts['recorded'][string], pair?: object][] = [
      [
        'api_keys_create',
        { method: 'POST', path: '/api_keys', takes: { description: 'string' }, gives: { token: 'null' } },
        { body: { description: 'string' }, status: 202, answer: { token: null } },
      ],
      [
        'api_keys_get',
        { method: 'POST', path: '/api_keys', gives: { id: 'ak_' } },
        { status: 202, answer: { id: 'ak_' }, remark: 'Published as a read, with POST.' },
      ],
      ['api_keys_delete', { method: 'DELETE', path: '/api_keys/{ak}' }, { status: 204 }],
      ['nobody_list', { method: 'GET', path: '/nobody', gives: {} }],
      [
        'module_replace',
        { method: 'PUT', path: '/edges/tcp/{edgtcp}/backend', takes: { backend_id: 'bkdtg_' } },
        { body: { backend_id: 'bkdtg_' }, status: 200 },
      ],
      [
        'weighted_create',
        {
          method: 'POST',
          path: '/backends/weighted',
          takes: { backends: { bkdhr_32ELHVckeVuUNCrvOOKGhxp33Gw: 'number' } },
        },
        { body: { backends: { bkdhr_: 'number' } }, status: 201 },
      ],
    ]
    const recorded = Object.fromEntries(rows.map(([name, fact]) => [name, fact]))
    const pairs = rows.flatMap(([name, { method, path }, pair]) =>
      pair ? [[name, { request: `${method} ${path}`, ...pair }]] : [],
    )
    const operations = { Create: { method: 'POST', path: '/api_keys', status: 202 } }
    expect(toPairs({ operations, recorded })).toEqual(Object.fromEntries(pairs))
  })
})

describe('A difference from the record', () => {
  const url = 'http://127.0.0.1:1'
  it.each([
    ...cases.shapes,
    [undefined, {}, 'body: recorded nothing, answered object'],
  ])('is named by its path: %j and %j', (recorded, answered, says) => {
    expect(differences(recorded as never, answered, url)).toEqual([says])
  })

  it.each(cases.values)('is a value that differs from the request: %j and %j', (sent, answered, says) => {
    expect(changedValues(sent, answered)).toEqual(says)
  })
})
