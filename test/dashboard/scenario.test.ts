import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { live, open, skipped, startFor } from './page.ts'

const text = (page: Page) => page.getByLabel('The scenario as YAML')

describe.skipIf(skipped)('The scenario', async () => {
  it('shows how often each rule matched and fired, as it happens', async () => {
    const simulator = await startFor({ scenario: 'rate-limited' })
    const page = await open(simulator.url, '#/scenario')
    const rule = page.locator('.rule', { hasText: '120 a minute' })
    await rule.getByText('matched 0').waitFor()
    await live(page)
    await simulator.call('GET', '/api_keys')
    await simulator.call('GET', '/api_keys')
    await rule.getByText('matched 2').waitFor()
    await rule.getByText('at most 120 requests in any 60s').waitFor()
  })

  it('draws latencies: percentiles, ranges and fixed ones', async () => {
    const rules = [
      { name: 'percentiles', latency: { p50: '120ms', p95: '600ms', p99: '2s' } },
      { name: 'range', latency: { min: '10ms', max: '20ms' } },
      { name: 'fixed', latency: '5ms' },
    ]
    const simulator = await startFor({ scenario: { name: 'drawn', rules } })
    const page = await open(simulator.url, '#/scenario')
    const curve = (name: RegExp) => page.getByRole('img', { name })
    await curve(/half under 120ms, 95% under 600ms, 99% under 2s/).waitFor()
    for (const mark of ['p50', 'p95', 'p99'])
      await curve(/half under/)
        .getByText(mark)
        .waitFor()
    await curve(/evenly between 10ms and 20ms/).waitFor()
    await curve(/always 5ms/).waitFor()
  })

  it('switches to a named scenario after saying what that does, and ends it', async () => {
    const simulator = await startFor()
    const page = await open(simulator.url, '#/scenario')
    await page.getByRole('button', { name: 'Use outage' }).click()
    await page
      .getByRole('dialog')
      .getByText(/counters begin at zero/)
      .waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Use it' }).click()
    await page.getByRole('region', { name: 'outage' }).getByText('reads are refused').waitFor()
    expect((await simulator.call('GET', '/api_keys')).status).toBe(503)
    await expect.poll(() => text(page).inputValue()).toContain('fault: { type: reset }')
    await page.getByRole('button', { name: 'End the scenario…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'End it' }).click()
    await page.getByRole('region', { name: 'No scenario' }).waitFor()
    expect((await simulator.call('GET', '/api_keys')).status).toBe(200)
  })

  it('marks a problem at its line, and uses the corrected text', async () => {
    const simulator = await startFor()
    const page = await open(simulator.url, '#/scenario')
    await text(page).fill(
      'name: mine\nrules:\n  - name: broken\n    when: { operation: creat_api_key }\n    latency: 5ms\n',
    )
    await page.locator('.gutter .wrong[data-line="4"]').waitFor()
    await page
      .getByRole('status')
      .getByText(/Did you mean create_api_key/)
      .waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Use this scenario' }).isDisabled()).toBe(true)
    expect((await simulator.call('GET', '/_sim/scenario')).body.name).toBe(null)
    await page.reload()
    await page.locator('.gutter .wrong[data-line="4"]').waitFor()
    await text(page).fill((await text(page).inputValue()).replace('creat_', 'create_'))
    await page.getByText('✓ Valid, 1 rule.').waitFor()
    await expect.poll(() => page.locator('.gutter .wrong').count()).toBe(0)
    await page.getByRole('button', { name: 'Use this scenario' }).click()
    await page.getByRole('region', { name: 'mine' }).getByText('always 5ms').waitFor()
    expect((await simulator.call('GET', '/_sim/scenario')).body.rules[0].when).toEqual({ operation: 'create_api_key' })
  })
})
