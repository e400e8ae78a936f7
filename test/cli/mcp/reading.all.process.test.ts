import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../../support/afterwards.ts'
import { talk } from '../../support/raw-http.ts'
import { agentOf } from './agent.ts'

const { client, call } = await agentOf(['--all-tools', '--scenario', 'large-account', '--log', 'silent'])
const { resources } = await client.listResources()
const { prompts } = await client.listPrompts()
const read = async (uri: string) =>
  (await client.readResource({ uri })).contents[0] as { text: string; mimeType: string }

describe('Resources', () => {
  it('are the docs, schemas, assumptions and OpenAPI', () => {
    expect(resources.map(({ uri }) => uri)).toEqual([
      'edgesim://docs/api.md',
      ...readdirSync(join(root, 'docs/api'))
        .sort()
        .map(page => `edgesim://docs/api/${page}`),
      ...`docs/scenarios.md docs/library.md docs/agents.md
        scenarios/scenario.schema.json fixtures/fixture.schema.json assumptions openapi.json`
        .split(/\s+/)
        .map(name => `edgesim://${name}`),
    ])
    for (const { name, description } of resources) expect(description, name).toMatch(/\w{3}/)
  })

  it('have an empty list of templates', async () => {
    expect(await client.listResourceTemplates()).toEqual({ resourceTemplates: [] })
  })

  it('are returned unchanged', async () => {
    for (const path of ['docs/api.md', 'docs/api/keys.md', 'docs/agents.md', 'scenarios/scenario.schema.json']) {
      const { text, mimeType } = await read(`edgesim://${path}`)
      expect(text).toBe(readFileSync(join(root, path), 'utf8'))
      expect(mimeType).toBe(path.endsWith('.md') ? 'text/markdown' : 'application/schema+json')
    }
    expect(JSON.parse((await read('edgesim://openapi.json')).text)).toMatchObject({ openapi: '3.1.0' })
    const { assumptions } = JSON.parse((await read('edgesim://assumptions')).text)
    expect(assumptions).toContainEqual(expect.objectContaining({ name: 'missing_version', value: 'reject' }))
  })
})

describe('Prompts', () => {
  const textOf = async (name: string, given: Record<string, string>) => {
    const { messages } = await client.getPrompt({ name, arguments: given })
    expect(messages).toMatchObject([{ role: 'user', content: { type: 'text' } }])
    return (messages[0]!.content as { text: string }).text
  }

  it('contain instructions, with only tools that are always offered and existing resources', async () => {
    const { tools } = await (await agentOf()).client.listTools()
    const names = tools.map(({ name }) => name)
    const uris = resources.map(({ uri }) => uri)
    const texts = [
      await textOf('write_client_test', { what: 'retry after 503' }),
      await textOf('write_client_test', { what: 'retry after 503', runner: 'node --test' }),
      await textOf('why_did_it_fail', {}),
      await textOf('why_did_it_fail', { id: 'op_1', sandbox: 'mine' }),
      client.getInstructions()!,
    ]
    expect(texts[0]).toContain('for this: retry after 503')
    expect(texts[1]).toContain('node --test')
    expect(texts[3]).toContain('the request op_1 got its response, in the sandbox mine')
    for (const text of texts) {
      const named = [...text.matchAll(/`(\w+)`|\b([a-z]+_[a-z_]+)\b/g)].map(([, one, other]) => one ?? other)
      expect(named.length).toBeGreaterThan(3)
      expect(named.filter(name => !names.includes(name!))).toEqual([])
      for (const [uri] of text.matchAll(/edgesim:\/\/[\w./]*\w/g)) expect(uris).toContain(uri)
    }
    expect(prompts.map(({ name }) => name)).toEqual(['write_client_test', 'why_did_it_fail'])
  })

  it.each<[string, Record<string, string>, RegExp]>([
    ['write_client_tests', {}, /Unknown prompt "write_client_tests"\. Did you mean write_client_test\?/],
    ['write_client_test', {}, /requires the argument "what"/],
    ['write_client_test', { what: '' }, /requires the argument "what"/],
    ['write_client_test', { what: 'x', runer: 'y' }, /"runer" of write_client_test\. Did you mean runner\?/],
  ])('reject %s %o', async (name, given, says) => {
    await expect(client.getPrompt({ name, arguments: given })).rejects.toThrow(says)
  })
})

describe('A long result', () => {
  const sizeOf = (data: unknown) => JSON.stringify(data).length

  it('is shortened, and reports the omissions', async () => {
    const state = await call('get_state')
    expect(sizeOf(state.data)).toBeLessThan(21_000)
    const [, shown, all] = /api_keys \((\d+) of (\d+) shown\)/.exec(state.text)!
    expect(Number(all)).toBeGreaterThan(Number(shown))
    expect(state.data.api_keys).toHaveLength(Number(shown))
    expect(state.data.left_out).toContain(`api_keys (${shown} of ${all} shown)`)
    const records = await call('list_records', { collection: 'api_keys' })
    expect(records.text).toMatch(new RegExp(`^${all} records\\. Truncated: data \\(\\d+ of ${all} shown\\)\\.$`))
  })

  it('is shortened inside long strings and deep values', async () => {
    const long = '{"description":"'.concat('x'.repeat(30_000), '"}')
    const told = await call('call_api', { method: 'POST', path: '/api_keys', body: long })
    expect(told.text).toMatch(/^Status 400/)
    const wide = await call('call_api', { path: '/api_keys', headers: { 'x-long': 'y'.repeat(12_000) } })
    const one = await call('explain_request', { id: wide.data.id })
    expect(sizeOf(one.data)).toBeLessThan(21_000)
    expect(one.text).toMatch(/request\.headers\.x-long \(the first \d+ of 12000 characters shown\)/)
  })

  it('is shortened in an error', async () => {
    const [long, wide] = ['x'.repeat(50_000), '\u{1f600}'.repeat(3_000)]
    const told = [
      await call('call_api', { path: '/api_keys', timeout: long }),
      await call('verify_requests', { where: { [long]: 1 } }),
      await call('explain_request', { id: long }),
      await call('drop_sandbox', { name: long }),
      await call('set_state', { state: { [long]: [] } }),
    ]
    expect(told.map(({ isError }) => isError)).toEqual(told.map(() => true))
    for (const { text, raw } of told) expect(raw.length, text.slice(0, 80)).toBeLessThan(5_000)
    await call('add_record', { collection: 'users', record: { id: 'usr_wide', name: wide } })
    const one = await call('get_record', { collection: 'users', id: 'usr_wide' })
    expect([one.text, one.data.name]).toEqual(['The record usr_wide.', wide])
  })

  it('has all fields of the items that it shows', async () => {
    const fixture = { tcp_edges: [{ id: 'edgtcp_a', hostports: ['127.0.0.1:0'] }] }
    await call('create_sandbox', { name: 'busy', fixture })
    const { port } = (await call('get_traffic', { sandbox: 'busy' })).data.listeners[0]
    for (let i = 0; i < 40; i++) await talk(port, 'x')
    const traffic = await call('get_traffic', { sandbox: 'busy' })
    expect(traffic.text).toMatch(/^Listening ports: 1\. 40 decisions, newest first\./)
    for (const decision of traffic.data.decisions) expect(decision.explanation.text).toMatch(/\w/)
  })

  it('reports the number of matching records, even for a page', async () => {
    const page = await call('list_records', { collection: 'bots', _page: 1, _per_page: 1 })
    const all = await call('list_records', { collection: 'bots' })
    expect(page.text).toBe(all.text)
    expect([page.data.items, page.data.data.length]).toEqual([all.data.items, 1])
  })

  it('summarizes lists, and shows single items in full', async () => {
    await call('call_api', { path: '/api_keys/ak_admin' })
    const { data } = await call('list_requests', { limit: 1 })
    expect(Object.keys(data.requests[0])).not.toContain('response')
    expect(Object.keys((await call('explain_request', { id: data.requests[0].id })).data)).toContain('response')
  })
})
