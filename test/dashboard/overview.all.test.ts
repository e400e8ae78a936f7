import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { live, open, openNew, skipped, startFor, textIn, textsIn } from './page.ts'

const world = (page: Page) => page.getByRole('region', { name: 'This sandbox' })
const requestsOver = (page: Page, window: string) =>
  page.getByRole('slider', { name: `Requests over the last ${window}` })
const caption = (page: Page) => page.locator('figcaption').first()

describe.skipIf(skipped)('The overview', async () => {
  const simulator = await startFor()

  async function prepareSandbox(name: string) {
    await simulator.call('PUT', `/_sim/sandboxes/${name}`)
    return { call: simulator.as(`sim_admin~${name}`), hash: `#/overview?sandbox=${name}` }
  }

  it('shows the fixture, scenario and clock', async () => {
    const { page } = await openNew('', { scenario: 'rate-limited' })
    const facts =
      /Sandbox\s+default\s+only sandbox\s+Fixture\s+default\s+Scenario\s+rate-limited[\s\S]*Clock\s+real time/
    await textIn(world(page)).toMatch(facts)
  })

  it('shows an ellipsis while loading', async () => {
    const prepare = (page: Page) =>
      page.route(/\/(clock|scenario|sandboxes|info)$/, () => {
        // No response.
      })
    const page = await open(simulator.url, '', { prepare })
    const facts = /Sandbox\s+default\s+…\s+Fixture\s+…\s+Scenario\s+…\s+Clock\s+…$/
    await textIn(world(page)).toMatch(facts)
  })

  it('starts with how to connect, then charts requests, latency and errors, and links to errors by type', async () => {
    const { call, hash } = await prepareSandbox('new')
    const page = await open(simulator.url, hash)
    const first = page.locator('#main h2').first()
    await textIn(first).toBe('Point a client here')
    await live(page)
    await call('GET', '/api_keys')
    await call('POST', '/ip_restrictions', { typ: 'api' })
    await textIn(first).toBe('Traffic')
    await page.getByText(/requests\/s in\s+the last 10 s/).waitFor()
    await page.locator('.chart .bar').first().waitFor()
    await page.getByText(/median latency/).waitFor()
    for (const name of ['Latest requests', 'Errors by type'])
      await page.getByRole('region', { name }).getByText('does not accept the field "typ"').waitFor()
    await page.getByRole('region', { name: 'Errors by type' }).getByRole('link').first().click()
    await page.locator('#main.view-requests').waitFor()
    await textsIn(page.locator('.rows .row:not(.head)')).toEqual([expect.stringContaining('ip_restrictions')])
  })

  it('shows the selected time range, including after a reload', async () => {
    const { call, hash } = await prepareSandbox('chosen')
    await call('GET', '/api_keys')
    const page = await open(simulator.url, hash)
    await page.getByText('requests per second').waitFor()
    await page.getByLabel('15 min').check({ force: true })
    await requestsOver(page, '15 minutes').waitFor()
    await page.reload()
    await requestsOver(page, '15 minutes').waitFor()
    await page.getByText('requests per 15 s').waitFor()
    await page.getByLabel('1 min', { exact: true }).check({ force: true })
    await page.getByText('requests per second').waitFor()
    expect(page.url()).not.toContain('minutes')
  })

  it('shows chart values with arrow keys and under the pointer, on an integer axis', async () => {
    const { call, hash } = await prepareSandbox('told')
    /** The dashboard counts events by browser time, and logged requests by sandbox time. */
    const setTime = async (page: Page, time: string) => {
      const now = `2026-01-01T${time}Z`
      await page.clock.setFixedTime(now)
      await simulator.call('PUT', '/_sim/sandboxes/told/clock', { now, frozen: true })
    }
    const page = await open(simulator.url, hash, { prepare: page => setTime(page, '12:00:00') })
    await live(page)
    await call('GET', '/api_keys')
    await textIn(caption(page)).toContain('1 in the last minute, 0 failed')
    await setTime(page, '12:00:03')
    await call('GET', '/api_keys/ak_nowhere')
    await textIn(caption(page)).toContain('2 in the last minute, 1 failed')

    const chart = requestsOver(page, 'minute')
    const axis = chart.locator('..').locator('.chart-axis li')
    expect(await axis.allInnerTexts()).toEqual(['0', '1'])
    const tooltip = chart.locator('.tooltip')
    await page.getByLabel('1 min', { exact: true }).focus()
    await page.keyboard.press('Tab')
    await textIn(tooltip).toBe('12:00:03 UTC\n1 request\n1 failed')
    await page.keyboard.press('ArrowLeft')
    await textIn(tooltip).toBe('12:00:00 UTC\n1 request\n0 failed')
    expect(await chart.getAttribute('aria-valuetext')).toBe('12:00:00 UTC, 1 request, 0 failed')
    await page.keyboard.press('Escape')
    await tooltip.waitFor({ state: 'detached' })

    const latency = page.getByRole('slider', { name: 'Latency over the last minute' })
    await latency.hover({ position: { x: 4, y: 40 } })
    await textIn(latency.locator('.tooltip')).toBe('11:59:04 UTC\nno requests')
  })

  it('shows that there were no requests, and since when', async () => {
    const { call, hash } = await prepareSandbox('far-away')
    await simulator.call('PUT', '/_sim/sandboxes/far-away/clock', { now: '2020-01-01T00:00:00Z', frozen: true })
    await call('GET', '/api_keys')
    const page = await open(simulator.url, `${hash}&minutes=5`)
    await live(page)
    await page.getByText('No requests in the last 5 minutes').waitFor()
    // By the sandbox clock, that request is years old and not in the chart.
    await page.getByText(/^since \d\d:\d\d:\d\d UTC$/).waitFor()
    await page.locator('.row', { hasText: '/api_keys' }).or(page.getByText('/api_keys')).first().waitFor()
    expect(await page.locator('.chart').count()).toBe(0)
    await call('GET', '/api_keys')
    await page.getByText(/1 in the last 5 minutes/).waitFor()
    await page.locator('.chart .bar').waitFor()
  })

  it('remembers the selected colours', async () => {
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
