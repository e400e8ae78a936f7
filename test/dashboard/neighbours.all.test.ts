import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import type { JournalEntry } from '../../src/contract/journal-entry.ts'
import { detail, open, skipped, startFor, textIn } from './page.ts'

const section = (page: Page, name: string) => detail(page).getByRole('region', { name })
const press = (page: Page, name: string) => detail(page).getByRole('button', { name, exact: true }).click()

async function created(page: Page, prefix: string): Promise<string> {
  await press(page, 'Create')
  const id = page.locator('.detail-head').getByText(new RegExp(`^${prefix}_\\w+$`))
  await section(page, 'Record').waitFor()
  return id.innerText()
}
const shown = (page: Page, id: string) => page.locator('.detail-head').getByText(id, { exact: true }).waitFor()

describe.skipIf(skipped)('The dashboard', async () => {
  const simulator = await startFor()
  const sent = async (method: string, path: string) => {
    const { requests } = (await simulator.call('GET', '/_sim/requests')).body
    return requests.find((entry: JournalEntry) => entry.method === method && entry.path === path)?.request.body
  }

  it('creates an HTTPS edge and its route, and updates the route without removing modules', async () => {
    const page = await open(simulator.url, '#/resources/https_edges/new')
    await page.getByLabel(/^description/).fill('Shop')
    const edge = await created(page, 'edghts')
    await section(page, 'Routes').getByText('No routes yet.').waitFor()
    await section(page, 'Routes').getByRole('link', { name: 'Add route' }).click()
    await expect.poll(() => page.getByLabel(/^edge_id/).inputValue()).toBe(edge)
    await page.getByLabel(/^match(?!_)/).fill('/cart')
    const headers = page.getByRole('group', { name: 'request_headers' })
    await headers.getByLabel('request_headers').check()
    await headers.getByRole('button', { name: 'Add' }).click()
    await headers.getByLabel('Name 1').fill('X-Shop')
    await headers.getByLabel('Value 1').fill('1')
    const route = await created(page, 'edghtsrt')
    expect(await sent('POST', `/edges/https/${edge}/routes`)).toEqual({
      match_type: 'path_prefix',
      match: '/cart',
      request_headers: { enabled: true, add: { 'X-Shop': '1' }, remove: [] },
    })
    await press(page, 'Edit')
    await page.getByText('An update cannot remove a module').waitFor()
    await page.getByLabel(/^match(?!_)/).fill('/basket')
    await press(page, 'Save')
    await section(page, 'Record').getByText('/basket').waitFor()
    expect(await sent('PATCH', `/edges/https/${edge}/routes/${route}`)).toEqual({ match: '/basket' })
    await detail(page).getByRole('link', { name: 'Show in Edges' }).click()
    const lane = page.getByRole('region', { name: route })
    await textIn(lane).toMatch(/paths starting with \/basket[\s\S]*X-Shop: 1[\s\S]*○ none/)
    await lane.getByRole('link', { name: route }).click()
    await shown(page, route)
    await section(page, 'Record').getByRole('link', { name: edge }).click()
    await section(page, 'Routes').getByText('path_prefix /basket').waitFor()
    await section(page, 'Routes').getByRole('link', { name: route }).waitFor()
  })

  it('returns to the policy when its new rule is cancelled', async () => {
    const page = await open(simulator.url, '#/resources/ip_policy_rules/new/ipp_local')
    await press(page, 'Cancel')
    await shown(page, 'ipp_local')
  })

  it('shows what is deleted with a policy, and why a used one cannot be deleted', async () => {
    const page = await open(simulator.url, '#/resources/ip_policies/ipp_office')
    for (const name of ['ipx_endpoints', 'edgtcp_database'])
      await section(page, 'Used by').getByRole('link', { name }).waitFor()
    await press(page, 'Delete…')
    await page.getByRole('dialog').getByText('Its rules (2) are also deleted.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await detail(page)
      .getByRole('alert')
      .getByText('ipp_office is used by the IP restrictions ipx_dashboard, ipx_endpoints')
      .waitFor()
    expect((await simulator.call('GET', '/ip_policies/ipp_office')).status).toBe(200)
  })

  it('marks resource types that are not in the API reference', async () => {
    const page = await open(simulator.url, '#/resources/ip_restrictions/ipx_dashboard')
    await section(page, 'Record').waitFor()
    expect(await detail(page).getByText('not in API reference').count()).toBe(0)
    await page.goto(`${simulator.url}/_sim/#/resources/backends/bkdsc_web`)
    await detail(page).getByText('not in API reference').waitFor()
  })

  it('shows what uses a backend, including weighted backends', async () => {
    const page = await open(simulator.url, '#/resources/backends/bkdsc_web')
    await section(page, 'Used by').getByRole('link', { name: 'edghtsrt_api' }).waitFor()
    await expect.poll(() => section(page, 'Used by').getByRole('link').count()).toBe(3)
    await section(page, 'Used by').getByRole('link', { name: 'bkdwd_canary' }).click()
    await section(page, 'Record')
      .locator('.pairs > div', { hasText: /^bkdsc_web9$/ })
      .waitFor()
  })
})
