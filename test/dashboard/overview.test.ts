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
    expect(await page.getByText(/^No requests in/).count()).toBe(0)
    const kinds = page.getByRole('region', { name: 'Errors by kind' })
    await kinds.getByText('key missing').or(kinds.getByText('not found')).first().click()
    await page.waitForURL(/#\/requests\?kind=/)
    await expect.poll(() => page.locator('.rows .row:not(.head)').count()).toBe(1)
  })

  it('tells what each step of a chart shows, to the pointer and to the keys', async () => {
    const call = simulator.as('sim_admin~charts')
    await call('GET', '/api_keys')
    const page = await open(simulator.url, '#/overview?sandbox=charts')
    await live(page)
    await call('GET', '/api_keys/ak_nowhere')
    const chart = page.getByRole('slider', { name: 'Requests over the last minute' })
    const told = () => chart.getAttribute('aria-valuetext')
    const tooltip = chart.locator('.tooltip')
    await expect.poll(() => page.locator('figcaption').first().innerText()).toContain('2 in the last minute, 1 failed')
    // An axis of whole, round numbers from zero, and what they count.
    const axis = () => chart.locator('..').locator('.chart-axis li').allInnerTexts()
    expect((await axis()).slice(0, 2)).toEqual(['0', '1'])
    await page.getByText('requests per second').waitFor()

    await page.getByLabel('15 min').check({ force: true })
    await page.waitForURL(/minutes=15/)
    await page.reload()
    const quarter = page.getByRole('slider', { name: 'Requests over the last 15 minutes' })
    await quarter.waitFor()
    await page.getByText('requests per 15 s').waitFor()
    await page.getByLabel('1 min', { exact: true }).check({ force: true })
    await chart.waitFor()
    expect(page.url()).not.toContain('minutes')

    const sent = Date.now()
    await call('GET', '/api_keys')
    await expect.poll(() => page.locator('figcaption').first().innerText()).toContain('3 in the last minute')
    await page.getByLabel('1 min', { exact: true }).focus()
    await page.keyboard.press('Tab')
    await expect.poll(() => tooltip.innerText()).toMatch(/^\d\d:\d\d:\d\d UTC\n1 request\n0 failed$/)
    expect(
      Math.abs(Date.parse(`${new Date(sent).toISOString().slice(0, 10)}T${(await told())!.slice(0, 8)}Z`) - sent),
    ).toBeLessThan(5000)
    await page.keyboard.press('ArrowLeft')
    await expect.poll(told).toMatch(/1 failed$/)
    await page.keyboard.press('Home')
    await page.keyboard.press('Escape')
    await tooltip.waitFor({ state: 'detached' })
    const latency = page.getByRole('slider', { name: 'Latency over the last minute' })
    await latency.hover({ position: { x: 4, y: 40 } })
    await expect.poll(() => latency.locator('.tooltip').innerText()).toMatch(/UTC\nno requests$/)
  })

  it('says that there were no requests, and since when it counts', async () => {
    const path = '/_sim/sandboxes/far-away'
    await simulator.call('PUT', path)
    await simulator.call('PUT', `${path}/clock`, { now: '2020-01-01T00:00:00Z', frozen: true })
    await simulator.as('sim_admin~far-away')('GET', '/api_keys')
    const page = await open(simulator.url, '#/overview?sandbox=far-away&minutes=5')
    await page.getByText('No requests in the last 5 minutes').waitFor()
    // That request is years ago by its own clock: where it was cannot be told.
    await page.getByText(/^since \d\d:\d\d:\d\d UTC$/).waitFor()
    expect(await page.locator('.chart').count()).toBe(0)
    await simulator.as('sim_admin~far-away')('GET', '/api_keys')
    await page.getByText(/1 in the last 5 minutes/).waitFor()
    await page.locator('.chart .bar').waitFor()
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
