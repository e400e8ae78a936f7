import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../../support/afterwards.ts'
import { type Client, startServer } from './client.ts'

const server = await startServer()
const create = (client: Client, description = 'made') => client.send('POST', '/api_keys', { body: { description } })
const list = (client: Client, query = '') => client.send('GET', `/api_keys${query}`)

/** Checks each scenario's description. */
const checks: Record<string, (client: Client) => Promise<void>> = {
  async 'slow-network'(client) {
    const seen = await Promise.all(Array.from({ length: 8 }, () => client.send('GET', '/api_keys/ak_ci')))
    expect(new Set(seen.map(({ status }) => status))).toEqual(new Set([200]))
    for (const { ms } of seen) expect(ms).toBeGreaterThan(59)
    expect(await client.counts()).toEqual([[8, 8]])
  },

  async 'flaky-writes'(client) {
    expect((await list(client)).status).toBe(200)
    const seen = await Promise.all(Array.from({ length: 60 }, (_, i) => create(client, `write ${i}`)))
    const [made, refused, lost] = [
      seen.filter(({ status }) => status === 201),
      seen.filter(({ status }) => status === 503),
      seen.filter(({ error }) => error === 'ECONNRESET'),
    ]
    expect(made.length + refused.length + lost.length).toBe(60)
    expect(refused.length).toBeGreaterThan(4)
    expect(refused[0]).toMatchObject({ headers: { 'retry-after': '1' }, body: { status_code: 503 } })
    expect(lost.length).toBeGreaterThan(0)
    expect(await client.keys()).toHaveLength(3 + made.length + lost.length)
    for (const { ms } of seen) expect(ms).toBeGreaterThan(19)
  },

  async 'lost-replies'(client) {
    let tries = 0
    while ((await create(client, 'wanted once')).error !== undefined) expect(++tries).toBeLessThan(20)
    const copies = (await client.keys()).filter(description => description === 'wanted once')
    expect(copies.length).toBeGreaterThan(1)
    expect((await list(client)).status).toBe(200)
    const seen = []
    for (let i = 0; i < 40; i++) seen.push(await create(client))
    const lost = seen.filter(({ error }) => error === 'ECONNRESET').length
    expect(Math.abs(lost - 20)).toBeLessThan(12)
    expect(await client.keys()).toHaveLength(3 + copies.length + 40)
  },

  async 'rate-limited'(client) {
    await client.control('PUT', '/clock', { frozen: true })
    const seen = []
    for (let i = 0; i < 121; i++) seen.push(await client.send('GET', '/api_keys/ak_ci'))
    expect(seen.filter(({ status }) => status === 200)).toHaveLength(120)
    expect(seen[0]!.headers).toMatchObject({ 'x-ratelimit-limit': '120', 'x-ratelimit-remaining': '119' })
    expect(seen[120]).toMatchObject({ status: 429, body: { error_code: 'ERR_SERVICE_226' } })
    expect(Number(seen[120]!.headers['retry-after'])).toBeGreaterThan(0)
  },

  async outage(client) {
    expect(await list(client)).toMatchObject({ status: 503, headers: { 'retry-after': '30' } })
    expect((await create(client)).error).toBe('ECONNRESET')
    expect((await client.send('DELETE', '/api_keys/ak_ci')).error).toBe('ECONNRESET')
    expect(await client.keys()).toHaveLength(3)
  },

  async 'maintenance-window'(client) {
    expect((await create(client)).status).toBe(201)
    await client.advance('10m')
    expect(await create(client)).toMatchObject({ status: 503, headers: { 'retry-after': '600' } })
    expect((await list(client)).status).toBe(200)
    expect((await client.send('DELETE', '/api_keys/ak_ci')).status).toBe(503)
    await client.advance('10m')
    expect((await create(client)).status).toBe(201)
  },

  async 'eventual-consistency'(client) {
    await client.control('PUT', '/clock', { frozen: true })
    const { id } = (await create(client)).body
    expect((await client.send('GET', `/api_keys/${id}`)).status).toBe(404)
    await client.advance('2s')
    expect((await client.send('GET', `/api_keys/${id}`)).status).toBe(200)
  },

  async 'revoked-keys'(client) {
    for (let i = 0; i < 5; i++) expect((await list(client)).status).toBe(200)
    const refused = await list(client)
    expect(refused).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' } })
    expect(refused.body.error_code).toBe('ERR_SERVICE_203')
    expect((await client.send('GET', '/api_keys', { token: client.token.replace('admin', 'ci') })).status).toBe(401)
  },

  async 'locked-down'(client) {
    for (const { status, body } of [await list(client), await create(client)]) {
      expect(status).toBe(403)
      expect(body.msg).toMatch(/ipx_lockdown/)
    }
    await client.control('PATCH', '/db/ip_restrictions/ipx_lockdown', { enforced: false })
    expect((await list(client)).status).toBe(200)
  },

  async 'empty-account'(client) {
    const { body } = await client.control('GET', '/state')
    const counts = Object.values<unknown[]>(body).map(({ length }) => length)
    expect(counts.reduce((sum, count) => sum + count)).toBe(2)
    expect(client.token).toMatch(/^sim_admin~/)
    expect((await list(client)).body.keys).toHaveLength(1)
    expect((await create(client)).status).toBe(201)
  },

  async 'large-account'(client) {
    const ids: string[] = []
    let pages = 0
    for (let path: string | null = '/api_keys'; path; pages++) {
      const { body } = await client.send('GET', path)
      for (const { id, owner_id } of body.keys) {
        ids.push(id)
        if (id.startsWith('ak_large')) expect(owner_id).toBe('usr_admin')
      }
      path = body.next_page_uri?.slice(server.url.length)
    }
    expect(pages).toBe(11)
    expect(new Set(ids).size).toBe(1003)
    expect((await client.send('GET', '/api_keys/ak_large_0500')).body.description).toBe('Key 500 of 1000')
  },

  async 'version-deprecated'(client) {
    for (const { status, body } of [await list(client), await create(client)]) {
      expect(status).toBe(400)
      expect(body.error_code).toBe('ERR_SERVICE_217')
    }
  },
}

const files = readdirSync(join(root, 'scenarios')).filter(file => !file.includes('.schema.'))
const names = files.map(file => file.replace(/\.\w+$/, ''))

describe('Named scenarios', () => {
  it('are all tested here', () => {
    expect(Object.keys(checks).sort()).toEqual(names.sort())
  })

  it.each(Object.entries(checks))('include %s, which matches its description', async (name, check) => {
    await check(await server.under(name))
  })

  it('have a one-line description, the same in docs/scenarios.md', async () => {
    const [, table = ''] = readFileSync(join(root, 'docs/scenarios.md'), 'utf8').split('\n## Named scenarios\n')
    const { scenarios } = (await server.control('GET', '/scenarios')).body
    for (const { name, description, error } of scenarios) {
      expect(error).toBeUndefined()
      expect(description, name).toMatch(/^.{20,140}\.$/)
      expect(table.split('\n')).toContain(`| \`${name}\` | ${description} |`)
    }
  })

  it.each(files)('name their schema for editors: %s', file => {
    const text = readFileSync(join(root, 'scenarios', file), 'utf8')
    expect(text).toMatch(
      /^# yaml-language-server: \$schema=\.\/scenario\.schema\.json$|"\$schema": "\.\/scenario\.schema\.json"/m,
    )
  })

  // YAML has a limit below the 1,000 records of large-account.
  it.each(names.filter(name => name !== 'large-account'))('are unchanged after conversion to YAML: %s', async name => {
    const client = await server.under({ seed: 1 })
    const { seed_source: _, ...meant } = (await client.control('PUT', '/scenario', { name })).body
    const rules = meant.rules.map(({ matched, fired, ...rule }: { matched: number; fired: number }) => rule)
    const { body } = await server.control('POST', '/scenario/yaml', { ...meant, rules })
    expect((await client.control('PUT', '/scenario', body)).body).toEqual({ ...meant, seed_source: 'scenario' })
  })
})
