import { describe, expect, it } from 'vitest'
import { detail, open, pressAll, skipped, startFor } from './page.ts'

describe.skipIf(skipped)('Without a pause between inputs, the dashboard', async () => {
  const simulator = await startFor()

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
    const other = await opened
    await detail(other).getByText('ipp_local', { exact: true }).first().waitFor()
    expect(await detail(page).count()).toBe(0)
  })

  it('moves the focus with each arrow key in a list', async () => {
    const page = await open(simulator.url, '#/resources/ip_policies?sort=id')
    await page.getByRole('link', { name: 'ipp_blocked' }).focus()
    expect(await pressAll(page, ['ArrowDown', 'ArrowDown'], '[data-row-link][href*="ipp_local"]')).toBe(true)
  })
})
