import { describe, expect, it } from 'vitest'
import { expectError } from '../../support/http.ts'
import { type Simulated, simulate } from '../../support/in-process.ts'
import { ALL } from '../../support/long.ts'

interface Page {
  keys: { id: string }[]
  uri: string
  next_page_uri: string | null
}

let count = 0
/** A sandbox with these keys. */
async function accountIn({ call, url }: Simulated, ...keys: string[]) {
  const options = { token: `sim_admin~paging-${++count}` }
  const ids = new Map<string, string>()
  const nameOf = (id: string) => [...ids].find(([, known]) => known === id)?.[0] ?? id

  async function create(...names: string[]) {
    for (const name of names) ids.set(name, (await call('POST', '/api_keys', {}, options)).body.id)
  }
  async function remove(...names: string[]) {
    for (const name of names)
      expect((await call('DELETE', `/api_keys/${ids.get(name) ?? name}`, undefined, options)).status).toBe(204)
  }
  async function page(query = '') {
    const { status, body } = await call('GET', `/api_keys${query}`, undefined, options)
    expect(status).toBe(200)
    return body as Page
  }
  const names = ({ keys }: Page) => keys.map(({ id }) => nameOf(id))
  const follow = (uri: string) => page(uri.slice(`${url}/api_keys`.length))
  const update = (name: string, body: object) => call('PATCH', `/api_keys/${ids.get(name)}`, body, options)
  await create(...keys)
  return { create, remove, update, page, names, follow, id: (name: string) => ids.get(name)! }
}

const FIXTURE_KEYS = ['ak_ci', 'ak_member', 'ak_admin']

describe('Lists', async () => {
  const simulated = await simulate()
  const { call, url } = simulated
  const account = (...names: string[]) => accountIn(simulated, ...names)

  it('are sorted newest first, by insertion', async () => {
    const { page, names } = await account('k1', 'k2', 'k3')
    expect(names(await page())).toEqual(['k3', 'k2', 'k1', ...FIXTURE_KEYS])
  })

  it('have the same order after an update', async () => {
    const { page, names, update } = await account('k1', 'k2')
    await update('k1', { description: 'x' })
    expect(names(await page())).toEqual(['k2', 'k1', ...FIXTURE_KEYS])
  })

  it('have 100 items per page by default', async () => {
    const all = await account(...Array.from({ length: 100 }, (_, i) => `k${i}`))
    const first = await all.page()
    expect(first.keys).toHaveLength(100)
    expect(first.next_page_uri).toBe(`${url}/api_keys?before_id=${all.id('k0')}&limit=100`)
    const rest = await all.follow(first.next_page_uri!)
    expect(all.names(rest)).toEqual(FIXTURE_KEYS)
    expect(rest.next_page_uri).toBeNull()
  })

  it('accept limits from 1 to 100', async () => {
    const { page, names } = await account('k1')
    expect(names(await page('?limit=1'))).toEqual(['k1'])
    expect(names(await page('?limit=2'))).toEqual(['k1', 'ak_ci'])
    expect(names(await page('?limit=100'))).toEqual(['k1', ...FIXTURE_KEYS])
  })

  it('reject a limit that is out of range or not a number', async () => {
    for (const limit of ['0', '101', '-1', '99999999999999999999'])
      expect(expectError(await call('GET', `/api_keys?limit=${limit}`), 400, 233).msg).toContain(limit)
    for (const limit of ['', 'ten', '1.5', '1e2', '0x10', '%2010', 'NaN'])
      for (const path of ['/api_keys', '/ip_restrictions'])
        expectError(await call('GET', `${path}?limit=${limit}`), 400, 244)
  })

  it('continue after before_id or beforeId', async () => {
    const { page, names, id } = await account('k1', 'k2', 'k3')
    for (const name of ['before_id', 'beforeId']) {
      const next = await page(`?${name}=${id('k3')}&limit=2`)
      expect(names(next)).toEqual(['k2', 'k1'])
      expect(next.next_page_uri).toBe(`${url}/api_keys?before_id=${id('k1')}&limit=2`)
    }
  })

  it('start at the first page when before_id is empty', async () => {
    const { page, names } = await account()
    for (const query of ['?before_id=', '?beforeId=', '?before_id', '?before_id=&beforeId='])
      expect(names(await page(query))).toEqual(FIXTURE_KEYS)
    // A non-empty value takes precedence.
    expect(names(await page('?before_id=&beforeId=ak_member'))).toEqual(['ak_admin'])
  })

  it('have no next page after the last item, and an empty page after it', async () => {
    const { page } = await account()
    expect((await page('?limit=3')).next_page_uri).toBeNull()
    expect((await page('?limit=2')).next_page_uri).not.toBeNull()
    expect((await page('?limit=1&before_id=ak_member')).next_page_uri).toBeNull()
    expect(await page('?before_id=ak_admin')).toEqual({ keys: [], uri: `${url}/api_keys`, next_page_uri: null })
  })

  it('have a uri without a query, on every page', async () => {
    const { page } = await account()
    for (const query of ['', '?limit=1', '?before_id=ak_ci', '?x=1'])
      expect((await page(query)).uri).toBe(`${url}/api_keys`)
  })

  it('continue from an item deleted in the meantime', async () => {
    const { page, names, remove, id } = await account('k1', 'k2', 'k3', 'k4')
    await remove('k3', 'k2')
    expect(names(await page(`?before_id=${id('k3')}&limit=1`))).toEqual(['k1'])
    expect(names(await page(`?before_id=${id('k2')}`))).toEqual(['k1', ...FIXTURE_KEYS])
    await remove('k4')
    expect(names(await page(`?before_id=${id('k4')}&limit=1`))).toEqual(['k1'])
  })

  it('continue from a fixture record deleted in the meantime', async () => {
    const { page, names, remove } = await account()
    await remove('ak_member')
    expect(names(await page('?before_id=ak_member'))).toEqual(['ak_admin'])
    expect(names(await page('?before_id=ak_ci&limit=1'))).toEqual(['ak_admin'])
  })

  it('do not show new items on later pages', async () => {
    const { page, names, create, follow } = await account('k1', 'k2')
    const first = await page('?limit=1')
    await create('k3')
    expect(names(await follow(first.next_page_uri!))).toEqual(['k1'])
  })

  it('reject a cursor that was never an item, or is in another sandbox', async () => {
    const { id } = await account('k1')
    for (const never of ['ak_never_seen', 'ipx_dashboard', 'x', '__proto__', '%00', id('k1')])
      for (const name of ['before_id', 'beforeId']) {
        const response = await call('GET', `/api_keys?${name}=${never}`)
        expect(expectError(response, 400, 230).details.field).toBe(name)
      }
  })

  it('suggest the closest match for an unknown cursor', async () => {
    const response = await call('GET', '/api_keys?before_id=ak_memebr')
    expect(expectError(response, 400, 230).details).toMatchObject({ field: 'before_id', nearest: 'ak_member' })
  })

  const twice = ['limit=1&limit=1', 'before_id=ak_ci&before_id=ak_ci', 'before_id=ak_ci&beforeId=ak_ci']
  it.each(twice)('reject a parameter sent twice: %s', async query => {
    expectError(await call('GET', `/api_keys?${query}`), 400, 232)
  })

  it('ignore unknown parameters, even if sent twice', async () => {
    expect((await call('GET', '/api_keys?order=asc&order=desc&Limit=0&utm_source=x')).status).toBe(200)
    expect((await call('GET', '/api_keys/ak_admin?limit=0&before_id=x')).status).toBe(200)
  })

  it.runIf(ALL)('show each remaining key of 250 once while others are created and deleted', async () => {
    const caller = { id: 'ak_0', token: 'sim_admin' }
    const api_keys = [caller, ...Array.from({ length: 149 }, (_, i) => ({ id: `ak_${i + 1}` }))]
    const added = Array.from({ length: 100 }, (_, i) => `k${i}`)
    const old = [...api_keys.map(({ id }) => id), ...added]
    const fixture = { users: [{ id: 'usr_admin', admin: true }], api_keys }
    const { page, names, create, remove, follow } = await accountIn(await simulate({ fixture }), ...added)
    const seen: string[] = []
    const gone = new Set<string>()
    let next: string | null = null
    for (let turn = 0; turn === 0 || next; turn++) {
      const shown: Page = next === null ? await page('?limit=20') : await follow(next)
      seen.push(...names(shown))
      next = shown.next_page_uri
      await create(`new${turn}`)
      const lost = [seen.at(-1)!, old[240 - turn * 20]!, old[turn * 3 + 1]!]
      const alive = lost.filter(name => name !== caller.id && !gone.has(name))
      await remove(...new Set(alive))
      for (const name of alive) gone.add(name)
    }
    expect(gone.size).toBeGreaterThan(20)
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen.filter(name => name.startsWith('new'))).toEqual([])
    const survivors = old.filter(name => !gone.has(name)).toReversed()
    expect(seen.filter(name => !gone.has(name))).toEqual(survivors)
  })
})

it('Lists with page_order=oldest_first continue from a deleted item, and show new items', async () => {
  const simulated = await simulate({ assume: { page_order: 'oldest_first' } })
  const { create, remove, page, names, follow } = await accountIn(simulated, 'k1', 'k2', 'k3')
  const first = await page('?limit=4')
  expect(names(first)).toEqual([...FIXTURE_KEYS.toReversed(), 'k1'])
  await remove('k1', 'k2')
  await create('k4')
  expect(names(await follow(first.next_page_uri!))).toEqual(['k3', 'k4'])
})
