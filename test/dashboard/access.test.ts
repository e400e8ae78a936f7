import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { ALL } from '../support/long.ts'
import { openLine } from './line.ts'
import { live, open, skipped, startFor } from './page.ts'

const row = (page: Page, text: string) => page.locator('.row', { hasText: text })
const picker = (page: Page) => page.getByRole('button', { name: /^Sandbox:/ })

describe.skipIf(skipped)('The dashboard', () => {
  it('prompts for the control token once', async () => {
    const simulator = await startFor({ controlToken: 'open sesame' })
    const page = await open(simulator.url, '#/requests')
    const dialog = page.getByRole('dialog', { name: 'Control token' })
    await dialog.getByLabel('Control token').fill('wrong')
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByText('Invalid token.').waitFor()
    await dialog.getByLabel('Control token').fill('open sesame')
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await live(page)
    await dialog.waitFor({ state: 'detached' })
    await simulator.call('GET', '/api_keys')
    await row(page, '/api_keys').waitFor()
    await page.reload()
    await row(page, '/api_keys').waitFor()
    expect(await dialog.count()).toBe(0)
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage }) + location.href)).not.toContain('sesame')
  })

  it('creates a sandbox, shows its requests, stores it in the URL and drops it', async () => {
    const simulator = await startFor()
    const page = await open(simulator.url, '#/requests')
    await live(page)
    await picker(page).click()
    const dialog = page.getByRole('dialog', { name: 'Sandboxes' })
    await dialog.getByLabel('Find or create a sandbox').fill('checkout-7')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => picker(page).innerText()).toContain('checkout-7')
    expect(page.url()).toMatch(/#\/requests\?sandbox=checkout-7$/)
    await simulator.call('GET', '/ip_restrictions')
    await simulator.as('sim_admin~checkout-7')('GET', '/api_keys?limit=3')
    await row(page, 'limit=3').waitFor()
    expect(await row(page, 'ip_restrictions').count()).toBe(0)
    await picker(page).click()
    await dialog.getByRole('button', { name: 'Drop checkout-7' }).click()
    await row(page, 'ip_restrictions').waitFor()
    expect(await picker(page).innerText()).toContain('default')
  })

  it.runIf(ALL)('creates records in the selected sandbox', async () => {
    const simulator = await startFor()
    await simulator.call('PUT', '/_sim/sandboxes/there')
    const page = await open(simulator.url, '#/resources/api_keys/new?sandbox=there')
    await page.getByLabel(/^description/).fill('over there')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page
      .getByRole('dialog')
      .getByText(/~there$/)
      .waitFor()
    const keysOf = async (token: string) => (await simulator.as(token)('GET', '/api_keys')).body.keys
    expect(await keysOf('sim_admin')).toHaveLength(3)
    expect(await keysOf('sim_admin~there')).toHaveLength(4)
  })

  it.runIf(ALL)('lists the newest sandbox first, with errors and failed tests', async () => {
    const simulator = await startFor({ clock: '2026-01-01T00:00:00Z' })
    for (const name of ['first', 'second']) await simulator.call('PUT', `/_sim/sandboxes/${name}`)
    await simulator.as('sim_admin~first')('GET', '/api_keys/ak_none')
    await simulator.call('PATCH', '/_sim/sandboxes/first', { failed: true })
    const page = await open(simulator.url)
    await page.getByRole('button', { name: /^Sandbox:/ }).click()
    const listed = page.getByRole('dialog', { name: 'Sandboxes' }).locator('.row')
    await expect
      .poll(async () => (await listed.allInnerTexts()).map(text => text.replace(/\s+/g, ' ').trim()))
      .toEqual(['second 0 requests', 'first ✕ test failed 1 error 1 request', 'default 0 requests'])
  })

  it.runIf(ALL)('offers the sandbox token', async () => {
    const simulator = await startFor()
    await simulator.call('PUT', '/_sim/sandboxes/there')
    const page = await open(simulator.url, '#/overview?sandbox=there')
    await page.getByRole('button', { name: 'Copy token sim_admin~there' }).waitFor()
  })

  it.runIf(ALL)('creates a missing sandbox, unless a request already did', async () => {
    const simulator = await startFor()
    const page = await open(simulator.url, '#/overview?sandbox=missing')
    await page.getByText('Sandbox "missing" not found').waitFor()
    const call = simulator.as('sim_admin~missing')
    await call('DELETE', '/api_keys/ak_ci')
    await page.getByRole('button', { name: 'Create sandbox' }).click()
    await live(page)
    expect((await call('GET', '/api_keys/ak_ci')).status).toBe(404)
  })

  it.runIf(ALL)('reconnects when the event stream is cut, and misses no event', async () => {
    const simulator = await startFor()
    const line = await openLine(simulator.port)
    const page = await open(line.url, '#/requests')
    await live(page)
    await simulator.call('GET', '/api_keys?limit=1')
    await row(page, 'limit=1').waitFor()
    line.cut()
    await page.locator('.live').getByText('No response').waitFor()
    await simulator.call('GET', '/api_keys?limit=2')
    line.mend()
    await live(page)
    await row(page, 'limit=2').waitFor()
    await expect.poll(() => page.locator('.rows .row:not(.head)').count()).toBe(2)
  })

  it.runIf(ALL)('shows an error when a scenario drops the API response', async () => {
    const rules = [{ when: { method: 'POST' }, fault: { type: 'lost-reply' as const } }]
    const simulator = await startFor({ scenario: { rules } })
    const page = await open(simulator.url, '#/resources/api_keys/new')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page
      .getByRole('alert')
      .getByText(/No response\./)
      .waitFor()
  })
})
