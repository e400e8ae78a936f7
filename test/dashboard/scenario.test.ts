import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { withRule } from '../../src/dashboard/views/scenario/rule-form.ts'
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

  it('draws how long calls really took over what is declared, and counts those beyond', async () => {
    const one = { operation: 'list_api_keys' }
    const other = { operation: 'list_ip_policies' }
    const rules = [
      { name: 'seen', when: one, latency: { min: '5ms', max: '400ms' } },
      { name: 'short', when: other, latency: { min: '1ms', max: '2ms' } },
      { name: 'long', when: other, latency: '200ms' },
      { name: 'quiet', when: { operation: 'create_api_key' }, latency: '5ms' },
    ]
    const simulator = await startFor({ scenario: { name: 'observed', rules } })
    const page = await open(simulator.url, '#/scenario')
    await live(page)
    const rule = (name: string) => page.locator('.rule', { has: page.getByRole('heading', { name }) })
    await rule('seen').getByText('evenly between 5ms and 400ms', { exact: true }).waitFor()
    expect(await page.locator('path.observed').count()).toBe(0)

    await Promise.all(Array.from({ length: 6 }, () => simulator.call('GET', '/api_keys')))
    await simulator.call('GET', '/ip_policies')
    await rule('seen')
      .getByText(/^observed \(6\), half under \d/)
      .waitFor()
    await rule('seen').getByText('as declared: evenly between 5ms and 400ms').waitFor()
    await rule('seen')
      .getByRole('img', { name: /^Latency: evenly .*; observed \(6\), half under/ })
      .locator('path.observed')
      .waitFor()
    // Both latencies of the call together are far beyond the first.
    await rule('short')
      .getByText(/^observed \(1\), half under \d+ ms, 1 beyond 2\.0 ms$/)
      .waitFor()
    expect(await rule('short').locator('path.observed').count()).toBe(0)
    await rule('long').locator('path.observed').waitFor()
    expect(await rule('quiet').locator('path.observed').count()).toBe(0)

    // The same rules again count from zero: what was observed before is not theirs.
    await simulator.call('PUT', '/_sim/scenario', { name: 'observed', rules })
    await simulator.call('GET', '/api_keys')
    await rule('seen')
      .getByText(/^observed \(1\)/)
      .waitFor()
    expect(await rule('short').getByText('observed').count()).toBe(0)
  })

  it('makes a rule by ticking, adds it to what is in the editor, and uses it', async () => {
    const simulator = await startFor()
    const page = await open(simulator.url, '#/scenario')
    const dialog = page.getByRole('dialog', { name: 'New rule' })
    const preview = dialog.getByRole('region', { name: 'The rule as YAML' })
    const tick = async (label: string) => dialog.getByRole('checkbox', { name: label }).check()
    await page.getByRole('button', { name: 'New rule…' }).click()
    await dialog.getByLabel('Find operations').fill('POST api_keys')
    await tick('create_api_key')
    await dialog.getByLabel('Find operations').fill('delete api key')
    await tick('delete_api_key')
    await dialog.getByLabel('Status').fill('418')
    await dialog.getByLabel('Retry after').fill('')
    await dialog.getByLabel('Percent of the calls').fill('12.5')
    await dialog.getByLabel('At most so often').fill('3')
    const written = `  - name: error for create_api_key, delete_api_key
    when: { operation: [ create_api_key, delete_api_key ] }
    probability: 0.125
    times: 3
    fault: { type: error, status: 418 }
`
    await expect.poll(() => preview.textContent()).toBe(`rules:\n${written}`)
    await dialog.getByLabel('Percent of the calls').fill('')
    await dialog.getByRole('button', { name: 'Without delete_api_key' }).click()
    await dialog.getByLabel('Name').fill('teapot')
    await dialog.getByRole('button', { name: 'Add to the scenario' }).click()
    await dialog.waitFor({ state: 'detached' })
    const first = `name: mine
rules:
  - name: teapot
    when: { operation: create_api_key }
    times: 3
    fault: { type: error, status: 418 }
`
    await expect.poll(() => text(page).inputValue()).toBe(first)

    // A second one goes below it; what was typed stays.
    await text(page).fill(`# Mine.\n${first}clock: { now: 2026-01-01T00:00:00Z }\n`)
    await page.getByRole('button', { name: 'New rule…' }).click()
    await dialog.getByRole('checkbox', { name: 'PATCH', exact: true }).check()
    await dialog.getByLabel('What happens').selectOption('Stale reads')
    await dialog.getByRole('button', { name: 'Add to the scenario' }).click()
    await dialog
      .getByRole('alert')
      .getByText(/stale-reads does nothing to the calls that this rule is about/)
      .waitFor()
    await dialog.getByLabel('What happens').selectOption('Latency by percentiles')
    await dialog.getByLabel('p99').fill('1 second')
    await dialog.getByRole('button', { name: 'Add to the scenario' }).click()
    expect(await dialog.getByLabel('p99').evaluate(input => (input as HTMLInputElement).validity.valid)).toBe(false)
    await dialog.getByLabel('p99').fill('2s')
    await dialog.getByRole('button', { name: 'Add to the scenario' }).click()
    await dialog.waitFor({ state: 'detached' })
    const second = `  - name: latency percentiles for PATCH
    when: { method: PATCH }
    latency: { p50: 80ms, p95: 300ms, p99: 2s }
`
    await expect
      .poll(() => text(page).inputValue())
      .toBe(`# Mine.\n${first}${second}clock: { now: 2026-01-01T00:00:00Z }\n`)
    await page.getByText('✓ Valid, 2 rules.').waitFor()
    await page.getByRole('button', { name: 'Use this scenario' }).click()
    await page.getByRole('region', { name: 'mine' }).getByText('half under 80ms').waitFor()
    expect((await simulator.call('POST', '/api_keys', {})).status).toBe(418)
  })

  it('adds a rule to any list of rules that is written line by line', () => {
    const rule = 'rules:\n  - name: new\n    latency: 5ms\n'
    expect(withRule('', rule)).toBe(rule)
    expect(withRule('name: x', rule)).toBe(`name: x\n${rule}`)
    expect(withRule('rules: [ ] # none\nname: x\n', rule)).toBe(`${rule}name: x\n`)
    expect(withRule('rules: # mine\n- latency: 1s\n\n# The clock.\nseed: 1\n', rule)).toBe(
      'rules: # mine\n- latency: 1s\n- name: new\n  latency: 5ms\n\n# The clock.\nseed: 1\n',
    )
    expect(withRule('rules:\n    - latency: 1s\n', rule)).toBe(
      'rules:\n    - latency: 1s\n    - name: new\n      latency: 5ms\n',
    )
    expect(withRule('rules: [{ latency: 1s }]\n', rule)).toBe(undefined)
  })
})
