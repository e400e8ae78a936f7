import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { forEach, pooledClient } from '../support/raw-http.ts'
import { detail, live, open, skipped, startFor, textIn, textsIn } from './page.ts'

const rows = (page: Page) => page.getByRole('table').locator('.row:not(.head)')
const paths = (page: Page) => page.locator('.row:not(.head) .c-path a').allInnerTexts()
const head = (page: Page, name: string) => page.getByRole('columnheader', { name })

describe.skipIf(skipped)('The request list', async () => {
  const simulator = await startFor()

  it('finds text in bodies, responses, errors and IDs, including new requests', async () => {
    const call = simulator.as('sim_admin~text')
    const made = await call('POST', '/api_keys', { description: 'a Needle in the body' })
    await call('GET', '/api_keys?limit=1')
    await call('GET', '/ip_policies')
    const page = await open(simulator.url, '#/requests?sandbox=text')
    await live(page)
    await page.keyboard.press('/')
    await page.keyboard.type('needle')
    // The body that created the key and the list response contain it.
    await expect.poll(() => paths(page)).toEqual(['/api_keys?limit=1', '/api_keys'])
    await call('GET', `/api_keys/${made.body.id}`)
    await expect.poll(() => paths(page)).toHaveLength(3)
    await page.reload()
    await expect.poll(() => paths(page)).toHaveLength(3)
    await page.getByRole('searchbox').fill('ak_gone not found')
    await page.getByText('No matching requests').waitFor()
    await call('GET', '/api_keys/ak_gone')
    await expect.poll(() => paths(page)).toEqual(['/api_keys/ak_gone'])
    await page.getByRole('searchbox').fill(made.headers.get('edgesim-operation-id')!)
    await expect.poll(() => paths(page)).toEqual(['/api_keys'])
  })

  it('filters requests by sandbox time', async () => {
    const call = simulator.as('sim_admin~times')
    await call('GET', '/api_keys?limit=1')
    for (const [now, limit] of [
      ['2030-01-01T10:00:00Z', 2],
      ['2030-01-01T10:03:00Z', 3],
    ] as const) {
      await simulator.call('PUT', '/_sim/sandboxes/times/clock', { now, frozen: true })
      await call('GET', `/api_keys?limit=${limit}`)
    }
    const page = await open(simulator.url, '#/requests?sandbox=times')
    await expect.poll(() => rows(page).count()).toBe(3)
    const time = page.getByLabel('Time (sandbox clock)')
    await time.selectOption('Last minute')
    await expect.poll(() => paths(page)).toEqual(['/api_keys?limit=3'])
    await time.selectOption('Custom range')
    await page.getByLabel('From (UTC)').fill('2030-01-01T09:59:59')
    await page.getByLabel('To (UTC)').fill('2030-01-01T10:00:00')
    await expect.poll(() => paths(page)).toEqual(['/api_keys?limit=2'])
    await page.reload()
    await expect.poll(() => paths(page)).toEqual(['/api_keys?limit=2'])
  })

  it('sorts by column, including new requests', async () => {
    const call = simulator.as('sim_admin~sorted')
    for (const path of ['/ip_policies', '/api_keys', '/nowhere']) await call('GET', path)
    const page = await open(simulator.url, '#/requests?sandbox=sorted')
    await expect.poll(() => paths(page)).toEqual(['/nowhere', '/api_keys', '/ip_policies'])
    expect(await head(page, 'Time').getAttribute('aria-sort')).toBe('descending')
    await head(page, 'Path').getByRole('button').click()
    await expect.poll(() => paths(page)).toEqual(['/api_keys', '/ip_policies', '/nowhere'])
    await expect.poll(() => head(page, 'Path').getAttribute('aria-sort')).toBe('ascending')
    await live(page)
    await call('GET', '/backends/static')
    await expect.poll(() => paths(page)).toEqual(['/api_keys', '/backends/static', '/ip_policies', '/nowhere'])
    await head(page, 'Path').getByRole('button').press('Enter')
    await expect.poll(() => paths(page)).toEqual(['/nowhere', '/ip_policies', '/backends/static', '/api_keys'])
    await page.reload()
    await expect.poll(async () => (await paths(page))[0]).toBe('/nowhere')
  })

  it('shows new requests of all sandboxes, and rewinds the sandbox of one', async () => {
    const removed = await simulator.as('sim_admin~all-one')('DELETE', '/api_keys/ak_ci')
    const page = await open(simulator.url, '#/requests')
    await live(page)
    await page.getByText('All sandboxes').click()
    const line = page.locator('.row', { hasText: 'all-one' })
    await line.waitFor()
    await simulator.as('sim_member~all-two')('GET', '/ip_policies?limit=2')
    await page.locator('.row', { hasText: 'all-two' }).getByText('/ip_policies').waitFor()
    await line.getByRole('link').click()
    await detail(page).getByText('in sandbox all-one').waitFor()
    await detail(page).getByRole('button', { name: 'Rewind to here…' }).click()
    await page.getByRole('dialog').getByText('just before DELETE /api_keys/ak_ci').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Rewind' }).click()
    await page.getByText(`Restored the state from before ${removed.headers.get('edgesim-operation-id')}`).waitFor()
    expect((await simulator.as('sim_admin~all-one')('GET', '/api_keys/ak_ci')).status).toBe(200)
    await simulator.call('POST', '/_sim/sandboxes/all-two/reset')
    await expect.poll(() => page.locator('.row', { hasText: 'all-two' }).count()).toBe(0)
    await page.locator('.row', { hasText: 'all-one' }).first().waitFor()
  })

  it('counts requests by operation, and links to them', async () => {
    const call = simulator.as('sim_admin~counted')
    for (const path of ['/api_keys/ak_ci', '/api_keys/ak_no', '/api_keys/ak_nope', '/api_keys', '/what'])
      await call('GET', path)
    const page = await open(simulator.url, '#/requests?sandbox=counted')
    await page.getByText('By operation').click()
    const line = (name: string) => page.getByRole('row', { name })
    await textIn(line('get_api_key')).toMatch(/^get_api_key\s+3\s+2\s+67%(\s+[\d.]+ ms){3}$/)
    await line('No route').waitFor()
    await head(page, 'Operation').getByRole('button').click()
    await textsIn(page.locator('.row:not(.head) [data-row-link]')).toEqual(['get_api_key', 'list_api_keys', 'No route'])
    await line('get_api_key').getByRole('link').click()
    await expect.poll(() => paths(page)).toEqual(['/api_keys/ak_nope', '/api_keys/ak_no', '/api_keys/ak_ci'])
  })

  it('marks requests that the server dropped', async () => {
    const call = simulator.as('sim_admin~many')
    await call('GET', '/api_keys?limit=42')
    const page = await open(simulator.url, '#/requests?sandbox=many')
    await rows(page).first().waitFor()
    await live(page)
    await call('GET', '/api_keys?limit=43')
    const client = pooledClient(simulator.port, 20)
    const request = { method: 'GET', path: '/api_keys/ak_ci', token: 'sim_admin~many' }
    await forEach(Array(1008), 20, async () => void (await client.send(request)))
    client.close()
    await page.getByText('1,010 shown, 10 dropped by the server: the request log stores the last 1,000').waitFor()
    await head(page, 'Time').getByRole('button').click()
    const [oldest, second] = [rows(page).nth(0), rows(page).nth(1)]
    await oldest.getByText('dropped').waitFor()
    await expect.poll(() => page.locator('.row', { hasText: 'dropped' }).count()).toBe(10)
    // The first request was loaded completely. The second is known only from its event.
    await oldest.getByRole('link').click()
    const notice = detail(page).getByText('dropped this request')
    await textIn(notice).toContain('own copy')
    await detail(page).getByRole('button', { name: 'Copy as curl' }).waitFor()
    await second.getByRole('link').click()
    await textIn(notice).toContain('Only these details')
    expect(await detail(page).getByRole('button', { name: 'Rewind to here…' }).isDisabled()).toBe(true)
    await page.reload()
    await page.getByText(/^1,000 shown, 10 older dropped by the server/).waitFor()
  })
})
