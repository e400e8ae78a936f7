import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { live, open, skipped, startFor } from './page.ts'

describe.skipIf(skipped)('The overview', async () => {
  const simulator = await startFor({ scenario: 'rate-limited' })

  it('names the fixture, the scenario and the clock', async () => {
    const page = await open(simulator.url)
    const world = page.getByRole('region', { name: 'This sandbox' })
    const facts =
      /Sandbox\s+default\s+the only one\s+Fixture\s+default\s+Scenario\s+rate-limited[\s\S]*Clock\s+real time/
    await expect.poll(() => world.innerText()).toMatch(facts)
  })

  it('shows an ellipsis for what is not loaded yet', async () => {
    const prepare = (page: Page) =>
      page.route(/\/(clock|scenario|sandboxes|info)$/, () => {
        // Never answered.
      })
    const page = await open(simulator.url, '', { prepare })
    const world = page.getByRole('region', { name: 'This sandbox' })
    const facts = /Sandbox\s+default\s+…\s+Fixture\s+…\s+Scenario\s+…\s+Clock\s+…$/
    await expect.poll(() => world.innerText()).toMatch(facts)
  })

  it('draws requests, latency and errors as they happen', async () => {
    const page = await open(simulator.url, '#/overview')
    await live(page)
    await simulator.call('GET', '/api_keys')
    await simulator.call('GET', '/api_keys/ak_nowhere')
    await page.getByRole('region', { name: 'Latest requests' }).getByText('/api_keys/ak_nowhere').first().waitFor()
    await page.locator('.chart .bar').first().waitFor()
    await page.getByText(/median latency/).waitFor()
    const kinds = page.getByRole('region', { name: 'Errors by kind' })
    await kinds.getByText('key missing').or(kinds.getByText('not found')).first().click()
    await page.waitForURL(/#\/requests\?kind=/)
    await expect.poll(() => page.locator('.rows .row:not(.head)').count()).toBe(1)
  })

  it('keeps the colours that were chosen', async () => {
    const page = await open(simulator.url, '', { theme: 'dark' })
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    const dark = await ground()
    await page.getByLabel('Light', { exact: true }).check({ force: true })
    await expect.poll(ground).not.toBe(dark)
    const light = await ground()
    await page.reload()
    await expect.poll(ground).toBe(light)
  })
})
