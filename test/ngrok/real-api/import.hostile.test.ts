import { readdirSync, readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { importAccount } from '../../../src/ngrok/real-api/import/import-account.ts'
import { MAX_REPORTED_PLACES } from '../../../src/ngrok/real-api/import/report.ts'
import { collections } from '../../../src/ngrok/resources/index.ts'
import { folderWith } from '../../support/afterwards.ts'
import { serve, timeOf } from './fake.ts'
import { SECRET } from './rich-account.ts'

type Reply = (res: ServerResponse, url: string) => void

const emptyLists = Object.fromEntries(
  collections.filter(({ listAs }) => listAs).map(({ path, listAs }) => [path, { [listAs!]: [], next_page_uri: null }]),
)

/** Imports these responses, and empty lists for other paths. */
async function importing(replies: Record<string, Reply | object>, { keepTexts = false } = {}) {
  const requests: string[] = []
  const url: string = await serve((req, res) => {
    requests.push(`${req.method} ${req.url}`)
    const path = req.url!.split('?')[0]!
    const reply = replies[req.url!] ?? replies[path] ?? emptyLists[path]
    if (typeof reply === 'function') return (reply as Reply)(res, url)
    res.writeHead(reply ? 200 : 404).end(JSON.stringify(reply ?? {}))
  })
  const folder = folderWith()
  const out = join(folder, 'a.json')
  const run = () =>
    importAccount({ url, key: 'k', vendor: 'service' }, { out, pace: 60_000, keepTexts }, { time: timeOf() })
  const read = async () => {
    const { lines } = await run()
    return { lines, fixture: JSON.parse(readFileSync(out, 'utf8')) }
  }
  return { run, read, requests, written: () => readdirSync(folder).filter(name => name.endsWith('.json')) }
}

const status =
  (code: number, body: object = { error_code: 'ERR_X_1', msg: SECRET }): Reply =>
  res =>
    void res.writeHead(code).end(JSON.stringify(body))
const text =
  (body: string | Buffer): Reply =>
  res =>
    void res.end(body)
const keys = (...items: unknown[]) => ({ '/api_keys': { keys: items } })

describe('A response of the real API', () => {
  it.each([
    ['that is not JSON', text('<html>')],
    ['that is empty', text('')],
    ['that is a list', text('[]')],
    ['that is null', text('null')],
    ['without the list', text('{"items":[]}')],
    ['with an object as its list', text('{"keys":{"length":1}}')],
    ['with an inherited list', text('{"__proto__":{"keys":[]}}')],
    ['that is a redirect', status(302)],
    ['with status 400', status(400)],
  ])('%s stops the import, and no file is written', async (_, reply) => {
    const { run, written } = await importing({ '/api_keys': reply })
    await expect(run()).rejects.toThrow(
      /GET \/api_keys at \S+ returned no list "keys" \(status \d+(, ERR_X_1)?\)\. Check that --url/,
    )
    expect(written()).toEqual([])
  })

  it('that rejects the key stops the import with an error', async () => {
    const { run, requests } = await importing({ '/bot_users': status(401) })
    await expect(run()).rejects.toThrow('rejected the API key (status 401). Check EDGESIM_API_KEY')
    expect(requests).toEqual(['GET /bot_users?limit=100'])
  })

  it.each([
    [403, 'access denied (status 403)'],
    [404, 'the API does not have them (status 404)'],
    [410, 'the API does not have them (status 410)'],
    [501, 'the API does not have them (status 501)'],
  ])('with status %i skips and reports the collection', async (code, why) => {
    const { read } = await importing({ '/vaults': status(code) })
    expect((await read()).lines).toContain(`  vaults: ${why}`)
  })

  it.each([403, 404])('with status %i for every list stops the import', async code => {
    const all = Object.fromEntries(Object.keys(emptyLists).map(path => [path, status(code)]))
    const { run, written } = await importing(all)
    await expect(run()).rejects.toThrow(/returned no records for this key: .* \(status \d+\)\. Check EDGESIM_API_KEY/)
    expect(written()).toEqual([])
  })

  it('with status 404 for a later page stops the import', async () => {
    const { run, written } = await importing({
      '/api_keys': (res, url) =>
        void res.end(JSON.stringify({ keys: [], next_page_uri: `${url}/api_keys?before_id=x` })),
      '/api_keys?before_id=x': status(404),
    })
    await expect(run()).rejects.toThrow('returned no list "keys" (status 404')
    expect(written()).toEqual([])
  })

  it.each([
    'http://evil.example/api_keys',
    '//evil.example/api_keys',
    'https://127.0.0.1/api_keys',
  ])('with a next page at %s stops the import, and no request goes there', async next_page_uri => {
    const { run, written } = await importing({ '/api_keys': { keys: [], next_page_uri } })
    await expect(run()).rejects.toThrow('links to a next page at another address')
    expect(written()).toEqual([])
  })

  it('above 16 MB is not read to its end', async () => {
    const { run, written } = await importing({ '/api_keys': text(Buffer.alloc(17 * 1024 * 1024, 32)) })
    await expect(run()).rejects.toThrow('the response is larger than 16 MB')
    expect(written()).toEqual([])
  })
})

describe('A record of the real API', () => {
  const wrongIds = [7, 'nonsense', 'cr_x', '../../etc', 'ak_']
  it.each([null, 7, 'x', [], {}, ...wrongIds.map(id => ({ id }))])('like %j is omitted', async item => {
    const { read } = await importing(keys(item, { id: 'ak_good', owner_id: 'usr_a' }))
    const { fixture } = await read()
    expect(fixture.api_keys).toEqual([{ id: 'ak_good', owner_id: 'usr_a', token: 'sim_good' }])
  })

  it('is imported field by field, only as declared', async () => {
    const wrong = {
      id: 'ak_a',
      uri: 7,
      created_at: 'yesterday',
      description: { [SECRET]: SECRET },
      metadata: [SECRET],
      owner_id: [SECRET],
      token: SECRET,
      [SECRET.toLowerCase()]: SECRET,
      nested: { [SECRET]: SECRET },
      nothing: null,
    }
    const { read } = await importing(keys(JSON.parse(JSON.stringify(wrong))))
    const { fixture, lines } = await read()
    expect(fixture.api_keys).toEqual([{ id: 'ak_a', token: 'sim_a' }])
    expect(JSON.stringify([fixture, lines])).not.toContain(SECRET)
    expect(lines).toEqual(
      expect.arrayContaining([
        '  api_keys.planted-secret (string)',
        '  api_keys.nested (object)',
        '  api_keys.owner_id (list)',
      ]),
    )
  })

  it('with __proto__ and constructor changes no prototype', async () => {
    const { read } = await importing({
      '/api_keys': text('{"keys":[{"id":"ak_a","__proto__":{"owner_id":"usr_evil"},"constructor":{"x":1}}]}'),
      '/tunnels': text('{"tunnels":[{"id":"tn_a","tunnel_session":{"id":"ts_a"},"labels":{"__proto__":"x","a":"b"}}]}'),
      '/tunnel_sessions': { tunnel_sessions: [{ id: 'ts_a' }] },
    })
    const { fixture, lines } = await read()
    expect(fixture.api_keys).toEqual([{ id: 'ak_a', token: 'sim_a' }])
    expect(lines).toContain('  api_keys.__proto__ (object)')
    expect(({} as Record<string, unknown>).owner_id).toBeUndefined()
  })

  it('with 10,000 unknown fields is reported in few lines', async () => {
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`member_${i}`, i]))
    const { read } = await importing(keys({ id: 'ak_a', [`\u001b[2J${'x'.repeat(500)}`]: 1, ...many }))
    const { lines } = await read()
    expect(lines.length).toBeLessThan(MAX_REPORTED_PLACES + 20)
    expect(lines).toContain('  other places: 9801')
    for (const line of lines) expect(line.length).toBeLessThan(500)
    expect(lines.join('')).not.toContain('\u001b')
  })

  it('with times in another format is unchanged and reported', async () => {
    const { read } = await importing(keys({ id: 'ak_a', created_at: '2026-01-01T01:00:00.5+01:00' }))
    const { fixture, lines } = await read()
    expect(fixture.api_keys).toMatchObject([{ created_at: '2026-01-01T01:00:00.5+01:00' }])
    expect(lines).toEqual(
      expect.arrayContaining([expect.stringMatching(/^Values stored in a different format/), '  api_keys.created_at']),
    )
  })

  it('that is listed twice is imported once', async () => {
    const { read } = await importing(keys({ id: 'ak_a', owner_id: 'usr_a' }, { id: 'ak_a', owner_id: 'usr_b' }))
    const { fixture, lines } = await read()
    expect(fixture.api_keys).toEqual([{ id: 'ak_a', owner_id: 'usr_a', token: 'sim_a' }])
    expect(lines).toContain('Records listed twice, imported once (1):')
  })

  it('with a conflict or a missing reference is omitted or fixed, and reported', async () => {
    const { read } = await importing({
      '/reserved_domains': {
        reserved_domains: [{ id: 'rd_a', domain: 'a.example.com', certificate: { id: 'cert_gone', uri: '' } }],
      },
      '/ip_policy_rules': {
        ip_policy_rules: [{ id: 'ipr_a', ip_policy: { id: 'ipp_gone' }, action: 'allow', cidr: '10.0.0.0/8' }],
      },
      '/ip_restrictions': { ip_restrictions: [{ id: 'ipx_a', type: 'api', ip_policies: [{ id: 'ipp_gone' }] }] },
      '/edges/https': { https_edges: [{ id: 'edghts_a', routes: [{ id: 'edghtsrt_a' }, { id: 'edghtsrt_b' }] }] },
      '/vault_secrets': { secrets: [{ id: 'secret_a', name: 'a' }] },
      '/backends/weighted': { backends: [{ id: 'bkdwd_a', backends: { bkdsc_gone: 1 } }] },
      '/api_keys': { keys: [{ id: 'ak_a', owner_id: 'acct_other' }] },
    })
    const { fixture, lines } = await read()
    expect(fixture).toEqual({
      api_keys: [{ id: 'ak_a', token: 'sim_a' }],
      ip_restrictions: [{ id: 'ipx_a', type: 'api', ip_policy_ids: ['ipp_gone'] }],
      reserved_domains: [{ id: 'rd_a', domain: 'a.example.com' }],
      weighted_backends: [{ id: 'bkdwd_a', backends: {} }],
      https_edges: [{ id: 'edghts_a', routes: [{ id: 'edghtsrt_a' }] }],
      missing: ['ipp_gone'],
    })
    expect(lines).toEqual(
      expect.arrayContaining([
        '  ip_policy_rules, because of ip_policy_id',
        '  reserved_domains.certificate_id',
        '  weighted_backends.backends',
        'Objects without required values, omitted (1):',
        '  vault_secrets',
        'Records that conflict with another record, omitted (1):',
      ]),
    )
  })

  it('with a private key in any string loses that field', async () => {
    const pem = '-----BEGIN PRIVATE KEY-----\nMC4\n-----END PRIVATE KEY-----'
    const service_users = [{ id: 'service_a', name: pem }]
    const replies = { '/service_users': { service_users }, ...keys({ id: 'ak_a', description: pem }) }
    const { fixture, lines } = await (await importing(replies, { keepTexts: true })).read()
    expect(JSON.stringify(fixture)).not.toContain('PRIVATE')
    expect(lines).toEqual(expect.arrayContaining(['  service_users.name', '  api_keys.description']))
  })
})
