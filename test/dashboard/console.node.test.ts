import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { Sendable } from '../../src/dashboard/snippets/sendable.ts'
import { hasWords } from '../../src/dashboard/state/lists.ts'
import {
  type Draft,
  draftFrom,
  EMPTY,
  formFields,
  obstacleTo,
  operationOf,
  operationsOf,
  sendableOf,
  tokenFor,
} from '../../src/dashboard/views/try-it/draft.ts'
import { describeResources } from '../../src/engine/describe/for-dashboard.ts'
import { ngrok } from '../../src/ngrok/api.ts'
import { entry, TOKENS } from './entries.ts'

interface Cases {
  drafts: [what: string, given: Partial<Draft>, wanted: Partial<Sendable>][]
  logged: [what: string, more: Partial<Sendable>, draft: Partial<Draft>][]
}
const cases: Cases = parse(readFileSync(new URL('console.yaml', import.meta.url), 'utf8'), {
  customTags: [{ tag: '!none', resolve: () => undefined }],
})

const REQUIRED = { 'Service-Version': '2' }
const operations = operationsOf(describeResources(ngrok))

function drafted(given: Partial<Draft>) {
  const draft = { ...EMPTY, ...given }
  return { draft, operation: operationOf(draft, operations) }
}

describe('Console operations', () => {
  it.each([
    ['polic post', ['create_ip_policy', 'create_ip_policy_rule']],
    ['DELETE /api_keys', ['delete_api_key']],
    ['no such words', []],
  ])('are found by words in any order: %s', (typed, ids) => {
    expect(operations.filter(({ words }) => hasWords(words, typed)).map(({ id }) => id)).toEqual(ids)
  })

  it.each([
    ['DELETE', '/api_keys/ak_none?a=1', 'delete_api_key'],
    ['GET', '/api_keys', 'list_api_keys'],
    ['DELETE', '/no/such', undefined],
  ])('are found by method and path: %s %s', (method, path, id) => {
    expect(drafted({ method, path }).operation?.id).toBe(id)
  })

  it('have form fields only for a request body', () => {
    const fields = formFields(drafted({ operation: 'create_ip_policy_rule' }))
    expect(fields?.map(({ name }) => name)).toEqual(expect.arrayContaining(['cidr', 'ip_policy_id', 'action']))
    expect(formFields(drafted({ operation: 'list_api_keys' }))).toBe(undefined)
  })
})

describe('A console draft', () => {
  it.each(cases.drafts)('%s', (_, given, wanted) => {
    expect(sendableOf(drafted(given), TOKENS, REQUIRED)).toMatchObject(wanted)
  })

  it('uses the first token without an admin token', () => {
    expect(tokenFor(EMPTY, TOKENS.slice(0, 1))?.token).toBe('sim_member')
  })

  it.each([
    ['missing path parameter', { operation: 'delete_api_key' }, 'Enter id. The path requires it.'],
    ['missing token', { who: 'typed' }, 'Enter a token, or choose another one.'],
    ['complete draft', { operation: 'delete_api_key', params: { id: 'ak_a' } }, undefined],
  ])('reports whether it can be sent: %s', (_, given, obstacle) => {
    expect(obstacleTo(drafted(given))).toBe(obstacle)
  })
})

describe('A draft from a logged request', () => {
  const caller = { id: 'usr_member', key_id: 'ak_member' }
  const headers: [string, string][] = [
    ['service-version', '9'],
    ['x-mine', 'here'],
  ]
  const sendable: Sendable = { method: 'POST', path: '/a?b=1', token: 'sim_member', headers, body: '{ }', gaps: ['g'] }
  const draftOf = (more: Partial<Sendable>) => draftFrom(entry({ caller }), { ...sendable, ...more }, REQUIRED)

  it('is sent unchanged', () => {
    const draft = draftOf({})
    expect(draft).toMatchObject({ method: 'POST', path: '/a?b=1', text: '{ }', who: 'ak_member', gaps: ['g'] })
    const again = sendableOf({ draft, operation: undefined }, TOKENS, REQUIRED)
    expect(again).toEqual({ ...sendable, gaps: [] })
  })

  it.each(cases.logged)('%s', (_, more, draft) => {
    expect(draftOf(more)).toMatchObject(draft)
  })
})
