import { describe, expect, it } from 'vitest'
import { expectError } from '../../support/http.ts'
import { simulate } from '../../support/in-process.ts'

/** What all kinds of records have in common, from create to delete. */

const clock = '2026-05-06T07:08:09Z'
const { call, url } = await simulate({ clock })

let sandboxes = 0
function sandbox() {
  const name = `life-${++sandboxes}`
  const send = (method: string, path: string, body?: unknown) =>
    call(method, path, body, { token: `sim_admin~${name}` })
  const create = async (path: string, body: unknown) => {
    const response = await send('POST', path, body)
    expect(response.status, response.text).toBe(201)
    return response.body
  }
  const lastChange = async () => (await call('GET', `/_sim/sandboxes/${name}/requests`)).body.requests[0].change
  return { send, create, lastChange }
}

const at = (path: string, id: string) => ({ id, uri: `${url}${path}/${id}` })
const policies = (...ids: string[]) => ids.map(id => at('/ip_policies', id))
const web = { enabled: true, backend: at('/backends/static', 'bkdsc_web') }
const noPolicy = { traffic_policy: null, policy: null }

interface Kind {
  label: string
  path: string
  list: string
  prefix: string
  /** The error number of an unknown id, if any. */
  missing: number | ''
  /** Required fields, and what a response then contains in addition to id, uri and created_at. */
  least?: object
  shown?: object
  /** Optional fields, and what a response then contains if it is not the same. */
  more?: object
  shownMore?: object
  /** Updates in order, and what each one changes. */
  updates?: [given: object, changed: object][]
  /** Fields that can be set only on create. */
  kept?: object
  /** Fields only in the response to the create. */
  once?: object
  modules?: string[]
}

const kinds: Kind[] = [
  {
    ...{ label: 'An API key', path: '/api_keys', list: 'keys', prefix: 'ak', missing: '' },
    shown: { owner_id: 'usr_admin', token: null },
    more: { owner_id: 'bot_ci' },
    updates: [[{ owner_id: null }, {}]],
    kept: { owner_id: 'usr_admin' },
    once: { token: expect.stringMatching(/^[0-9A-Za-z]{27}_[0-9A-Za-z]{21}/) },
  },
  {
    ...{ label: 'An IP restriction', path: '/ip_restrictions', list: 'ip_restrictions', prefix: 'ipx', missing: '' },
    least: { type: 'agent' },
    shown: { type: 'agent', enforced: false, ip_policies: [] },
    more: { enforced: true, ip_policy_ids: ['ipp_office', 'ipp_local', 'ipp_office'] },
    shownMore: { enforced: true, ip_policies: policies('ipp_office', 'ipp_local') },
    updates: [
      [{ enforced: false }, { enforced: false }],
      [
        { ip_policy_ids: ['ipp_local', 'ipp_office', 'ipp_local'] },
        { ip_policies: policies('ipp_local', 'ipp_office') },
      ],
      [{ enforced: null, ip_policy_ids: null, type: null }, {}],
      [{ ip_policy_ids: [] }, { ip_policies: [] }],
    ],
    kept: { type: 'agent' },
  },
  {
    ...{ label: 'An IP policy', path: '/ip_policies', list: 'ip_policies', prefix: 'ipp', missing: 1402 },
  },
  {
    ...{ label: 'An IP policy rule', path: '/ip_policy_rules', list: 'ip_policy_rules', prefix: 'ipr', missing: 1404 },
    least: { ip_policy_id: 'ipp_office', cidr: '192.0.2.0/24', action: 'deny' },
    shown: { ip_policy: at('/ip_policies', 'ipp_office'), cidr: '192.0.2.0/24', action: 'deny' },
    updates: [[{ cidr: '::/0' }, { cidr: '::/0' }]],
    kept: { ip_policy_id: 'ipp_local', action: 'deny' },
  },
  {
    ...{ label: 'A static backend', path: '/backends/static', list: 'backends', prefix: 'bkdsc', missing: 6514 },
    least: { address: 'example.com:443' },
    shown: { address: 'example.com:443', tls: { enabled: false } },
    more: { tls: { enabled: true } },
    updates: [[{ address: '[::1]:80', tls: {} }, { address: '[::1]:80' }]],
  },
  {
    ...{ label: 'A TCP edge', path: '/edges/tcp', list: 'tcp_edges', prefix: 'edgtcp', missing: 7000 },
    shown: { hostports: null, backend: null, ip_restriction: null, ...noPolicy },
    more: {
      hostports: ['new.example.com:5432', '127.0.0.1:0'],
      backend: { backend_id: 'bkdsc_web' },
      ip_restriction: { enabled: false, ip_policy_ids: ['ipp_office', 'ipp_office'] },
    },
    shownMore: {
      hostports: ['new.example.com:5432', '127.0.0.1:0'],
      backend: web,
      ip_restriction: { enabled: false, ip_policies: policies('ipp_office') },
    },
    updates: [
      [{ hostports: [], ip_restriction: null }, { hostports: [] }],
      [{ backend: { enabled: false } }, { backend: { enabled: false, backend: null } }],
    ],
    modules: ['backend', 'ip_restriction'],
  },
  {
    ...{ label: 'A TLS edge', path: '/edges/tls', list: 'tls_edges', prefix: 'edgtls', missing: 7000 },
    shown: {
      ...{ hostports: null, backend: null, ip_restriction: null, mutual_tls: null, tls_termination: null },
      ...noPolicy,
    },
    more: {
      hostports: ['imap.example.com:443'],
      backend: { backend_id: 'bkdsc_web' },
      mutual_tls: { certificate_authority_ids: ['ca_office', 'ca_office'] },
      tls_termination: { min_version: '1.3' },
    },
    shownMore: {
      hostports: ['imap.example.com:443'],
      backend: web,
      mutual_tls: { enabled: true, certificate_authorities: [at('/certificate_authorities', 'ca_office')] },
      tls_termination: { enabled: true, min_version: '1.3', terminate_at: 'edge' },
    },
    modules: ['backend', 'mutual_tls', 'tls_termination'],
  },
  {
    ...{ label: 'An HTTPS edge', path: '/edges/https', list: 'https_edges', prefix: 'edghts', missing: 7000 },
    shown: { hostports: [], mutual_tls: null, tls_termination: null, routes: [] },
    more: { hostports: ['*.example.com:443', 'http://127.0.0.1:0'] },
  },
]

describe.each(kinds.map(kind => [kind.label, kind] as const))('%s', (label, kind) => {
  const { path, list, prefix, missing, least = {}, shown = {}, more = {}, updates = [], kept = {}, once = {} } = kind
  const { shownMore = more } = kind
  const texts = { description: 'a', metadata: '{"b":1}' }
  const base = (id: string) => ({
    ...at(path, id),
    id: expect.stringMatching(`^${prefix}_[0-9A-Za-z]{27}$`),
    created_at: clock,
  })

  it('omits fields that were not set, or set to null or an empty string', async () => {
    const nulls = Object.fromEntries([...Object.keys(more), 'description', 'metadata'].map(name => [name, null]))
    const bodies = [least, { ...least, description: '', metadata: '' }, { ...nulls, ...least }]
    if (Object.keys(least).length === 0) bodies.push(undefined as never)
    for (const body of bodies) {
      const record = await sandbox().create(path, body)
      expect(record, JSON.stringify(body)).toEqual({ ...base(record.id), ...shown, ...once })
    }
  })

  it('is created in one change, and returned with all fields on create, by id and first in the list', async () => {
    const { send, create, lastChange } = sandbox()
    const record = await create(path, { ...texts, ...least, ...more })
    expect((await lastChange()).ops).toHaveLength(1)
    expect(record).toEqual({ ...base(record.id), ...texts, ...shown, ...shownMore, ...once })
    const later = { ...base(record.id), ...texts, ...shown, ...shownMore }
    expect((await send('GET', `${path}/${record.id}`)).body).toEqual(later)
    expect((await send('GET', `${path}?limit=1`)).body[list]).toEqual([later])
    for (const module of kind.modules ?? [])
      expect((await send('GET', `${path}/${record.id}/${module}`)).body).toEqual(record[module])
  })

  it('changes only the fields of an update: null is ignored, an empty string unsets, an id is ignored', async () => {
    const { send, create } = sandbox()
    const { id } = await create(path, { ...texts, ...least, ...more })
    let { body: before } = await send('GET', `${path}/${id}`)
    const steps: [object, object][] = [
      [{ description: 'c' }, { description: 'c' }],
      [{ id: `${prefix}_other`, metadata: 'd' }, { metadata: 'd' }],
      [{ id: 7, description: null, metadata: 'e' }, { metadata: 'e' }],
      ...updates,
      [
        { description: '', metadata: '' },
        { description: undefined, metadata: undefined },
      ],
    ]
    for (const [given, changed] of steps) {
      const { status, body } = await send('PATCH', `${path}/${id}`, given)
      expect({ status, body }, JSON.stringify(given)).toEqual({ status: 200, body: { ...before, ...changed } })
      expect((await send('GET', `${path}/${id}`)).body).toEqual(body)
      before = body
    }
  })

  it('has fields that no update can change, and is unchanged if a field of an update is invalid', async () => {
    const { send, create } = sandbox()
    const { id } = await create(path, { ...texts, ...least })
    for (const [name, value] of Object.entries(kept)) {
      const { msg, details } = expectError(await send('PATCH', `${path}/${id}`, { [name]: value }), 400, 214)
      expect(details.field).toBe(name)
      expect(msg).toContain(`it is set when the ${label.replace(/^An? /, '')} is created and cannot be changed`)
    }
    expectError(await send('PATCH', `${path}/${id}`, { description: 'b', metadata: 7 }), 400, 215)
    expect((await send('GET', `${path}/${id}`)).body).toEqual({ ...base(id), ...texts, ...shown })
  })

  it('is deleted with 204, then returns 404 and is not listed', async () => {
    const { send, create } = sandbox()
    const { id } = await create(path, least)
    const deleted = await send('DELETE', `${path}/${id}`)
    expect(deleted).toMatchObject({ status: 204, text: '' })
    expect(deleted.headers.get('content-type')).toBeNull()
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const body = method === 'PATCH' ? { description: 'x' } : undefined
      expectError(await send(method, `${path}/${id}`, body), 404, missing)
    }
    const { body } = await send('GET', path)
    expect(body[list].map((each: { id: string }) => each.id)).not.toContain(id)
  })
})
