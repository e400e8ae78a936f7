import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import type { JournalEntry } from '../../src/contract/journal-entry.ts'
import { ALL } from '../support/long.ts'
import { live, open, openNew, skipped, startFor, textOf, textsIn } from './page.ts'

const editor = (page: Page) => page.getByRole('textbox', { name: 'Scenario YAML' })
const text = (page: Page) => textOf(editor(page))
const captions = async (page: Page) =>
  (await page.locator('.rule figcaption').allInnerTexts()).map(caption => caption.replace(/\s+/g, ' '))

/** Replaces the logged durations, because real ones depend on the machine. */
const withDurations = (durations: Record<string, number>) => (page: Page) =>
  page.route('**/_sim/requests?limit=1000', async route => {
    const response = await route.fetch()
    const { requests, ...rest } = (await response.json()) as { requests: JournalEntry[] }
    const changed = requests.map(each => ({ ...each, duration_ms: durations[each.operation!] }))
    await route.fulfill({ response, json: { ...rest, requests: changed } })
  })

async function openForm(page: Page) {
  await page.getByRole('button', { name: 'New rule…' }).click()
  const dialog = page.getByRole('dialog', { name: 'New rule' })
  return { dialog, add: () => dialog.getByRole('button', { name: 'Add to scenario' }).click() }
}

describe.skipIf(skipped)('The Scenario view', async () => {
  it.runIf(ALL)('shows live match counts per rule', async () => {
    const { page, call } = await openNew('#/scenario', { scenario: 'rate-limited' })
    const rule = page.locator('.rule', { hasText: '120 a minute' })
    await rule.getByText('matched 0').waitFor()
    await live(page)
    await call('GET', '/api_keys')
    await call('GET', '/api_keys')
    await rule.getByText('matched 2').waitFor()
    await rule.getByText('up to 120 requests per 60s (rolling window)').waitFor()
  })

  it.runIf(ALL)('activates a named scenario after a confirmation, and stops it', async () => {
    const { page, call } = await openNew('#/scenario')
    await page.getByRole('button', { name: 'Activate outage' }).click()
    await page.getByRole('dialog').getByText('resets counters to zero').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Activate' }).click()
    await page.getByRole('region', { name: 'outage' }).getByText('reads fail').waitFor()
    expect((await call('GET', '/api_keys')).status).toBe(503)
    await expect.poll(() => text(page)).toContain('fault: { type: reset }')
    await page.getByRole('button', { name: 'Stop scenario…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click()
    await page.getByRole('region', { name: 'No active scenario' }).waitFor()
    expect((await call('GET', '/api_keys')).status).toBe(200)
  })

  it.runIf(ALL)('marks a problem at its line, and activates the corrected text', async () => {
    const { page, call } = await openNew('#/scenario')
    const marked = page.locator('.cm-line', { has: page.locator('.cm-lintRange-error') })
    const activate = page.getByRole('button', { name: 'Activate scenario' })
    await page.getByText('✓ Valid, 1 rule.').waitFor()
    expect(await activate.isEnabled()).toBe(true)
    await editor(page).fill(
      'name: mine\nrules:\n  - name: broken\n    when: { operation: creat_api_key }\n    latency: 5ms\n',
    )
    await textsIn(marked).toEqual(['    when: { operation: creat_api_key }'])
    await page.getByRole('status').getByText('Did you mean create_api_key').waitFor()
    await page.getByText('Fix the problems above first.').waitFor()
    expect(await activate.isDisabled()).toBe(true)
    expect((await call('GET', '/_sim/scenario')).body.name).toBe(null)
    await page.reload()
    await marked.waitFor()
    await page.getByRole('button', { name: 'Line 4' }).click()
    await page.keyboard.press('End')
    for (const _ of '_api_key }') await page.keyboard.press('ArrowLeft')
    await page.keyboard.type('e')
    await page.getByText('✓ Valid, 1 rule.').waitFor()
    await expect.poll(() => marked.count()).toBe(0)
    await activate.click()
    await page.getByRole('region', { name: 'mine' }).getByText('always 5ms').waitFor()
    expect((await call('GET', '/_sim/scenario')).body.rules[0].when).toEqual({ operation: 'create_api_key' })
  })

  it.runIf(ALL)('shows a generated seed next to the editor, not in the text', async () => {
    const { page, call } = await openNew('#/scenario')
    await editor(page).fill('name: mine\nrules:\n  - { latency: 1ms, probability: 0.5 }\n')
    await page.getByText('✓ Valid, 1 rule.').waitFor()
    await page.getByRole('button', { name: 'Activate scenario' }).click()
    await page.getByText('Scenario activated').waitFor()
    const { body } = await call('GET', '/_sim/scenario')
    await page.locator('.seed').getByText(`Generated seed: ${body.seed}`).waitFor()
    await page.getByRole('button', { name: 'Copy seed as YAML' }).click()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`seed: ${JSON.stringify(body.seed)}`)
    await expect.poll(() => text(page)).toContain('probability: 0.5')
    expect(await text(page)).not.toContain('seed')
  })

  it.runIf(ALL)('completes fields and values, without shortcuts, until Escape or Tab leaves the editor', async () => {
    const { page } = await openNew('#/scenario')
    const choose = (name: string) => page.getByRole('option', { name }).click()
    const isFocused = () => editor(page).evaluate(content => content.matches(':focus'))
    const template = await text(page)
    await editor(page).fill('name: mine')
    await page.keyboard.press('Enter')
    await page.keyboard.type('rul')
    await choose('rules')
    await choose('fault')
    await choose('type')
    await choose('lost-reply')
    await expect.poll(() => text(page)).toBe('name: mine\nrules:\n  - fault:\n      type: lost-reply')
    await page.keyboard.press('Enter')
    await page.keyboard.type('? o')
    await page.keyboard.press('Control+Space')
    await page.keyboard.press('Escape')
    expect(await isFocused()).toBe(true)
    await page.keyboard.press('Escape')
    expect(await isFocused()).toBe(false)
    expect(await page.getByRole('dialog').count()).toBe(0)
    await editor(page).focus()
    await page.keyboard.press('Tab')
    expect(await isFocused()).toBe(false)
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await expect.poll(() => text(page)).toBe(template)
  })

  it.runIf(ALL)('draws observed over declared latency, and counts calls beyond the axis', async () => {
    const rules = [
      { name: 'seen', when: { operation: 'list_api_keys' }, latency: { min: '1ms', max: '40ms' } },
      { name: 'short', when: { operation: 'list_ip_policies' }, latency: '2ms' },
      { name: 'quiet', when: { method: 'POST' }, latency: { p50: '120ms', p95: '600ms', p99: '2s' } },
    ]
    const quiet = 'p50 120ms, p95 600ms, p99 2s'
    const simulator = await startFor({ scenario: { name: 'observed', rules } })
    for (const path of ['/api_keys', '/api_keys', '/ip_policies']) await simulator.call('GET', path)
    const page = await open(simulator.url, '#/scenario', {
      prepare: withDurations({ list_api_keys: 30, list_ip_policies: 200 }),
    })
    const drawn = () =>
      page
        .locator('.rule')
        .filter({ has: page.locator('path.observed') })
        .getByRole('heading')
        .allInnerTexts()
    await expect
      .poll(() => captions(page))
      .toEqual([
        'declared: uniform, 1ms to 40ms observed (2), median 30 ms',
        'declared: always 2ms observed (1), median 200 ms, 1 above 2.0 ms',
        quiet,
      ])
    expect(await drawn()).toEqual(['1. seen'])
    await page.getByRole('img', { name: 'Latency: uniform, 1ms to 40ms; observed (2), median 30 ms' }).waitFor()
    await expect.poll(() => page.locator('.mark text').allTextContents()).toEqual(['p50', 'p95', 'p99'])

    // Reactivated rules count from zero, without earlier observations.
    await live(page)
    await simulator.call('PUT', '/_sim/scenario', { name: 'observed', rules })
    await simulator.call('GET', '/api_keys')
    await expect.poll(() => captions(page)).toEqual([expect.stringContaining('observed (1)'), 'always 2ms', quiet])
  })

  it('creates a rule in a form next to the rules in the editor, and activates it', async () => {
    const { page, call } = await openNew('#/scenario')
    const first = '# Mine.\nname: mine\nrules:\n  - latency: 1ms\n'
    await editor(page).fill(`${first}seed: 1\n`)
    const { dialog, add } = await openForm(page)
    await dialog.getByLabel('Add to Operations').fill('POST api_keys')
    await dialog.getByRole('option', { name: 'create_api_key' }).click()
    await dialog.getByLabel('Add to Operations').fill('delete api key')
    await dialog.getByRole('option', { name: 'delete_api_key' }).click()
    await dialog.getByLabel('Status').fill('418')
    await dialog.getByLabel('Retry after').fill('')
    const rule = `  - name: error for create_api_key, delete_api_key
    when: { operation: [ create_api_key, delete_api_key ] }
    fault: { type: error, status: 418 }
`
    const preview = dialog.getByRole('region', { name: 'Rule YAML' })
    await expect.poll(() => preview.textContent()).toBe(`rules:\n${rule}`)
    await add()
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => text(page)).toBe(`${first}${rule}seed: 1\n`)
    await page.getByText('✓ Valid, 2 rules.').waitFor()
    await page.getByRole('button', { name: 'Activate scenario' }).click()
    await page.getByRole('region', { name: 'mine' }).getByText('matched 0').first().waitFor()
    expect((await call('POST', '/api_keys', {})).status).toBe(418)
  })

  it.runIf(ALL)('shows problems in the rule form', async () => {
    const { page } = await openNew('#/scenario')
    const { dialog, add } = await openForm(page)
    await dialog.getByRole('checkbox', { name: 'PATCH', exact: true }).check()
    await dialog.getByLabel('Effect').selectOption('Stale reads')
    await add()
    await dialog.getByRole('alert').getByText('stale-reads has no effect on the calls that this rule matches').waitFor()
    await dialog.getByLabel('Effect').selectOption('Latency percentiles')
    await dialog.getByLabel('p99').fill('1 second')
    await add()
    await dialog.locator('input:invalid').waitFor()
    expect(await dialog.getByLabel('p99').evaluate(input => input.matches(':invalid'))).toBe(true)
  })
})
