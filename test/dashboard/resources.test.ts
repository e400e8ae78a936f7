import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import type { Kind } from '../../src/dashboard/types.ts'
import { live, open, skipped, startFor } from './page.ts'

const detail = (page: Page) => page.getByRole('complementary')
const finder = (page: Page) => page.getByRole('searchbox', { name: 'Find a kind' })
const kindLinks = (page: Page) => page.getByRole('navigation', { name: 'Kinds of records' }).getByRole('link')
/** Without the number of records beside it. */
const kindNames = (page: Page) => kindLinks(page).locator(':is(.wrap, code)').allInnerTexts()
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent)
const rows = (page: Page) => page.locator('.split-list .row:not(.head)')

describe.skipIf(skipped)('Resources', async () => {
  const simulator = await startFor()
  const journal = async () => (await simulator.call('GET', '/_sim/requests')).body.requests

  it('lists every declared kind in its family, and shows its table', async () => {
    const page = await open(simulator.url, '#/resources')
    const declared: Pick<Kind, 'family'>[] = (await simulator.call('GET', '/_sim/resources')).body.kinds
    await expect.poll(() => kindLinks(page).count()).toBe(declared.length)
    for (const family of new Set(declared.map(kind => kind.family))) {
      const members = declared.filter(kind => kind.family === family)
      const links = page.getByRole('list', { name: family, exact: true }).getByRole('link')
      expect(await links.count()).toBe(members.length)
      if (!['Agents', 'Events'].includes(family)) continue
      await links.last().click()
      await page.getByRole('table', { name: await links.last().locator('.wrap').innerText(), exact: true }).waitFor()
      expect(await links.last().getAttribute('aria-current')).toBe('page')
    }
  })

  it('lists the kinds also if the first question about them got no answer', async () => {
    const prepare = (page: Page) => page.route('**/_sim/resources', route => route.abort(), { times: 1 })
    const page = await open(simulator.url, '#/resources', { prepare })
    await kindLinks(page).first().waitFor()
  })

  it('finds a kind by its name, path or prefix while one types, and a record by its id', async () => {
    const page = await open(simulator.url, '#/resources')
    await kindLinks(page).first().waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('ip rul')
    await expect.poll(() => kindNames(page)).toEqual(['IP policy rules'])
    await page.keyboard.press('Enter')
    await page.waitForURL(/#\/resources\/ip_policy_rules$/)
    for (const [text, found] of [
      ['/backends/st', 'Static backends'],
      ['edghts', 'HTTPS edges'],
      ['API KEY', 'API keys'],
    ] as const) {
      await finder(page).fill(text)
      await expect.poll(() => kindLinks(page).first().locator('.wrap').innerText()).toBe(found)
    }
    await finder(page).fill(' ipp_office ')
    await expect.poll(() => kindNames(page)).toEqual(['ipp_office', 'IP policies'])
    await page.keyboard.press('Enter')
    await page.waitForURL(/#\/resources\/ip_policies\/ipp_office$/)
    await detail(page).getByRole('region', { name: 'Used by' }).waitFor()
    await finder(page).fill('nothing_like_this')
    await page.getByText('No kind has "nothing_like_this"').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => focused(page)).toBe(await kindLinks(page).nth(1).textContent())
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowUp')
    await expect.poll(() => finder(page).evaluate(field => field === document.activeElement)).toBe(true)
  })

  it('shows the kinds behind one button in a narrow window, and never scrolls sideways', async () => {
    const page = await open(simulator.url, '#/resources/ip_policies', { width: 360 })
    const button = page.getByRole('button', { name: 'IP policies', exact: false })
    await button.waitFor()
    expect(await kindLinks(page).count()).toBe(0)
    await button.click()
    await page.keyboard.type('tcp')
    await expect.poll(() => kindNames(page)).toEqual(['TCP edges'])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
    await page.keyboard.press('Enter')
    await page.waitForURL(/#\/resources\/tcp_edges$/)
    await expect.poll(() => focused(page)).toContain('TCP edges')
    expect(await kindLinks(page).count()).toBe(0)
  })

  it('searches, sorts and pages', async () => {
    const api_keys = Array.from({ length: 60 }, (_, i) => ({
      id: `ak_${String(i).padStart(3, '0')}`,
      owner_id: 'usr_me',
      description: `number ${59 - i}`,
    }))
    const many = await startFor({ fixture: { users: [{ id: 'usr_me', admin: true }], api_keys } })
    const page = await open(many.url, '#/resources/api_keys?per=25&sort=id')
    await page.getByText('1–25 of 61').waitFor()
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByText('26–50 of 61').waitFor()
    await expect.poll(() => rows(page).first().innerText()).toContain('ak_025')
    await page.getByRole('button', { name: 'description' }).click()
    await expect.poll(() => rows(page).first().innerText()).toContain('number 0')
    await page.getByRole('searchbox', { name: 'Search API keys' }).fill('number 42')
    await page.getByText('1–1 of 1').waitFor()
    await expect.poll(() => rows(page).allInnerTexts()).toEqual([expect.stringContaining('ak_017')])
    await page.reload()
    await page.getByText('1–1 of 1').waitFor()
  })

  it('creates a key through the API, shows its token once, and marks the call in the journal', async () => {
    const page = await open(simulator.url, '#/resources/api_keys')
    await page.getByRole('link', { name: 'New API key' }).click()
    await page.getByLabel(/^description/).fill('from the page')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    const dialog = page.getByRole('dialog')
    const token = await dialog.locator('.secret').innerText()
    expect((await simulator.as(token)('GET', '/api_keys')).status).toBe(200)
    await dialog.getByRole('button', { name: 'Done' }).click()
    await detail(page).getByText('from the page').first().waitFor()
    expect(await page.content()).not.toContain(token)
    const [entry] = (await journal()).filter((each: { operation: string }) => each.operation === 'create_api_key')
    expect(entry).toMatchObject({ status: 201, caller: { id: 'usr_admin' } })
    expect(entry.request.headers['edgesim-client']).toBe('page')
    await page.goto(`${simulator.url}/_sim/#/requests`)
    await page.locator('.row', { hasText: 'POST' }).getByText('page', { exact: true }).waitFor()
  })

  it('sends only changed fields, and shows why the API refused them', async () => {
    const page = await open(simulator.url, '#/resources/ip_restrictions/ipx_dashboard')
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByLabel('enforced').check()
    await page.getByLabel('ipp_local').check()
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => detail(page).innerText()).toMatch(/enforced\s+✓ yes/)
    const { body } = await simulator.call('GET', '/ip_restrictions/ipx_dashboard')
    expect(body).toMatchObject({ enforced: true, ip_policies: [{ id: 'ipp_office' }, { id: 'ipp_local' }] })
    const patch = (await journal()).find((each: { method: string }) => each.method === 'PATCH')
    expect(patch.request.body).toEqual({ enforced: true, ip_policy_ids: ['ipp_office', 'ipp_local'] })
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByLabel(/^description/).fill('é'.repeat(128))
    await page.getByText('256 of 255 bytes').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await detail(page).getByRole('alert').getByText(/255/).waitFor()
  })

  it('deletes a record after a question', async () => {
    await simulator.call('POST', '/_sim/db/api_keys', { id: 'ak_doomed', owner_id: 'usr_admin' })
    const page = await open(simulator.url, '#/resources/api_keys/ak_doomed')
    await page.getByRole('button', { name: 'Delete…' }).click()
    await page.getByRole('dialog').getByText('DELETE /api_keys/ak_doomed').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.waitForURL(/#\/resources\/api_keys$/)
    expect((await simulator.call('GET', '/api_keys/ak_doomed')).status).toBe(404)
  })

  it('links policies, restrictions and edges both ways', async () => {
    const page = await open(simulator.url, '#/resources/ip_restrictions/ipx_endpoints')
    await detail(page).getByRole('link', { name: 'ipp_office' }).click()
    const users = page.getByRole('region', { name: 'Used by' })
    await users.getByRole('link', { name: 'ipx_endpoints' }).waitFor()
    await users.getByRole('link', { name: 'edgtcp_database' }).click()
    await page.waitForURL(/tcp_edges\/edgtcp_database/)
    await detail(page).getByRole('link', { name: 'ipp_office' }).waitFor()
  })

  it('edits users, policies and edges as raw records', async () => {
    const page = await open(simulator.url, '#/resources/ip_policies/ipp_blocked')
    await page.getByRole('button', { name: 'Edit raw' }).click()
    const text = page.getByLabel('The record as JSON')
    const record = JSON.parse(await text.inputValue())
    await text.fill(JSON.stringify({ ...record, rules: [{ action: 'deny', cidr: 'nonsense' }] }))
    await page.getByRole('button', { name: 'Replace' }).click()
    await detail(page).getByRole('alert').getByText(/CIDR/).waitFor()
    await text.fill(JSON.stringify({ ...record, rules: [{ action: 'deny', cidr: '198.51.100.0/24' }] }))
    await page.getByRole('button', { name: 'Replace' }).click()
    await detail(page).getByText('198.51.100.0/24').first().waitFor()
    await page.goto(`${simulator.url}/_sim/#/resources/users/new`)
    await text.fill('{"id": "usr_new", "name": "Newcomer", "admin": true}')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.waitForURL(/users\/usr_new/)
    expect((await simulator.call('GET', '/_sim/db/users/usr_new')).body.name).toBe('Newcomer')
  })

  it('shows changes of others at once', async () => {
    const page = await open(simulator.url, '#/resources/api_keys')
    await live(page)
    await simulator.call('PATCH', '/api_keys/ak_member', { description: 'changed by another client' })
    await rows(page).getByText('changed by another client').waitFor()
  })

  it('draws few rows of 10,000 records', async () => {
    const api_keys = Array.from({ length: 9_999 }, (_, i) => ({
      id: `ak_${String(i).padStart(5, '0')}`,
      owner_id: 'usr_me',
    }))
    const big = await startFor({ fixture: { users: [{ id: 'usr_me', admin: true }], api_keys } })
    const page = await open(big.url, '#/resources/api_keys?per=10000&sort=id')
    await page.getByText('1–10000 of 10000').waitFor()
    await page.getByRole('table').getByRole('link').first().focus()
    await page.keyboard.press('End')
    await page.getByRole('link', { name: 'ak_admin' }).waitFor()
    expect(await rows(page).count()).toBeLessThan(80)
    expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(1_500)
  })
})
