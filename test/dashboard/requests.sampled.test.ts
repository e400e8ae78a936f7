import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { expectHar, linesOf } from '../support/har.ts'
import { operationOf } from '../support/http.ts'
import { ALL, samples } from '../support/long.ts'
import { forEach, pooledClient } from '../support/raw-http.ts'
import { detail, downloadFrom, live, open, skipped, startFor, textIn, textOf, textsIn } from './page.ts'

const rows = (page: Page) => page.locator('.split-list .row:not(.head)')

async function downloaded(page: Page) {
  const { name, content } = await downloadFrom(page, 'Download HAR')
  expect(name).toMatch(/^edgesim-\w+\.har$/)
  return expectHar(content)
}

const POURED = samples(250, 1200)

describe.skipIf(skipped)('The Requests view', async () => {
  it.runIf(ALL)('includes requests that arrive while the log loads', async () => {
    const simulator = await startFor()
    await simulator.call('GET', '/api_keys?limit=9')
    const page = await open(simulator.url, '#/requests', {
      // Delays the response until a newer request shows.
      prepare: page =>
        page.route('**/_sim/requests?limit=1000', async route => {
          const response = await route.fetch()
          await simulator.call('GET', '/api_keys?limit=1')
          await page.locator('.row', { hasText: 'limit=1' }).waitFor()
          await route.fulfill({ response })
        }),
    })
    await page.locator('.row', { hasText: 'limit=9' }).waitFor()
    await expect.poll(() => page.locator('.rows .row:not(.head)').count()).toBe(2)
  })

  it('shows new requests immediately, and filters them', async () => {
    const simulator = await startFor()
    await simulator.call('GET', '/api_keys?limit=7')
    const page = await open(simulator.url, '#/requests')
    await rows(page).getByText('limit=7').waitFor()
    await live(page)
    await simulator.call('POST', '/ip_restrictions', { type: 'nonsense' })
    await simulator.as('nobody')('GET', '/ip_restrictions')
    await rows(page).nth(2).waitFor()
    await page.getByLabel('Method').selectOption('POST')
    await textsIn(rows(page)).toEqual([expect.stringContaining('/ip_restrictions')])
    await page.getByLabel('Method').selectOption('')
    await page.getByLabel('Status').selectOption('4xx')
    await expect.poll(() => rows(page).count()).toBe(2)
    await page.getByRole('searchbox').fill('limit=7')
    await page.getByText('No matching requests').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await expect.poll(() => rows(page).count()).toBe(3)
  })

  it('explains a request: response, reason, change and rules', async () => {
    const rules = [{ name: 'a little slow', when: { method: 'PATCH' }, latency: '5ms' }]
    const simulator = await startFor({ scenario: { name: 'slow', rules } })
    const { headers } = await simulator.call('PATCH', '/api_keys/ak_ci', { description: 'new words' })
    const page = await open(simulator.url, `#/requests/${headers.get('edgesim-operation-id')}`)
    await detail(page).getByText('Executed as change').waitFor()
    await detail(page).getByText('◆ fired').waitFor()
    await detail(page).getByText('5 ms of latency').last().waitFor()
    await detail(page).locator('li.added', { hasText: 'description: "new words"' }).waitFor()
    await detail(page).getByRole('region', { name: 'request body' }).getByText('"new words"').waitFor()
    await detail(page).getByRole('region', { name: 'response body' }).getByText('"ak_ci"').waitFor()
  })

  it.runIf(ALL)('shows a body that is not JSON unchanged', async () => {
    const simulator = await startFor()
    const headers = { 'content-type': 'application/json' }
    const send = async (raw: string | Uint8Array) =>
      operationOf(await simulator.call('POST', '/api_keys', undefined, { headers, raw }))
    const [text, bytes] = [await send('{ "description": "oops'), await send(new Uint8Array([0, 255]))]
    const page = await open(simulator.url, `#/requests/${text}`)
    const body = detail(page).getByRole('region', { name: 'request body' })
    await expect.poll(() => body.textContent()).toBe('{ "description": "oops')
    await page.evaluate(id => location.assign(`#/requests/${id}`), bytes)
    await expect.poll(() => body.textContent()).toBe('AP8=')
    await detail(page).getByText('Binary body, in base64').waitFor()
  })

  it.runIf(ALL)('turns a request into a rule that matches it', async () => {
    const simulator = await startFor()
    const { headers } = await simulator.call('PATCH', '/api_keys/ak_ci', { description: 'x' })
    const page = await open(simulator.url, `#/requests/${headers.get('edgesim-operation-id')}`)
    await page.getByRole('button', { name: 'Create rule' }).click()
    await page.getByText('✓ Valid, 2 rules.').waitFor()
    const text = await textOf(page.getByLabel('Scenario YAML'))
    expect(text).toContain('when: { operation: update_api_key, path: /api_keys/ak_ci, owner: usr_admin }')
    await page.getByRole('button', { name: 'Activate scenario' }).click()
    await page.getByText('Scenario activated').waitFor()
    expect((await simulator.call('PATCH', '/api_keys/ak_ci', { description: 'x' })).status).toBe(503)
    expect((await simulator.call('PATCH', '/api_keys/ak_member', { description: 'x' })).status).toBe(200)
  })

  it.runIf(ALL)('renders few rows while many requests arrive, and does not scroll', async () => {
    const simulator = await startFor()
    await Promise.all(Array.from({ length: 60 }, () => simulator.call('GET', '/api_keys')))
    const page = await open(simulator.url, '#/requests')
    await live(page)
    await page.getByText('60 requests').waitFor()
    await page.locator('.rows').evaluate(area => {
      area.scrollTop = 34 * 30
    })
    const top = () =>
      page.evaluate(() => {
        const area = document.querySelector('.rows')!
        const line = area.getBoundingClientRect().top + 34 * 3
        const row = [...area.querySelectorAll('.row:not(.head)')].find(
          each => each.getBoundingClientRect().bottom > line,
        )
        return row?.querySelector('a')?.getAttribute('href')
      })
    await expect.poll(top).toBeTruthy()
    const reading = await top()
    const client = pooledClient(simulator.port, 50)
    await forEach(Array(POURED), 50, async () => void (await client.send({ method: 'GET', path: '/api_keys/ak_ci' })))
    client.close()
    await page.getByText(new RegExp(`^${(POURED + 60).toLocaleString('en')} (requests|shown)`)).waitFor()
    await expect.poll(top).toBe(reading)
    expect(await rows(page).count()).toBeLessThan(80)
    expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(2_000)
  })

  it.runIf(ALL).each([
    ['', 'default', undefined],
    ['of the selected sandbox, with a control token', 'other', 'steer'],
  ])('downloads the shown requests as HAR %s', async (_, sandbox, controlToken) => {
    const simulator = await startFor({ controlToken })
    for (const path of ['/api_keys', '/api_keys/ak_nobody']) await simulator.as(`sim_admin~${sandbox}`)('GET', path)
    const page = await open(simulator.url, `#/requests?sandbox=${sandbox}`)
    if (controlToken) {
      const dialog = page.getByRole('dialog', { name: 'Control token' })
      await dialog.getByLabel('Control token').fill(controlToken)
      await page.keyboard.press('Enter')
    }
    await page.getByText('2 requests').waitFor()
    expect(linesOf(await downloaded(page))).toEqual(['GET /api_keys 200', 'GET /api_keys/ak_nobody 404'])
    await page.getByRole('searchbox').fill('nobody')
    await page.getByText('1 of 2 requests').waitFor()
    expect(linesOf(await downloaded(page))).toEqual(['GET /api_keys/ak_nobody 404'])
  })

  it.runIf(ALL)('keeps reasons, callers and notes in the list while details are open', async () => {
    const rules = [{ name: 'slow', when: { method: 'POST' as const }, latency: '1ms' }]
    const simulator = await startFor({ scenario: { rules } })
    await simulator.call('POST', '/ip_restrictions', { typ: 'api' })
    const page = await open(simulator.url, '#/requests')
    const row = rows(page).first()
    const cut = () =>
      row.evaluate(element =>
        ['.c-path a', '.c-path .reason', '.c-caller', '.c-notes .tag'].filter(part => {
          const { offsetParent, scrollWidth, clientWidth } = element.querySelector<HTMLElement>(part)!
          return !offsetParent || (part !== '.c-path .reason' && scrollWidth > clientWidth)
        }),
      )
    await row.getByText('create_ip_restriction does not accept the field "typ".').waitFor()
    expect(await cut()).toEqual([])
    await row.getByRole('link').click()
    await detail(page).getByText('Did you mean type?').first().waitFor()
    await expect.poll(cut).toEqual([])
  })

  it.runIf(ALL)('opens what an ID, a uri, an operation or a section names', async () => {
    const simulator = await startFor()
    const { headers } = await simulator.call('GET', '/ip_restrictions/ipx_dashboard')
    const hash = `#/requests/${headers.get('edgesim-operation-id')}`
    const page = await open(simulator.url, hash)
    const opens = async (name: string, to: string) => {
      await detail(page).getByRole('link', { name, exact: true }).first().click()
      await expect.poll(() => page.url()).toContain(to)
      await page.goBack()
      await detail(page).getByText('get_ip_restriction', { exact: true }).waitFor()
    }
    await opens('ipx_dashboard', '#/resources/ip_restrictions/ipx_dashboard')
    await opens('ipp_office', '#/resources/ip_policies/ipp_office')
    await opens(`${simulator.url}/ip_policies/ipp_office`, '#/resources/ip_policies/ipp_office')
    await opens('usr_admin', '#/resources/users/usr_admin')
    await opens('get_ip_restriction', '#/console')
    const section = detail(page).getByRole('link', { name: 'docs/api.md 4.2 in a new tab' })
    expect(await section.getAttribute('href')).toBe(`${simulator.url}/_sim/docs/api.md#section-4.2`)
  })

  it.runIf(ALL)('compares two requests side by side', async () => {
    const simulator = await startFor()
    await simulator.call('GET', '/api_keys/ak_none')
    await simulator.call('PATCH', '/api_keys/ak_ci', { description: 'b' })
    const { headers } = await simulator.call('PATCH', '/api_keys/ak_ci', { description: 'c', metadata: '{}' })
    const page = await open(simulator.url, `#/requests/${headers.get('edgesim-operation-id')}`)
    await page.getByRole('button', { name: 'Compare…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Compare PATCH /api_keys/ak_ci' })
    const other = dialog.getByRole('combobox', { name: 'Other request' })
    await other.click()
    // The same operation first.
    await textsIn(dialog.getByRole('option')).toEqual([
      expect.stringContaining('PATCH'),
      expect.stringContaining('ak_none'),
    ])
    await other.fill('patch')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    const row = (name: string) => dialog.getByRole('row', { name })
    await textIn(row('request.body.description')).toMatch(/"c"\s+"b"$/)
    await textIn(row('request.body.metadata')).toMatch(/"{}"\s+–$/)
    expect(await row('method').count()).toBe(0)
    await dialog.getByLabel(/^Show all values/).check()
    await textIn(row('method')).toMatch(/"PATCH"\s+"PATCH"$/)
  })

  it.runIf(ALL)('clears the request log', async () => {
    const simulator = await startFor()
    await simulator.call('GET', '/api_keys')
    const page = await open(simulator.url, '#/requests')
    await page.getByRole('button', { name: 'Clear log…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Clear' }).click()
    await page.getByText('No requests yet').waitFor()
    expect((await simulator.call('GET', '/_sim/requests')).body.requests).toEqual([])
  })
})
