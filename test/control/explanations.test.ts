import { describe, expect, it } from 'vitest'
import type { CallOptions } from '../support/http.ts'
import { simulate } from '../support/in-process.ts'

const { call, as } = await simulate()

interface Asked {
  method?: string
  path: string
  body?: unknown
  how?: CallOptions
}

/** The explanation of an answer, found by its operation id. */
async function explain({ method = 'GET', path, body, how }: Asked, sandbox = 'default') {
  const token = sandbox === 'default' ? 'sim_admin' : `sim_admin~${sandbox}`
  const answer = await call(method, path, body, { token, ...how })
  const id = answer.body?.details?.operation_id ?? answer.headers.get('edgesim-operation-id')
  const { body: entry } = await call('GET', `/_sim/sandboxes/${sandbox}/requests/${id}`)
  expect(entry.status).toBe(answer.status)
  return entry.explanation
}

interface Case extends Asked {
  what: string
  decided_by: string
  section: string
  nearest?: string
  says: RegExp
}

const json = { 'content-type': 'application/json' }

const cases: Case[] = [
  {
    what: 'a token that is missing',
    path: '/api_keys',
    how: { token: null },
    decided_by: 'no_authorization',
    section: '5',
    says: /Authorization: Bearer/,
  },
  {
    what: 'an unknown token',
    path: '/api_keys',
    how: { token: 'nobody' },
    decided_by: 'unknown_token',
    section: '5',
    says: /sandbox "default".*never issued/,
  },
  {
    what: 'a token for a sandbox that does not exist',
    path: '/api_keys',
    how: { token: 'nobody~gone' },
    decided_by: 'no_such_sandbox',
    section: '5',
    says: /no sandbox "gone".*PUT \/_sim\/sandboxes\/gone/,
  },
  {
    what: 'the id of a key in place of its token',
    path: '/api_keys',
    how: { token: 'ak_admin' },
    decided_by: 'key_id_as_token',
    section: '5',
    says: /not its token/,
  },
  {
    what: 'a version that is missing, with the assumption behind it and its flag',
    path: '/api_keys',
    how: { version: null },
    decided_by: 'missing_version',
    section: '9',
    says: /Service-Version: 2.*docs\/api\.md 9.*missing_version=reject/,
  },
  {
    what: 'the version header of another vendor',
    path: '/api_keys',
    how: { version: null, headers: { 'acme-version': '2' } },
    decided_by: 'missing_version',
    section: '9',
    says: /acme-version.*--vendor acme/,
  },
  {
    what: 'another version',
    path: '/api_keys',
    how: { version: '3' },
    decided_by: 'wrong_version',
    section: '9',
    says: /--assume wrong_version=accept/,
  },
  {
    what: 'an unknown field, with the one that was meant',
    method: 'POST',
    path: '/api_keys',
    body: { descriptoin: 'x' },
    decided_by: 'unknown_field',
    section: '4',
    nearest: 'description',
    says: /"descriptoin".*Did you mean description\?.*--assume unknown_field=ignore/,
  },
  {
    what: 'too many bytes, with how many came',
    method: 'POST',
    path: '/api_keys',
    body: { description: 'é'.repeat(128) },
    decided_by: 'description_too_long',
    section: '8',
    says: /at most 255 bytes.*received 256 bytes/,
  },
  {
    what: 'a body over the limit, with how many bytes came',
    method: 'POST',
    path: '/api_keys',
    how: { raw: JSON.stringify({ metadata: 'x'.repeat(69_985) }), headers: json },
    decided_by: 'body_too_large',
    section: '4',
    says: /limit is 64 KB.*70,?000 bytes/,
  },
  {
    what: 'an id that is nearly right',
    path: '/api_keys/ak_admim',
    decided_by: 'not_found',
    section: '4',
    nearest: 'ak_admin',
    says: /no API key ak_admim\. Did you mean ak_admin\?/,
  },
  {
    what: 'an unknown id without a near one',
    path: '/api_keys/ak_zzzzzzzzzzzzzzzzzzzz',
    decided_by: 'not_found',
    section: '4',
    says: /no API key ak_z+\.$/,
  },
  {
    what: 'an id without its prefix',
    path: '/api_keys/admin',
    decided_by: 'bad_identifier',
    section: '2',
    nearest: 'ak_admin',
    says: /ak_admin is the id of an API key/,
  },
  {
    what: 'an id of another kind, with its own path',
    path: '/api_keys/ipx_dashboard',
    decided_by: 'wrong_prefix',
    section: '2',
    nearest: 'ipx_dashboard',
    says: /ipx_dashboard is the id of an IP restriction: \/ip_restrictions\/ipx_dashboard/,
  },
  {
    what: 'an id of another kind that is misspelt too',
    path: '/api_keys/ipx_dashbord',
    decided_by: 'wrong_prefix',
    section: '2',
    nearest: 'ipx_dashboard',
    says: /ipx_dashboard is the id of an IP restriction/,
  },
  {
    what: 'an HTTPS edge on a TCP path',
    path: '/edges/tcp/edghts_web/ip_restriction',
    decided_by: 'bad_edge_id',
    section: '2',
    nearest: 'edghts_web',
    says: /not the id of a TCP edge.*edghts_web is the id of an HTTPS edge/,
  },
  {
    what: 'a TCP edge on an HTTPS path',
    path: '/edges/https/edgtcp_ssh/routes/edghtsrt_api/request_headers',
    decided_by: 'bad_edge_id',
    section: '2',
    nearest: 'edgtcp_ssh',
    says: /edgtcp_ssh is the id of a TCP edge/,
  },
  {
    what: 'an edge that is nearly right',
    path: '/edges/tcp/edgtcp_databse/ip_restriction',
    decided_by: 'edge_missing',
    section: '4',
    nearest: 'edgtcp_database',
    says: /Did you mean edgtcp_database\?/,
  },
  {
    what: 'a route in the place of an edge',
    path: '/edges/https/edghtsrt_api/routes/edghtsrt_api/request_headers',
    decided_by: 'bad_edge_id',
    section: '2',
    nearest: 'edghtsrt_api',
    says: /edghtsrt_api is the id of an HTTPS edge route/,
  },
  {
    what: 'a route of another edge',
    path: '/edges/https/edghts_web/routes/edghtsrt_admin/request_headers',
    decided_by: 'route_elsewhere',
    section: '4.4',
    nearest: 'edghts_admin',
    says: /edghtsrt_admin belongs to the edge edghts_admin, not to edghts_web\./,
  },
  {
    what: 'a route that is nearly right',
    path: '/edges/https/edghts_web/routes/edghtsrt_apu/request_headers',
    decided_by: 'route_missing',
    section: '4.4',
    nearest: 'edghtsrt_api',
    says: /Did you mean edghtsrt_api\?/,
  },
  {
    what: 'an unknown route of a known edge',
    path: '/edges/https/edghts_web/routes/edghtsrt_zzzzzzzzzzzz/request_headers',
    decided_by: 'route_missing',
    section: '4.4',
    says: /edghts_web has no route edghtsrt_z+\.$/,
  },
  {
    what: 'a module that is not set on a known edge',
    path: '/edges/tcp/edgtcp_ssh/ip_restriction',
    decided_by: 'module_not_set',
    section: '4',
    says: /edgtcp_ssh has no IP restriction module.*absent_module=not_found/,
  },
  {
    what: 'a path that is nearly right',
    path: '/api_key',
    decided_by: 'not_found',
    section: '4',
    nearest: '/api_keys',
    says: /no path \/api_key\. Did you mean \/api_keys\?$/,
  },
  {
    what: 'a method the path does not take',
    method: 'PUT',
    path: '/api_keys',
    decided_by: 'method_not_allowed',
    section: '4',
    says: /does not support PUT\. Allowed: POST, GET/,
  },
  {
    what: 'a policy that is nearly right, with the flag that lets it pass',
    method: 'POST',
    path: '/ip_restrictions',
    body: { type: 'agent', ip_policy_ids: ['ipp_ofice'] },
    decided_by: 'policy_missing',
    section: '4.2',
    nearest: 'ipp_office',
    says: /Did you mean ipp_office\?.*--assume unknown_reference=accept/,
  },
  {
    what: 'a body that is not JSON',
    method: 'POST',
    path: '/api_keys',
    how: { raw: '{', headers: json },
    decided_by: 'unparsable_body',
    section: '4',
    says: /it is not JSON/,
  },
]

describe('A refusal is explained:', () => {
  const named = cases.map(each => [each.what, each] as const)

  it.each(named)('%s', async (_, { decided_by, section, nearest = null, says, ...asked }) => {
    const explanation = await explain(asked)
    expect(explanation).toEqual({ decided_by, section, nearest, text: expect.stringMatching(says) })
  })

  it.each(named)('%s, in a well-formed text', async (_, asked) => {
    const { text } = await explain(asked)
    const flags = text.match(/--assume \w+=\w+/g) ?? []
    expect(flags).toEqual([...new Set(flags)])
    expect(text).not.toMatch(/ {2}|\.\.|undefined|null|NaN/)
  })

  it('a refused source, by the restriction that refuses it', async () => {
    const body = { type: 'api', enforced: true, ip_policy_ids: ['ipp_office'] }
    const { body: made } = await as('sim_admin~fenced')('POST', '/ip_restrictions', body)
    const explanation = await explain({ path: '/api_keys' }, 'fenced')
    expect(explanation).toMatchObject({ decided_by: 'source_blocked', section: '4.2', nearest: null })
    expect(explanation.text).toMatch(new RegExp(`${made.id}.*127\\.0\\.0\\.1: none of the 2 allow rules`))
  })

  it('an id that was deleted and is there again, without the deletion', async () => {
    const removed = await as('sim_admin~back')('DELETE', '/edges/tcp/edgtcp_ssh')
    await call('POST', `/_sim/sandboxes/back/requests/${removed.headers.get('edgesim-operation-id')}/rewind`)
    const { text, decided_by } = await explain({ path: '/edges/tcp/edgtcp_ssh/ip_restriction' }, 'back')
    expect(decided_by).toBe('module_not_set')
    expect(text).not.toContain('It was deleted')
  })

  it('a deleted id, by the request that deleted it', async () => {
    const removed = await as('sim_admin~deleted')('DELETE', '/api_keys/ak_ci')
    const { text } = await explain({ path: '/api_keys/ak_ci' }, 'deleted')
    expect(text).toContain(`It was deleted by ${removed.headers.get('edgesim-operation-id')}`)
    await call('DELETE', '/_sim/sandboxes/deleted/db/api_keys/ak_member')
    expect((await explain({ path: '/api_keys/ak_member' }, 'deleted')).text).toContain('deleted over the control plane')
  })
})

describe('A success is explained:', () => {
  it('a write, by the change it made', async () => {
    const explanation = await explain({ method: 'POST', path: '/api_keys' }, 'written')
    expect(explanation).toEqual({ decided_by: 'operation', section: '4.1', nearest: null, text: expect.any(String) })
    expect(explanation.text).toMatch(/^create_api_key.*change 1\.$/)
  })

  it('a read, by the assumptions behind it and how to change them', async () => {
    const { decided_by, section, text } = await explain({ path: '/ip_restrictions' })
    expect({ decided_by, section }).toEqual({ decided_by: 'operation', section: '4.2' })
    expect(text).toMatch(/changed nothing.*page_order=newest_first.*--assume page_order=oldest_first/)
  })

  it('an assumption that was changed, by how to change it back', async () => {
    const flipped = await simulate({ assume: { missing_version: 'accept' } })
    const answer = await flipped.call('GET', '/api_keys', undefined, { version: null })
    expect(answer.status).toBe(200)
    const { body } = await flipped.call('GET', `/_sim/requests/${answer.headers.get('edgesim-operation-id')}`)
    expect(body.assumptions).toContainEqual({ name: 'missing_version', value: 'accept' })
    expect(body.explanation.text).toMatch(/missing_version=accept.*--assume missing_version=reject/)
  })
})
