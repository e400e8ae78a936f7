import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { ALL } from '../support/long.ts'
import { openLine } from './line.ts'
import { live, open, openNew, skipped, startFor, textIn } from './page.ts'

const row = (page: Page, text: string) => page.locator('.row', { hasText: text })
const picker = (page: Page) => page.getByRole('button', { name: /^Sandbox:/ })

describe.skipIf(skipped)('The dashboard', () => {
  it('prompts for the control token once, and again if the browser closes the prompt', async () => {
    const { page, call } = await openNew('#/requests', { controlToken: 'open sesame' })
    const dialog = page.getByRole('dialog', { name: 'Control token' })
    const isOpen = await dialog.evaluate(async (element: HTMLDialogElement) => {
      const closed = new Promise(resolve => element.addEventListener('close', resolve))
      element.close()
      await closed
      return element.open
    })
    expect(isOpen).toBe(true)
    await dialog.getByLabel('Control token').fill('wrong')
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByText('Invalid token.').waitFor()
    await dialog.getByLabel('Control token').fill('open sesame')
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await live(page)
    await dialog.waitFor({ state: 'detached' })
    await call('GET', '/api_keys')
    await row(page, '/api_keys').waitFor()
    await page.reload()
    await row(page, '/api_keys').waitFor()
    expect(await dialog.count()).toBe(0)
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage }) + location.href)).not.toContain('sesame')
  })

  it('creates a sandbox, shows its requests, stores it in the URL and drops it', async () => {
    const { page, call, as } = await openNew('#/requests')
    await live(page)
    await picker(page).click()
    const dialog = page.getByRole('dialog', { name: 'Sandboxes' })
    await dialog.getByLabel('Find or create a sandbox').fill('checkout-7')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.waitFor({ state: 'detached' })
    await textIn(picker(page)).toContain('checkout-7')
    expect(page.url()).toMatch(/#\/requests\?sandbox=checkout-7$/)
    await call('GET', '/ip_restrictions')
    await as('sim_admin~checkout-7')('GET', '/api_keys?limit=3')
    await row(page, 'limit=3').waitFor()
    expect(await row(page, 'ip_restrictions').count()).toBe(0)
    await picker(page).click()
    await dialog.getByRole('button', { name: 'Drop checkout-7' }).click()
    await row(page, 'ip_restrictions').waitFor()
    expect(await picker(page).innerText()).toContain('default')
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

  it.runIf(ALL)('creates a missing sandbox, unless a request already did, and offers its token', async () => {
    const { page, as } = await openNew('#/overview?sandbox=missing')
    await page.getByText('Sandbox "missing" not found').waitFor()
    const call = as('sim_admin~missing')
    await call('DELETE', '/api_keys/ak_ci')
    await page.getByRole('button', { name: 'Create sandbox' }).click()
    await live(page)
    await page.getByRole('button', { name: 'Copy token sim_admin~missing' }).waitFor()
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
})
