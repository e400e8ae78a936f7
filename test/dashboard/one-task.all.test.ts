import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { live, open, pressAll, skipped, startFor } from './page.ts'

const detail = (page: Page) => page.getByRole('complementary')
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent)

describe.skipIf(skipped)('Without a pause between inputs, the dashboard', async () => {
  const simulator = await startFor()

  it('closes a form on Escape, and reopens it on n with focus in its first field', async () => {
    const page = await open(simulator.url, '#/resources/vaults/new')
    await expect.poll(() => page.getByLabel(/^name/).evaluate(field => field === document.activeElement)).toBe(true)
    await page.keyboard.press('Escape')
    expect(await pressAll(page, ['Escape', 'n'], 'aside input')).toBe(true)
    await page.keyboard.type('typed')
    expect(await page.getByLabel(/^name/).inputValue()).toBe('typed')
  })

  it('opens the clicked row and searches for the typed text', async () => {
    const page = await open(simulator.url, '#/resources/ip_policies')
    await page.getByRole('link', { name: 'ipp_local' }).waitFor()
    await page.evaluate(() => {
      document.querySelector<HTMLElement>('a[href*="ipp_local"]')!.click()
      const search = document.querySelector<HTMLInputElement>('.filters input[type="search"]')!
      search.value = 'ipp_off'
      search.dispatchEvent(new Event('input', { bubbles: true }))
    })
    await page.getByText('1–1 of 1').waitFor()
    await detail(page).getByText('ipp_local', { exact: true }).first().waitFor()
  })

  it('navigates back and forward', async () => {
    const page = await open(simulator.url, '#/resources/ip_policies')
    await page.getByRole('link', { name: 'ipp_local' }).click()
    await detail(page).getByText('ipp_local', { exact: true }).first().waitFor()
    await page.getByRole('link', { name: 'Requests' }).click()
    await page.goBack()
    await detail(page).getByText('ipp_local', { exact: true }).first().waitFor()
    await page.goBack()
    await detail(page).waitFor({ state: 'detached' })
    await page.getByRole('table', { name: 'IP policies' }).waitFor()
    await page.goForward()
    await detail(page).getByText('ipp_local', { exact: true }).first().waitFor()
  })

  it('leaves Ctrl+click to the browser', async () => {
    const page = await open(simulator.url, '#/resources/ip_policies')
    const opened = page.context().waitForEvent('page')
    await page.getByRole('link', { name: 'ipp_local' }).click({ modifiers: ['ControlOrMeta'] })
    await detail(await opened)
      .getByText('ipp_local', { exact: true })
      .first()
      .waitFor()
    expect(await detail(page).count()).toBe(0)
  })

  it('moves the focus with each arrow key in a list', async () => {
    const page = await open(simulator.url, '#/resources/ip_policies?sort=id')
    await page.getByRole('link', { name: 'ipp_blocked' }).focus()
    expect(await pressAll(page, ['ArrowDown', 'ArrowDown'], '[data-row-link][href*="ipp_local"]')).toBe(true)
  })

  it('moves the focus to an unrendered row at the end of a list', async () => {
    const ip_policies = Array.from({ length: 200 }, (_, i) => ({ id: `ipp_${1000 + i}` }))
    const many = await startFor({ fixture: { users: [{ id: 'usr_me', admin: true }], ip_policies } })
    const page = await open(many.url, '#/resources/ip_policies?sort=id&per=1000')
    await page.getByRole('link', { name: 'ipp_1000' }).focus()
    expect(await pressAll(page, ['End'], '[data-row-link][href*="ipp_1199"]')).toBe(true)
    expect(await focused(page)).toBe('ipp_1199')
  })

  it('opens a dialog that receives the next keys', async () => {
    const page = await open(simulator.url, '#/overview')
    await live(page)
    expect(await pressAll(page, ['?', 'g', '3'], 'dialog *, dialog')).toBe(true)
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    expect(await page.locator('#main.view-overview').count()).toBe(1)
  })

  it('reopens a required dialog that the browser closed', async () => {
    const { url } = await startFor({ controlToken: 'open sesame' })
    const page = await open(url)
    const isOpen = await page.locator('dialog').evaluate(async (dialog: HTMLDialogElement) => {
      const closed = new Promise(resolve => dialog.addEventListener('close', resolve))
      dialog.close()
      await closed
      return dialog.open
    })
    expect(isOpen).toBe(true)
  })

  it('handles the shortcuts of a view as soon as it shows', async () => {
    const page = await open(simulator.url, '#/overview')
    await live(page)
    expect(await pressAll(page, ['g', '2', '/'], '[placeholder="Find a resource type"]')).toBe(true)
  })
})
