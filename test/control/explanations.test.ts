import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { CallOptions } from '../support/http.ts'
import { simulate } from '../support/in-process.ts'

const { call, as } = await simulate()

/** The explanation of a response, found by its operation id. */
async function explain(request: string, sandbox = 'default', body?: unknown, how?: CallOptions) {
  const [method, path] = request.split(' ') as [string, string]
  const token = sandbox === 'default' ? 'sim_admin' : `sim_admin~${sandbox}`
  const response = await call(method, path, body, { token, ...how })
  const id = response.body?.details?.operation_id ?? response.headers.get('edgesim-operation-id')
  const { body: entry } = await call('GET', `/_sim/sandboxes/${sandbox}/requests/${id}`)
  expect(entry.status).toBe(response.status)
  return entry.explanation
}

type Case = [what: string, request: string, how: CallOptions & { body?: unknown }, decision: string, says: string]

/** A decision is its name, the section of docs/api.md, and the closest id or path if any. */
const cases: Case[] = [
  ...parse(readFileSync(join(import.meta.dirname, 'explanations.yaml'), 'utf8')),
  [
    'too many bytes, with their number',
    'POST /api_keys',
    { body: { description: 'é'.repeat(128) } },
    'description_too_long 8',
    'up to 255 bytes.*got 256 bytes',
  ],
  [
    'a body over the limit, with its size',
    'POST /api_keys',
    { body: { metadata: 'x'.repeat(69_985) } },
    'body_too_large 4',
    'limit is 64 KB.*70,?000 bytes',
  ],
]

describe('A rejection is explained:', () => {
  it.each(cases)('%s', async (_, request, { body, ...how }, decision, says) => {
    const [decided_by, section, nearest = null] = decision.split(' ')
    const explanation = await explain(request, 'default', body, how)
    expect(explanation).toEqual({ decided_by, section, nearest, text: expect.stringMatching(new RegExp(says)) })
    const flags = explanation.text.match(/--assume \w+=\w+/g) ?? []
    expect(flags).toEqual([...new Set(flags)])
    expect(explanation.text).not.toMatch(/ {2}|\.\.|undefined|null|NaN/)
  })

  it('a blocked source, by its restriction', async () => {
    const body = { type: 'api', enforced: true, ip_policy_ids: ['ipp_office'] }
    const { body: made } = await as('sim_admin~fenced')('POST', '/ip_restrictions', body)
    const explanation = await explain('GET /api_keys', 'fenced')
    expect(explanation).toMatchObject({ decided_by: 'source_blocked', section: '4.2', nearest: null })
    expect(explanation.text).toMatch(new RegExp(`${made.id}.*127\\.0\\.0\\.1: none of the 2 allow rules`))
  })

  it('an id that was deleted and created again, without the deletion', async () => {
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
    expect((await explain('GET /api_keys/ak_member', 'deleted')).text).toContain('deleted with the control API')
  })
})

describe('A success is explained:', () => {
  it('a write, by the change it made', async () => {
    const explanation = await explain('POST /api_keys', 'written')
    expect(explanation).toEqual({ decided_by: 'operation', section: '4.1', nearest: null, text: expect.any(String) })
    expect(explanation.text).toMatch(/^create_api_key.*change 1\.$/)
  })

  it('a read, by its assumptions and how to change them', async () => {
    const { decided_by, section, text } = await explain('GET /ip_restrictions')
    expect({ decided_by, section }).toEqual({ decided_by: 'operation', section: '4.2' })
    expect(text).toMatch(/Nothing was changed.*page_order=newest_first.*--assume page_order=oldest_first/)
  })

  it('a changed assumption, by how to revert it', async () => {
    const flipped = await simulate({ assume: { missing_version: 'accept' } })
    const response = await flipped.call('GET', '/api_keys', undefined, { version: null })
    expect(response.status).toBe(200)
    const { body } = await flipped.call('GET', `/_sim/requests/${response.headers.get('edgesim-operation-id')}`)
    expect(body.assumptions).toContainEqual({ name: 'missing_version', value: 'accept' })
    expect(body.explanation.text).toMatch(/missing_version=accept.*--assume missing_version=reject/)
  })
})
