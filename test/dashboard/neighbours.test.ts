import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { open, skipped, startFor } from './page.ts'

interface Entry {
  method: string
  path: string
  request: { body: unknown }
}

const detail = (page: Page) => page.getByRole('complementary')
const section = (page: Page, name: string) => detail(page).getByRole('region', { name })
const press = (page: Page, name: string) => detail(page).getByRole('button', { name, exact: true }).click()

async function remove(page: Page) {
  await press(page, 'Delete…')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
}

/** The id that the address ends in once a record was created. */
async function created(page: Page, prefix: string) {
  await press(page, 'Create')
  await page.waitForURL(new RegExp(`/${prefix}_\\w+$`))
  return page.url().split('/').at(-1)!
}

describe.skipIf(skipped)('Policies, backends, edges and routes', async () => {
  const simulator = await startFor()
  const get = async (path: string) => (await simulator.call('GET', path)).body
  const sent = async (method: string, path: string) => {
    const { requests } = await get('/_sim/requests')
    return requests.find((entry: Entry) => entry.method === method && entry.path === path)?.request.body
  }

  it('creates a policy and its rule, linked both ways, changes the rule and deletes it', async () => {
    const page = await open(simulator.url, '#/resources/ip_policies')
    await page.getByRole('link', { name: 'New IP policy' }).click()
    await page.getByLabel(/^description/).fill('Partners')
    const policy = await created(page, 'ipp')
    await section(page, 'Rules').getByText('It has none.').waitFor()

    await section(page, 'Rules').getByRole('link', { name: 'Add rule' }).click()
    await expect.poll(() => page.getByLabel(/^ip_policy_id/).inputValue()).toBe(policy)
    await page.getByLabel(/^action/).selectOption('deny')
    await page.getByLabel(/^cidr/).fill('203.0.113.0/24')
    const rule = await created(page, 'ipr')
    const path = `/ip_policy_rules/${rule}`
    expect(await get(path)).toMatchObject({ action: 'deny', cidr: '203.0.113.0/24', ip_policy: { id: policy } })

    await section(page, 'Fields').getByRole('link', { name: policy }).click()
    await page.waitForURL(new RegExp(`/ip_policies/${policy}$`))
    await section(page, 'Rules').getByText('deny 203.0.113.0/24').waitFor()
    // That a rule is a part of the policy does not count as a use.
    await section(page, 'Used by').getByText('Nothing refers to it.').waitFor()
    await section(page, 'Rules').getByRole('link', { name: rule }).click()
    await page.waitForURL(new RegExp(`/ip_policy_rules/${rule}$`))

    await press(page, 'Edit')
    await expect.poll(() => page.getByLabel(/^ip_policy_id/).isDisabled()).toBe(true)
    await page.getByLabel(/^cidr/).fill('nonsense')
    await press(page, 'Save')
    await detail(page).getByRole('alert').getByText(/CIDR/).waitFor()
    expect(await page.getByLabel(/^cidr/).getAttribute('aria-invalid')).toBe('true')
    await page.getByLabel(/^cidr/).fill('198.51.100.0/24')
    await press(page, 'Save')
    await section(page, 'Fields').getByText('198.51.100.0/24').waitFor()
    expect(await sent('PATCH', path)).toEqual({ cidr: '198.51.100.0/24' })

    await remove(page)
    await page.waitForURL(/#\/resources\/ip_policy_rules$/)
    expect((await simulator.call('GET', path)).status).toBe(404)
  })

  it('goes back to the policy when its new rule is cancelled', async () => {
    const page = await open(simulator.url, '#/resources/ip_policy_rules/new/ipp_local')
    await press(page, 'Cancel')
    await page.waitForURL(/#\/resources\/ip_policies\/ipp_local$/)
  })

  it('says what is deleted with a policy, and why one in use cannot be deleted', async () => {
    const page = await open(simulator.url, '#/resources/ip_policies/ipp_office')
    await press(page, 'Delete…')
    await page.getByRole('dialog').getByText('Its rules (2) are deleted too.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    const why = detail(page).getByRole('alert')
    await expect
      .poll(() => why.innerText())
      .toMatch(/ipp_office is used by the IP restrictions ipx_dashboard, ipx_endpoints/)
    expect((await simulator.call('GET', '/ip_policies/ipp_office')).status).toBe(200)
  })

  it('creates a backend and a TCP edge with it and a restriction', async () => {
    const page = await open(simulator.url, '#/resources/backends/new')
    await page.getByLabel(/^address/).fill('10.1.2.3:6379')
    await page.getByRole('group', { name: 'tls' }).getByLabel('enabled').check()
    const backend = await created(page, 'bkdsc')
    expect(await get(`/backends/static/${backend}`)).toMatchObject({ address: '10.1.2.3:6379', tls: { enabled: true } })
    await section(page, 'Used by').getByText('Nothing refers to it.').waitFor()

    await page.getByRole('navigation', { name: 'Kinds of records' }).getByRole('link', { name: 'TCP edges' }).click()
    await page.getByRole('link', { name: 'New TCP edge' }).click()
    await page.getByLabel(/^hostports/).fill('cache.example.com:6379')
    const restriction = page.getByRole('group', { name: 'ip_restriction' })
    await expect.poll(() => restriction.innerText()).toContain('not set')
    await restriction.getByLabel('ip_restriction').check()
    await restriction.getByLabel('ipp_local').check()
    const target = page.getByRole('group', { name: 'backend' })
    await target.getByLabel('backend', { exact: true }).check()
    await target.getByLabel('backend_id').fill(backend)
    const edge = await created(page, 'edgtcp')
    expect(await sent('POST', '/edges/tcp')).toEqual({
      hostports: ['cache.example.com:6379'],
      ip_restriction: { enabled: true, ip_policy_ids: ['ipp_local'] },
      backend: { enabled: true, backend_id: backend },
    })

    // From the edge to what it uses, and back.
    await section(page, 'Fields').getByRole('link', { name: 'ipp_local' }).click()
    await section(page, 'Used by').getByRole('link', { name: edge }).click()
    await section(page, 'Fields').getByRole('link', { name: backend }).click()
    await expect.poll(() => section(page, 'Used by').getByRole('link').allInnerTexts()).toEqual([edge])
    await section(page, 'Used by').getByRole('link', { name: edge }).click()

    await detail(page).getByRole('link', { name: 'Show in Edges' }).click()
    await expect
      .poll(() => page.getByRole('article', { name: edge }).innerText())
      .toMatch(/at cache\.example\.com:6379[\s\S]*ipp_local[\s\S]*10\.1\.2\.3:6379/)
  })

  it('sends no module that is not set, and changed modules as a whole', async () => {
    const page = await open(simulator.url, '#/resources/tcp_edges/new')
    const restriction = page.getByLabel('ip_restriction')
    await page.getByLabel(/^description/).fill('Plain')
    await restriction.check()
    await restriction.uncheck()
    const edge = await created(page, 'edgtcp')
    expect(await sent('POST', '/edges/tcp')).toEqual({ description: 'Plain' })

    await press(page, 'Edit')
    await restriction.check()
    await page.getByLabel('ipp_blocked').check()
    await press(page, 'Save')
    await section(page, 'Fields').getByRole('link', { name: 'ipp_blocked' }).waitFor()
    await press(page, 'Edit')
    // An update cannot unset a module.
    await page.getByText('An update cannot remove a module').waitFor()
    expect(await restriction.count()).toBe(0)
    await page.getByRole('group', { name: 'ip_restriction' }).getByLabel('enabled').uncheck()
    await press(page, 'Save')
    await expect.poll(() => section(page, 'Fields').innerText()).toMatch(/enabled\s+– no/)
    expect(await sent('PATCH', `/edges/tcp/${edge}`)).toEqual({
      ip_restriction: { enabled: false, ip_policy_ids: ['ipp_blocked'] },
    })
  })

  it('creates an HTTPS edge and its route with request headers', async () => {
    const page = await open(simulator.url, '#/resources/https_edges/new')
    await page.getByLabel(/^description/).fill('Shop')
    const edge = await created(page, 'edghts')
    await section(page, 'Routes').getByRole('link', { name: 'Add route' }).click()
    await expect.poll(() => page.getByLabel(/^edge_id/).inputValue()).toBe(edge)
    await page.getByLabel(/^match(?!_)/).fill('/cart')
    const headers = page.getByRole('group', { name: 'request_headers' })
    await headers.getByLabel('request_headers').check()
    await headers.getByRole('button', { name: 'Add' }).click()
    await headers.getByLabel('Name 1').fill('X-Shop')
    await headers.getByLabel('Value 1').fill('1')
    const route = await created(page, 'edghtsrt')
    const routes = `/edges/https/${edge}/routes`
    // The path names the edge.
    expect(await sent('POST', routes)).toEqual({
      match_type: 'path_prefix',
      match: '/cart',
      request_headers: { enabled: true, add: { 'X-Shop': '1' }, remove: [] },
    })

    await section(page, 'Fields').getByRole('link', { name: edge }).click()
    await section(page, 'Routes').getByText('path_prefix /cart').waitFor()
    await section(page, 'Routes').getByRole('link', { name: route }).click()
    await press(page, 'Edit')
    await page.getByLabel(/^match(?!_)/).fill('/basket')
    await press(page, 'Save')
    await section(page, 'Fields').getByText('/basket').waitFor()
    expect(await sent('PATCH', `${routes}/${route}`)).toEqual({ match: '/basket' })

    await detail(page).getByRole('link', { name: 'Show in Edges' }).click()
    const lane = page.getByRole('region', { name: route })
    await expect.poll(() => lane.innerText()).toMatch(/begin with \/basket[\s\S]*X-Shop: 1[\s\S]*○ none/)
    await lane.getByRole('link', { name: route }).click()
    await remove(page)
    await page.waitForURL(/#\/resources\/https_edge_routes$/)
    expect((await get(`/edges/https/${edge}`)).routes).toEqual([])
  })

  it('requires the edge of a route before it calls the API', async () => {
    const page = await open(simulator.url, '#/resources/https_edge_routes/new')
    await detail(page).getByText('POST /edges/https/{edge_id}/routes').waitFor()
    await press(page, 'Create')
    await expect.poll(() => page.evaluate(() => document.activeElement?.matches('input:invalid'))).toBe(true)
    await page.getByLabel(/^edge_id/).fill('edghts_admin')
    await page.getByLabel(/^match(?!_)/).fill('/fresh')
    const route = await created(page, 'edghtsrt')
    expect((await simulator.call('GET', `/edges/https/edghts_admin/routes/${route}`)).status).toBe(200)
  })

  it("marks kinds that are not in the API's document", async () => {
    const page = await open(simulator.url, '#/resources/backends/bkdsc_web')
    await section(page, 'Used by').getByRole('link', { name: 'edghtsrt_api' }).waitFor()
    await expect.poll(() => section(page, 'Used by').getByRole('link').count()).toBe(3)
    // Also by what gives numbers for ids.
    await section(page, 'Used by').getByRole('link', { name: 'bkdwd_canary' }).click()
    await section(page, 'Fields').getByText('bkdsc_web: 9').waitFor()
    await page.goBack()
    await detail(page).getByText('neighbour').waitFor()
    await page.goto(`${simulator.url}/_sim/#/resources/ip_restrictions/ipx_dashboard`)
    await section(page, 'Fields').waitFor()
    expect(await detail(page).getByText('neighbour').count()).toBe(0)
  })
})
