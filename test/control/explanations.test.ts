import { describe, expect, it } from 'vitest'
import type { CallOptions } from '../support/http.ts'
import { simulate } from '../support/in-process.ts'

const { call, as } = await simulate()

/** The explanation of a response, found by its operation id. */
async function explain(request: string, sandbox = 'default', body?: unknown, how?: CallOptions) {
  const [method, path] = request.split(' ') as [string, string]
  const token = sandbox === 'default' ? 'sim_admin' : `sim_admin~${sandbox}`
  const answer = await call(method, path, body, { token, ...how })
  const id = answer.body?.details?.operation_id ?? answer.headers.get('edgesim-operation-id')
  const { body: entry } = await call('GET', `/_sim/sandboxes/${sandbox}/requests/${id}`)
  expect(entry.status).toBe(answer.status)
  return entry.explanation
}

type Case = [what: string, request: string, how: CallOptions & { body?: unknown }, decision: string, says: RegExp]

const json = { 'content-type': 'application/json' }
const EDGES = '/edges/https/edghts_web/routes'

/** A decision is what decided, the section of docs/api.md, and the nearest id or path if there is one. */
// biome-ignore format: a case has two lines, what is sent and what is explained
const cases: Case[] = [
  ['a token that is missing', 'GET /api_keys', { token: null },
    'no_authorization 5', /Authorization: Bearer/],
  ['an unknown token', 'GET /api_keys', { token: 'nobody' },
    'unknown_token 5', /sandbox "default".*never issued/],
  ['a token for a sandbox that does not exist', 'GET /api_keys', { token: 'nobody~gone' },
    'no_such_sandbox 5', /no sandbox "gone".*PUT \/_sim\/sandboxes\/gone/],
  ['the id of a key in place of its token', 'GET /api_keys', { token: 'ak_admin' },
    'key_id_as_token 5', /not its token/],
  ['a version that is missing, with the assumption behind it and its flag', 'GET /api_keys', { version: null },
    'missing_version 9', /Service-Version: 2.*docs\/api\.md 9.*missing_version=reject/],
  ['the version header of another vendor', 'GET /api_keys', { version: null, headers: { 'acme-version': '2' } },
    'missing_version 9', /acme-version.*--vendor acme/],
  ['another version', 'GET /api_keys', { version: '3' },
    'wrong_version 9', /--assume wrong_version=accept/],
  ['an unknown field, with the one that was meant', 'POST /api_keys', { body: { descriptoin: 'x' } },
    'unknown_field 4 description', /"descriptoin".*Did you mean description\?.*--assume unknown_field=ignore/],
  ['too many bytes, with how many came', 'POST /api_keys', { body: { description: 'é'.repeat(128) } },
    'description_too_long 8', /at most 255 bytes.*received 256 bytes/],
  ['a body over the limit, with how many bytes came', 'POST /api_keys', { body: { metadata: 'x'.repeat(69_985) } },
    'body_too_large 4', /limit is 64 KB.*70,?000 bytes/],
  ['a body that is not JSON', 'POST /api_keys', { raw: '{', headers: json },
    'unparsable_body 4', /it is not JSON/],
  ['a policy that is nearly right, with the flag that lets it pass', 'POST /ip_restrictions',
    { body: { type: 'agent', ip_policy_ids: ['ipp_ofice'] } },
    'policy_missing 4.2 ipp_office', /Did you mean ipp_office\?.*--assume unknown_reference=accept/],
  ['an id that is nearly right', 'GET /api_keys/ak_admim', {},
    'not_found 4 ak_admin', /no API key ak_admim\. Did you mean ak_admin\?/],
  ['an unknown id without a near one', 'GET /api_keys/ak_zzzzzzzzzzzzzzzzzzzz', {},
    'not_found 4', /no API key ak_z+\./],
  ['an id without its prefix', 'GET /api_keys/admin', {},
    'bad_identifier 2 ak_admin', /ak_admin is the id of an API key/],
  ['an id of another kind, with its own path', 'GET /api_keys/ipx_dashboard', {},
    'wrong_prefix 2 ipx_dashboard', /ipx_dashboard is the id of an IP restriction: \/ip_restrictions\/ipx_dashboard/],
  ['an id of another kind that is misspelt too', 'GET /api_keys/ipx_dashbord', {},
    'wrong_prefix 2 ipx_dashboard', /ipx_dashboard is the id of an IP restriction/],
  ['an HTTPS edge on a TCP path', 'GET /edges/tcp/edghts_web/ip_restriction', {},
    'bad_edge_id 2 edghts_web', /not the id of a TCP edge.*edghts_web is the id of an HTTPS edge/],
  ['a TCP edge on an HTTPS path', 'GET /edges/https/edgtcp_ssh/routes/edghtsrt_api/request_headers', {},
    'bad_edge_id 2 edgtcp_ssh', /edgtcp_ssh is the id of a TCP edge/],
  ['an edge that is nearly right', 'GET /edges/tcp/edgtcp_databse/ip_restriction', {},
    'edge_missing 4 edgtcp_database', /Did you mean edgtcp_database\?/],
  ['a route in the place of an edge', 'GET /edges/https/edghtsrt_api/routes/edghtsrt_api/request_headers', {},
    'bad_edge_id 2 edghtsrt_api', /edghtsrt_api is the id of an HTTPS edge route/],
  ['a route of another edge', `GET ${EDGES}/edghtsrt_admin/request_headers`, {},
    'route_elsewhere 4.4 edghts_admin', /edghtsrt_admin belongs to the edge edghts_admin, not to edghts_web\./],
  ['a route that is nearly right', `GET ${EDGES}/edghtsrt_apu/request_headers`, {},
    'route_missing 4.4 edghtsrt_api', /Did you mean edghtsrt_api\?/],
  ['an unknown route of a known edge', `GET ${EDGES}/edghtsrt_zzzzzzzzzzzz/request_headers`, {},
    'route_missing 4.4', /edghts_web has no route edghtsrt_z+\.$/],
  ['a module that is not set on a known edge', 'GET /edges/tcp/edgtcp_ssh/ip_restriction', {},
    'module_not_set 4', /edgtcp_ssh has no IP restriction module.*absent_module=not_found/],
  ['a path that is nearly right', 'GET /api_key', {},
    'not_found 4 /api_keys', /no path \/api_key\. Did you mean \/api_keys\?$/],
  ['a method the path does not take', 'PUT /api_keys', {},
    'method_not_allowed 4', /does not support PUT\. Allowed: POST, GET/],
]

describe('A refusal is explained:', () => {
  it.each(cases)('%s', async (_, request, { body, ...how }, decision, says) => {
    const [decided_by, section, nearest = null] = decision.split(' ')
    const explanation = await explain(request, 'default', body, how)
    expect(explanation).toEqual({ decided_by, section, nearest, text: expect.stringMatching(says) })
    const flags = explanation.text.match(/--assume \w+=\w+/g) ?? []
    expect(flags).toEqual([...new Set(flags)])
    expect(explanation.text).not.toMatch(/ {2}|\.\.|undefined|null|NaN/)
  })

  it('a refused source, by the restriction that refuses it', async () => {
    const body = { type: 'api', enforced: true, ip_policy_ids: ['ipp_office'] }
    const { body: made } = await as('sim_admin~fenced')('POST', '/ip_restrictions', body)
    const explanation = await explain('GET /api_keys', 'fenced')
    expect(explanation).toMatchObject({ decided_by: 'source_blocked', section: '4.2', nearest: null })
    expect(explanation.text).toMatch(new RegExp(`${made.id}.*127\\.0\\.0\\.1: none of the 2 allow rules`))
  })

  it('an id that was deleted and is there again, without the deletion', async () => {
    const removed = await as('sim_admin~back')('DELETE', '/edges/tcp/edgtcp_ssh')
    await call('POST', `/_sim/sandboxes/back/requests/${removed.headers.get('edgesim-operation-id')}/rewind`)
    const { text, decided_by } = await explain('GET /edges/tcp/edgtcp_ssh/ip_restriction', 'back')
    expect(decided_by).toBe('module_not_set')
    expect(text).not.toContain('It was deleted')
  })

  it('a deleted id, by the request that deleted it', async () => {
    const removed = await as('sim_admin~deleted')('DELETE', '/api_keys/ak_ci')
    const { text } = await explain('GET /api_keys/ak_ci', 'deleted')
    expect(text).toContain(`It was deleted by ${removed.headers.get('edgesim-operation-id')}`)
    await call('DELETE', '/_sim/sandboxes/deleted/db/api_keys/ak_member')
    expect((await explain('GET /api_keys/ak_member', 'deleted')).text).toContain('deleted over the control plane')
  })
})

describe('A success is explained:', () => {
  it('a write, by the change it made', async () => {
    const explanation = await explain('POST /api_keys', 'written')
    expect(explanation).toEqual({ decided_by: 'operation', section: '4.1', nearest: null, text: expect.any(String) })
    expect(explanation.text).toMatch(/^create_api_key.*change 1\.$/)
  })

  it('a read, by the assumptions behind it and how to change them', async () => {
    const { decided_by, section, text } = await explain('GET /ip_restrictions')
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
