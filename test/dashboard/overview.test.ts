import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { clipboard, live, open, skipped, startFor } from './page.ts'

describe.skipIf(skipped)('The overview', async () => {
  const simulator = await startFor({ scenario: 'rate-limited' })

  it('tells a client all it needs: address, tokens, and a curl line that works', async () => {
    const page = await open(simulator.url)
    await page.getByRole('button', { name: 'Copy the address' }).click()
    expect(await clipboard(page)).toBe(simulator.url)
    for (const token of ['sim_admin', 'sim_member', 'sim_ci']) {
      await page.getByRole('button', { name: `Copy the token ${token}` }).click()
      expect(await clipboard(page)).toBe(token)
    }
    await page.getByRole('button', { name: 'Copy the curl line' }).click()
    const [, token, header, version, url] = /Bearer (\S+)' -H '([\w-]+): (\d)' (\S+)$/.exec(await clipboard(page))!
    const answer = await fetch(url!, { headers: { authorization: `Bearer ${token}`, [header!]: version! } })
    expect(answer.status).toBe(200)
  })

  it('names the fixture, the scenario and the clock', async () => {
    const page = await open(simulator.url)
    const world = page.getByRole('region', { name: 'This sandbox' })
    const facts =
      /Sandbox\s+default\s+the only one\s+Fixture\s+default\s+Scenario\s+rate-limited[\s\S]*Clock\s+real time/
    await expect.poll(() => world.innerText()).toMatch(facts)
  })

  it('shows nothing of the sandbox that it does not know yet', async () => {
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
