import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import type { JournalEntry } from '../../src/contract/journal-entry.ts'
import type { Kind } from '../../src/dashboard/types.ts'
import { ALL } from '../support/long.ts'
import { detail, isFocused, live, open, openNew, pressAll, skipped, startFor, textIn, textOf, textsIn } from './page.ts'

const shownId = (page: Page, id: string) => page.locator('.detail-head').getByText(id, { exact: true }).waitFor()
const picker = (page: Page) => page.getByRole('combobox', { name: 'Resource type, or record by ID' })
const options = (page: Page) => page.locator('.kind-picker').getByRole('option')
const table = (page: Page, name: string) => page.getByRole('table', { name, exact: true })
const kindLinks = (page: Page) => page.getByRole('navigation', { name: 'Resource types' }).getByRole('link')
const rows = (page: Page) => page.locator('.split-list .row:not(.head)')

function openWith(keys: { id: string }[], hash: string) {
  const api_keys = keys.map(key => ({ owner_id: 'usr_me', ...key }))
  return openNew(hash, { fixture: { users: [{ id: 'usr_me', admin: true }], api_keys } })
}

describe.skipIf(skipped)('The Resources view', async () => {
  const simulator = await startFor()

  it('creates an API key, shows its token once, and marks the call in the request log', async () => {
    const page = await open(simulator.url, '#/resources/api_keys')
    await page.getByRole('link', { name: 'New API key' }).click()
    await page.getByLabel(/^description/).fill('from the page')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    const dialog = page.getByRole('dialog')
    const token = await dialog.locator('.secret').innerText()
    await dialog.getByRole('button', { name: /^Copy token of ak_/ }).click()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(token)
    expect((await simulator.as(token)('GET', '/api_keys')).status).toBe(200)
    await dialog.getByRole('button', { name: 'Done' }).click()
    await detail(page).getByText('from the page').first().waitFor()
    expect(await page.content()).not.toContain(token)
    const { requests } = (await simulator.call('GET', '/_sim/requests?operation=create_api_key')).body
    expect(requests).toMatchObject([{ status: 201, caller: { id: 'usr_admin' } }])
    expect(requests[0].request.headers['edgesim-client']).toBe('page')
    await page.getByRole('link', { name: 'Requests' }).click()
    await page.locator('.row', { hasText: 'POST' }).getByText('dashboard', { exact: true }).waitFor()
  })

  it('shows changes by other clients immediately', async () => {
    const page = await open(simulator.url, '#/resources/api_keys')
    await live(page)
    await simulator.call('PATCH', '/api_keys/ak_member', { description: 'changed by another client' })
    await rows(page).getByText('changed by another client').waitFor()
  })

  it.runIf(ALL)('lists every resource type in its family, and shows its table', async () => {
    const page = await open(simulator.url, '#/resources')
    const declared: Pick<Kind, 'family'>[] = (await simulator.call('GET', '/_sim/resources')).body.kinds
    await expect.poll(() => kindLinks(page).count()).toBe(declared.length)
    for (const family of new Set(declared.map(kind => kind.family))) {
      const links = page.getByRole('list', { name: family, exact: true }).getByRole('link')
      expect(await links.count()).toBe(declared.filter(kind => kind.family === family).length)
    }
    const last = page.getByRole('list', { name: 'Events', exact: true }).getByRole('link').last()
    await last.click()
    await table(page, await last.locator('.wrap').innerText()).waitFor()
    expect(await last.getAttribute('aria-current')).toBe('page')
  })

  it.runIf(ALL)('lists resource types even if the first request fails', async () => {
    const prepare = (page: Page) => page.route('**/_sim/resources', route => route.abort(), { times: 1 })
    const page = await open(simulator.url, '#/resources', { prepare })
    await kindLinks(page).first().waitFor()
  })

  it.runIf(ALL)('finds a resource type while typing, or a record by its ID, and opens it on Enter', async () => {
    const page = await open(simulator.url, '#/resources')
    await kindLinks(page).first().waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('ip rul')
    await textsIn(options(page)).toEqual([expect.stringContaining('IP policy rules')])
    await page.keyboard.press('Enter')
    await table(page, 'IP policy rules').waitFor()
    await picker(page).fill('nothing_like_this')
    await textsIn(options(page)).toEqual(['No matches.'])
    await picker(page).fill(' ipp_office ')
    await textsIn(options(page)).toEqual(['ipp_office', expect.stringContaining('IP policies')])
    await picker(page).press('Enter')
    await shownId(page, 'ipp_office')
  })

  it.runIf(ALL)('moves between the types with keys', async () => {
    const page = await open(simulator.url, '#/resources/users')
    await kindLinks(page).first().focus()
    await page.keyboard.press('ArrowDown')
    await isFocused(kindLinks(page).nth(1))
    await page.keyboard.press('End')
    await isFocused(kindLinks(page).last())
    await page.keyboard.press('Home')
    await isFocused(kindLinks(page).first())
  })

  it.runIf(ALL)('has only the picker in a narrow window, without sideways scrolling', async () => {
    const page = await open(simulator.url, '#/resources/ip_policies', { width: 360 })
    await table(page, 'IP policies').waitFor()
    expect(await kindLinks(page).count()).toBe(0)
    await expect.poll(() => picker(page).inputValue()).toBe('IP policies')
    await picker(page).click()
    await page.keyboard.type('tcp')
    await textsIn(options(page)).toEqual([expect.stringContaining('TCP edges')])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
    await page.keyboard.press('Enter')
    await table(page, 'TCP edges').waitFor()
  })

  it.runIf(ALL)('opens on API keys, and later on the last type', async () => {
    const page = await open(simulator.url, '#/resources')
    await table(page, 'API keys').waitFor()
    await kindLinks(page).filter({ hasText: 'IP restrictions' }).click()
    await table(page, 'IP restrictions').waitFor()
    await page.getByRole('link', { name: 'Requests' }).click()
    await page.getByRole('link', { name: 'Resources' }).click()
    await table(page, 'IP restrictions').waitFor()
  })

  it.runIf(ALL)('shows IDs in full, next to columns without values', async () => {
    const id = `ak_${'W'.repeat(27)}`
    const { page } = await openWith([{ id }], '#/resources/api_keys')
    const link = page.getByRole('link', { name: id })
    expect(await link.evaluate(({ parentElement: cell }) => cell!.scrollWidth - cell!.clientWidth)).toBe(0)
  })

  it.runIf(ALL)('picks an owner by name, and accepts an unknown ID', async () => {
    const page = await open(simulator.url, '#/resources/api_keys/new')
    const owner = page.getByRole('combobox', { name: /^owner_id/ })
    await owner.fill('member')
    await detail(page).getByRole('option', { name: 'usr_member' }).click()
    expect(await owner.inputValue()).toBe('usr_member')
    await owner.fill('usr_nobody')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await detail(page).getByRole('alert').getByText('usr_nobody').waitFor()
  })

  it.runIf(ALL)('searches, sorts and pages, including after a reload', async () => {
    const api_keys = Array.from({ length: 60 }, (_, i) => ({
      id: `ak_${String(i).padStart(3, '0')}`,
      description: `number ${59 - i}`,
    }))
    const { page } = await openWith(api_keys, '#/resources/api_keys?per=25&sort=id')
    await page.getByText('1–25 of 61').waitFor()
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByText('26–50 of 61').waitFor()
    await textIn(rows(page).first()).toContain('ak_025')
    await page.getByRole('button', { name: 'description' }).click()
    await textIn(rows(page).first()).toContain('number 0')
    await page.getByRole('searchbox', { name: 'Search API keys' }).fill('number 42')
    await page.getByText('1–1 of 1').waitFor()
    await textsIn(rows(page)).toEqual([expect.stringContaining('ak_017')])
    await page.reload()
    await page.getByText('1–1 of 1').waitFor()
  })

  it.runIf(ALL)('sends only changed fields', async () => {
    const page = await open(simulator.url, '#/resources/ip_restrictions/ipx_dashboard')
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByLabel('enforced').check()
    await page.getByRole('combobox', { name: 'Add to ip_policy_ids' }).fill('ipp_loc')
    await detail(page).getByRole('option', { name: 'ipp_local' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await textIn(detail(page)).toMatch(/enforced\s+✓ yes/)
    const { body } = await simulator.call('GET', '/_sim/requests?method=PATCH&path=/ip_restrictions/ipx_dashboard')
    const sent = body.requests.map(({ request }: JournalEntry) => request.body)
    expect(sent).toEqual([{ enforced: true, ip_policy_ids: ['ipp_office', 'ipp_local'] }])
  })

  it.runIf(ALL)('shows why the API rejected a value', async () => {
    const page = await open(simulator.url, '#/resources/ip_restrictions/ipx_endpoints')
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByLabel(/^description/).fill('é'.repeat(128))
    await page.getByText('256 of 255 bytes').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await detail(page).getByRole('alert').getByText(/255/).waitFor()
  })

  it.runIf(ALL)('deletes a record after a confirmation', async () => {
    await simulator.call('POST', '/_sim/db/api_keys', { id: 'ak_doomed', owner_id: 'usr_admin' })
    const page = await open(simulator.url, '#/resources/api_keys/ak_doomed')
    await page.getByRole('button', { name: 'Delete…' }).click()
    await page.getByRole('dialog').getByText('DELETE /api_keys/ak_doomed').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Deleted ak_doomed.').waitFor()
    await detail(page).waitFor({ state: 'detached' })
    expect((await simulator.call('GET', '/api_keys/ak_doomed')).status).toBe(404)
  })

  it.runIf(ALL)('replaces a raw record, and shows why the state rejects one', async () => {
    const page = await open(simulator.url, '#/resources/ip_policies/ipp_blocked')
    await page.getByRole('button', { name: 'Edit raw' }).click()
    const text = page.getByLabel('Record as JSON')
    const record = JSON.parse(await textOf(text))
    await text.fill(JSON.stringify({ ...record, rules: [{ action: 'deny', cidr: 'nonsense' }] }))
    await page.getByRole('button', { name: 'Replace' }).click()
    await detail(page).getByRole('alert').getByText(/CIDR/).waitFor()
    await text.fill(JSON.stringify({ ...record, rules: [{ action: 'deny', cidr: '198.51.100.0/24' }] }))
    await page.getByRole('button', { name: 'Replace' }).click()
    await text.waitFor({ state: 'detached' })
    await detail(page).getByText('198.51.100.0/24').first().waitFor()
  })

  it.runIf(ALL)('renders few rows of 10,000 records, and moves the focus to an unrendered row', async () => {
    const api_keys = Array.from({ length: 9_999 }, (_, i) => ({ id: `ak_${String(i).padStart(5, '0')}` }))
    const { page } = await openWith(api_keys, '#/resources/api_keys?per=10000&sort=id')
    await page.getByText('1–10000 of 10000').waitFor()
    await page.getByRole('table').getByRole('link').first().focus()
    expect(await pressAll(page, ['End'], '[data-row-link][href*="ak_admin"]')).toBe(true)
    expect(await rows(page).count()).toBeLessThan(80)
    expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(1_500)
  })
})
