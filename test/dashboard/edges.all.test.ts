import { describe, expect, it } from 'vitest'
import { open, openNew, skipped, startFor, textIn, textsIn } from './page.ts'

describe.skipIf(skipped)('The Edges view', async () => {
  const simulator = await startFor()

  it('draws a TCP edge from its source to its backend', async () => {
    const page = await open(simulator.url, '#/edges')
    const edge = page.getByRole('article', { name: 'edgtcp_database' })
    await edge.getByText('allow 10.0.0.0/8').waitFor()
    await textsIn(edge.locator('.stage h3')).toEqual(['Connections', 'IP restriction', 'Traffic policy', 'Backend'])
    const drawn =
      /at db\.example\.com:5432[\s\S]*● enabled[\s\S]*ipp_office\s+✓ allow 10\.0\.0\.0\/8[\s\S]*127\.0\.0\.1:5432\s+bkdsc_database/
    await textIn(edge).toMatch(drawn)
    await edge.getByRole('link', { name: 'bkdsc_database' }).click()
    await page.locator('.detail-head', { hasText: 'bkdsc_database' }).waitFor()
  })

  it('shows the upstream of the fixture if there is no backend', async () => {
    const fixture = { tcp_edges: [{ id: 'edgtcp_bare' }, { id: 'edgtcp_up', upstream: 'db:1' }] }
    const { page } = await openNew('#/edges', { fixture })
    const end = (id: string) => page.getByRole('article', { name: id }).locator('.stage').last()
    await textIn(end('edgtcp_up')).toMatch(/Backend\s+db:1 from the fixture/)
    await textIn(end('edgtcp_bare')).toMatch(/Backend\s+○ none/)
    await page.getByRole('link', { name: 'HTTPS edges' }).click()
    await page.getByRole('link', { name: 'New HTTPS edge' }).click()
    await page.getByText('POST /edges/https').waitFor()
  })

  it('shows a deleted policy as one without rules, and does not link it', async () => {
    const ip_policy_ids = ['ipp_here', 'ipp_gone']
    const { url, call } = await startFor({
      assume: { unknown_reference: 'accept' },
      fixture: {
        ip_policies: [{ id: 'ipp_here', rules: [{ action: 'allow', cidr: '10.0.0.0/8' }] }],
        tcp_edges: [{ id: 'edgtcp_guarded', ip_restriction: { enabled: true, ip_policy_ids } }],
        ip_restrictions: [{ id: 'ipx_guarded', type: 'agent', ip_policy_ids }],
      },
    })
    const gone = 'ipp_gone not found: treated as a policy without rules'
    const words = (text: string) => text.replace(/\s+/g, ' ')
    const page = await open(url, '#/edges')
    const edge = page.getByRole('article', { name: 'edgtcp_guarded' })
    await expect.poll(async () => words(await edge.innerText())).toContain(gone)
    await edge.getByText('allow 10.0.0.0/8').waitFor()
    expect(await edge.getByRole('link', { name: 'ipp_here' }).count()).toBe(1)
    expect(await edge.getByRole('link', { name: 'ipp_gone' }).count()).toBe(0)

    for (const [table, id] of [
      ['tcp_edges', 'edgtcp_guarded'],
      ['ip_restrictions', 'ipx_guarded'],
    ]) {
      await page.goto(`${url}/_sim/#/resources/${table}/${id}`)
      await page.locator('.detail-head', { hasText: id }).waitFor()
      const fields = page.getByRole('region', { name: 'Record', exact: true })
      await expect.poll(async () => words(await fields.innerText())).toContain(gone)
      expect(await fields.getByRole('link', { name: 'ipp_here' }).count()).toBe(1)
      expect(await fields.getByRole('link', { name: 'ipp_gone' }).count()).toBe(0)
    }
    await call('PUT', '/_sim/db/ip_policies/ipp_gone', { id: 'ipp_gone', rules: [] })
    await page.getByRole('region', { name: 'Record', exact: true }).getByRole('link', { name: 'ipp_gone' }).waitFor()
  })

  it('sets, changes and removes a TCP edge module through the API', async () => {
    const page = await open(simulator.url, '#/edges/tcp_edges')
    await page.getByRole('button', { name: 'Set the IP restriction module of edgtcp_ssh' }).click()
    const edge = page.getByRole('article', { name: 'edgtcp_ssh' })
    await edge.getByRole('combobox', { name: 'Add to ip_policy_ids' }).fill('ipp_loc')
    await edge.getByRole('option', { name: 'ipp_local' }).click()
    await edge.getByRole('button', { name: 'Save' }).click()
    await edge.getByText('● enabled').waitFor()
    const module = async () => simulator.call('GET', '/edges/tcp/edgtcp_ssh/ip_restriction')
    expect((await module()).body).toMatchObject({ enabled: true, ip_policies: [{ id: 'ipp_local' }] })
    await page.getByRole('button', { name: 'Edit the IP restriction module of edgtcp_ssh' }).click()
    await edge.getByLabel('enabled').uncheck()
    await edge.getByRole('button', { name: 'Save' }).click()
    await edge.getByText('○ disabled').waitFor()
    expect((await module()).body.enabled).toBe(false)
    await page.getByRole('button', { name: 'Remove the IP restriction module of edgtcp_ssh' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await expect.poll(() => edge.getByText('not set').count()).toBe(2)
    expect((await module()).status).toBe(404)
  })

  it('draws an HTTPS edge route by route, edits its headers, and shows why the API rejected them', async () => {
    const page = await open(simulator.url, '#/edges/https_edges')
    const lane = page.getByRole('region', { name: 'edghtsrt_static' })
    await textsIn(lane.locator('.stage h3')).toEqual(['Requests', 'Backend'])
    await lane.getByText('modules not set').click()
    await lane.getByRole('button', { name: 'Set the request headers module of edghtsrt_static' }).click()
    await lane.getByRole('button', { name: 'Add' }).click()
    await lane.getByLabel('Name 1').fill('X-From')
    await lane.getByLabel('Value 1').fill('page')
    await lane.getByLabel(/^remove/).fill('not a header')
    await lane.getByRole('button', { name: 'Save' }).click()
    await lane.getByRole('alert').getByText('header').waitFor()
    await lane.getByLabel(/^remove/).fill('cookie\nx-powered-by')
    await lane.getByRole('button', { name: 'Save' }).click()
    await lane.getByText('X-From: page').waitFor()
    const { body } = await simulator.call('GET', '/edges/https/edghts_web/routes/edghtsrt_static/request_headers')
    expect(body).toEqual({ enabled: true, add: { 'X-From': 'page' }, remove: ['cookie', 'x-powered-by'] })
  })

  it('lets an edge listen with one click, and never breaks its port', async () => {
    const { page, call } = await openNew('#/edges/tcp_edges', {}, { width: 390 })
    const edge = page.getByRole('article', { name: 'edgtcp_database' })
    await edge.getByText('○ not listening').waitFor()
    await edge.getByRole('button', { name: 'Listen on 127.0.0.1:0 for edgtcp_database' }).click()
    await edge.getByText('● listening at').waitFor()
    const { listeners } = (await call('GET', '/_sim/traffic')).body
    const { port } = new URL(listeners[0].url)
    const shown = edge.locator('.listening .nowrap')
    expect(await shown.allInnerTexts()).toEqual([`:${port}`])
    expect(await shown.evaluate(element => element.getClientRects().length)).toBe(1)
    expect((await call('GET', '/edges/tcp/edgtcp_database')).body.hostports).toEqual([
      'db.example.com:5432',
      '127.0.0.1:0',
    ])
  })
})
