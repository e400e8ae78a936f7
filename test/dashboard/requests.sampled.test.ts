import { json } from 'node:stream/consumers'
import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { expectHar, linesOf } from '../support/har.ts'
import { ALL, samples } from '../support/long.ts'
import { forEach, pooledClient } from '../support/raw-http.ts'
import { live, open, skipped, startFor, textOf } from './page.ts'

const rows = (page: Page) => page.locator('.split-list .row:not(.head)')
const detail = (page: Page) => page.getByRole('complementary', { name: 'Request' })

async function downloaded(page: Page) {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download HAR' }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/^edgesim-\w+\.har$/)
  return expectHar(await json(await file.createReadStream()))
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
    await expect.poll(() => rows(page).allInnerTexts()).toEqual([expect.stringContaining('/ip_restrictions')])
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
    await detail(page)
      .getByText(/Executed as change/)
      .waitFor()
    await detail(page).getByText('◆ fired').waitFor()
    await detail(page).getByText('5 ms of latency').last().waitFor()
    await detail(page).locator('li.added', { hasText: 'description: "new words"' }).waitFor()
    await detail(page).getByRole('region', { name: 'request body' }).getByText('"new words"').waitFor()
    await detail(page).getByRole('region', { name: 'response body' }).getByText('"ak_ci"').waitFor()
  })

  it.runIf(ALL)('shows a body that is not JSON unchanged', async () => {
    const simulator = await startFor()
    const send = async (body: BodyInit) => {
      const headers = { authorization: 'Bearer sim_admin', 'service-version': '2', 'content-type': 'application/json' }
      const response = await fetch(`${simulator.url}/api_keys`, { method: 'POST', headers, body })
      return response.headers.get('edgesim-operation-id')
    }
    const [text, bytes] = [await send('{ "description": "oops'), await send(new Uint8Array([0, 255]))]
    const page = await open(simulator.url, `#/requests/${text}`)
    const body = detail(page).getByRole('region', { name: 'request body' })
    await expect.poll(() => body.textContent()).toBe('{ "description": "oops')
    await page.evaluate(id => location.assign(`#/requests/${id}`), bytes)
    await expect.poll(() => body.textContent()).toBe('AP8=')
    await detail(page).getByText('Binary body, in base64').waitFor()
  })

  it.runIf(ALL)('rewinds to before a request after a confirmation', async () => {
    const simulator = await startFor()
    const { headers } = await simulator.call('DELETE', '/api_keys/ak_ci')
    await simulator.call('DELETE', '/api_keys/ak_member')
    const page = await open(simulator.url, `#/requests/${headers.get('edgesim-operation-id')}`)
    await page.getByRole('button', { name: 'Rewind to here…' }).click()
    await page
      .getByRole('dialog')
      .getByText(/just before DELETE \/api_keys\/ak_ci/)
      .waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Rewind' }).click()
    await page.getByText(/Restored the state from before op_/).waitFor()
    expect((await simulator.call('GET', '/api_keys')).body.keys).toHaveLength(3)
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
    ['', undefined],
    ['with a control token', 'steer'],
  ])('downloads the shown requests as HAR %s', async (_, controlToken) => {
    const simulator = await startFor({ controlToken })
    await simulator.call('GET', '/api_keys')
    await simulator.call('GET', '/api_keys/ak_nobody')
    const page = await open(simulator.url, '#/requests')
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

  it.runIf(ALL)('downloads the HAR of the selected sandbox', async () => {
    const simulator = await startFor()
    await simulator.as('sim_admin~other')('GET', '/ip_policies')
    const page = await open(simulator.url, '#/requests?sandbox=other')
    expect((await downloaded(page)).entries.map(({ _sandbox }) => _sandbox)).toEqual(['other'])
  })

  it.runIf(ALL)('keeps reasons, callers and notes in the list while details are open', async () => {
    const rules = [{ name: 'slow', when: { method: 'POST' as const }, latency: '1ms' }]
    const simulator = await startFor({ scenario: { rules } })
    await simulator.call('POST', '/ip_restrictions', { typ: 'api' })
    const page = await open(simulator.url, '#/requests')
    const row = rows(page).first()
    const parts = ['.c-path a', '.c-path .reason', '.c-caller', '.c-notes .tag']
    const cut = () =>
      row.evaluate(
        (element, parts) =>
          parts.filter(part => {
            const { offsetParent, scrollWidth, clientWidth } = element.querySelector<HTMLElement>(part)!
            return !offsetParent || (part !== '.c-path .reason' && scrollWidth > clientWidth)
          }),
        parts,
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
    await expect
      .poll(() => dialog.getByRole('option').allInnerTexts())
      .toEqual([expect.stringContaining('PATCH'), expect.stringContaining('ak_none')])
    await other.fill('patch')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    const row = (name: string) => dialog.getByRole('row', { name })
    await expect.poll(() => row('request.body.description').innerText()).toMatch(/"c"\s+"b"$/)
    await expect.poll(() => row('request.body.metadata').innerText()).toMatch(/"{}"\s+–$/)
    expect(await row('method').count()).toBe(0)
    await dialog.getByLabel(/^Show all values/).check()
    await expect.poll(() => row('method').innerText()).toMatch(/"PATCH"\s+"PATCH"$/)
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
