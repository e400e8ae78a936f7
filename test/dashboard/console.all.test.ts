import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import type { JournalEntry } from '../../src/contract/journal-entry.ts'
import { operationOf } from '../support/http.ts'
import { open, skipped, startFor, textIn, textOf } from './page.ts'

const send = (page: Page) => page.getByRole('button', { name: 'Send', exact: true }).click()
const response = (page: Page) => page.getByRole('region', { name: 'Response', exact: true })
const status = (page: Page, code: number) =>
  response(page)
    .locator('.status', { hasText: String(code) })
    .waitFor()
const body = (page: Page) => page.getByLabel('Body text')
const picker = (page: Page) => page.getByRole('combobox', { name: 'Operation' })
const options = (page: Page, selected?: boolean) => page.locator('.combo').first().getByRole('option', { selected })

describe.skipIf(skipped)('The console', async () => {
  const simulator = await startFor()
  const latest = async (sandbox: string): Promise<JournalEntry> =>
    (await simulator.call('GET', `/_sim/sandboxes/${sandbox}/requests?limit=1`)).body.requests[0]
  async function openIn(sandbox: string, query = '') {
    await simulator.call('PUT', `/_sim/sandboxes/${sandbox}`, {})
    return open(simulator.url, `#/console?sandbox=${sandbox}${query}`)
  }

  it('finds an operation by keyboard, and sends its form', async () => {
    const page = await openIn('form')
    await picker(page).click()
    await page.keyboard.type('delete')
    await page.keyboard.press('Escape')
    await expect.poll(() => picker(page).inputValue()).toBe('list_api_keys')
    await page.keyboard.type('polic post')
    await expect.poll(() => options(page).count()).toBe(2)
    await page.keyboard.press('ArrowDown')
    await textIn(options(page, true)).toContain('create_ip_policy_rule')
    await page.keyboard.press('Enter')
    await page.getByLabel('cidr').fill('10.9.0.0/16')
    await page.getByLabel('ip_policy_id').fill('ipp_office')
    await page.getByLabel('action').selectOption('allow')
    await send(page)
    await status(page, 201)
    await page.getByText(/Executed as change 1/).waitFor()
    const sent = { ip_policy_id: 'ipp_office', cidr: '10.9.0.0/16', action: 'allow' }
    expect(await latest('form')).toMatchObject({ operation: 'create_ip_policy_rule', request: { body: sent } })
  })

  it('restores the request and response after a visit to the request log', async () => {
    const page = await openIn('visit')
    await page.getByLabel('limit').fill('1')
    await page.getByLabel('before_id').fill('ak_member')
    await send(page)
    await response(page).getByText('/api_keys?limit=1&before_id=ak_member').waitFor()
    const duration = response(page).getByText(/^Duration: [\d.]+ ms$/)
    await duration.waitFor()
    await response(page).getByRole('link', { name: 'Show in request log' }).click()
    await page.locator('.detail-head', { hasText: (await latest('visit')).id }).waitFor()
    await page.goBack()
    await expect.poll(() => page.getByLabel('limit').inputValue()).toBe('1')
    await status(page, 200)
  })

  it('fills an update with the record, and sends only changes', async () => {
    const page = await openIn('update', '&operation=update_api_key&id=ak_member')
    await expect.poll(() => page.getByLabel('description').inputValue()).toBe("A member's key")
    await page.getByLabel('metadata').fill('{"a":1}')
    await send(page)
    await status(page, 200)
    const request = { body: { metadata: '{"a":1}' } }
    expect(await latest('update')).toMatchObject({ path: '/api_keys/ak_member', request })
  })

  it('sends invalid JSON unchanged, and explains why a form cannot show it', async () => {
    const page = await openIn('broken', '&operation=create_api_key')
    await page.getByLabel('description').fill('both')
    await page.getByText('JSON', { exact: true }).click()
    await expect.poll(async () => JSON.parse(await textOf(body(page)))).toEqual({ description: 'both' })
    await body(page).fill('{ "description": "oops')
    await page.getByText('Form', { exact: true }).click()
    await page.getByText(/^Cannot show this as a form: invalid JSON/).waitFor()
    await expect.poll(() => textOf(body(page))).toBe('{ "description": "oops')
    await send(page)
    await status(page, 400)
    await page.getByText('decided by unparsable body').waitFor()
    expect((await latest('broken')).request.body).toBe('{ "description": "oops')
    await body(page).fill('{ "description": "mended", "more": [1] }')
    await page.getByText('Form', { exact: true }).click()
    await expect.poll(() => page.getByLabel('description').inputValue()).toBe('mended')
    await page.getByText('Also sent, without a form field: more.').waitFor()
  })

  it('keeps Send and the last status visible, and repeats the last 20 requests after a reload', async () => {
    const page = await openIn('repeated', '&method=POST&path=/api_keys&body={}')
    for (let i = 1; i <= 21; i++) {
      await body(page).fill(JSON.stringify({ description: `number ${i}` }, null, 2))
      await send(page)
      await response(page).getByText(`"number ${i}"`).waitFor()
    }
    const sent = page.getByRole('region', { name: 'Sent requests' }).getByRole('button')
    await sent.last().scrollIntoViewIfNeeded()
    for (const part of [page.getByRole('button', { name: 'Send', exact: true }), page.locator('.console-bar .status')])
      expect(
        await part.evaluate(element =>
          element.contains(
            document.elementFromPoint(element.getBoundingClientRect().x + 4, element.getBoundingClientRect().y + 4),
          ),
        ),
      ).toBe(true)
    await page.reload()
    await expect.poll(() => sent.count()).toBe(20)
    await sent.last().click()
    await expect.poll(async () => JSON.parse(await textOf(body(page)))).toEqual({ description: 'number 2' })
  })

  it('sends any method, path, token and headers, without a version', async () => {
    const page = await openIn('any')
    await page.getByText('Any path', { exact: true }).click()
    await page.getByLabel('Method').selectOption('DELETE')
    await page.getByLabel('Path and query').fill('/no/such?a=1&a=2')
    await page.getByText('No matching operation.').waitFor()
    await page.getByLabel('Path and query').fill('/api_keys/ak_none?a=1&a=2')
    await page.getByText('Matches delete_api_key.').waitFor()
    await page.getByLabel('Token').selectOption({ label: 'sim_member~any: ak_member of usr_member' })
    await page.getByLabel('Send Service-Version').uncheck()
    await page.getByRole('button', { name: 'Add header' }).click()
    await page.getByLabel('Name of header 1').fill('X-Mine')
    await page.getByLabel('Value of X-Mine').fill('here')
    await send(page)
    await status(page, 400)
    await page.getByText('decided by missing version').waitFor()
    const sent = await latest('any')
    expect(sent).toMatchObject({ method: 'DELETE', caller: { key_id: 'ak_member' } })
    expect(sent.request).toMatchObject({ search: '?a=1&a=2', headers: { 'x-mine': 'here' } })
    expect(sent.request.headers).not.toHaveProperty('service-version')
    await page.getByLabel('Path and query').fill('/_sim/info')
    await send(page)
    await page.getByRole('alert').getByText('/_sim is the control API').waitFor()
  })
})

describe.skipIf(skipped)('A logged request', async () => {
  const simulator = await startFor()
  const headers = { 'x-mine': 'here', 'service-version': '2', 'content-type': 'application/json' }
  const text = '{ "description" : "twice" }'
  const sent = { method: 'POST', path: '/api_keys', status: 201, caller: { id: 'usr_member', key_id: 'ak_member' } }
  const request = { search: '?a=1&a=2', headers: expect.objectContaining(headers) }
  const latest = async (): Promise<JournalEntry> =>
    (await simulator.call('GET', '/_sim/requests?limit=1')).body.requests[0]
  async function openSent() {
    const call = simulator.as('sim_member')
    const first = operationOf(await call('POST', '/api_keys?a=1&a=2', undefined, { headers, raw: text }))
    return { first, page: await open(simulator.url, `#/requests/${first}`) }
  }

  it('is sent again unchanged', async () => {
    const { first, page } = await openSent()
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByText('Sent again. This is the new request.').waitFor()
    const again = await latest()
    await page.locator('.detail-head', { hasText: again.id }).waitFor()
    expect(again.id).not.toBe(first)
    expect(again).toMatchObject({ ...sent, request: { ...request, text } })
  })

  it('can be edited in the console and sent', async () => {
    const { page } = await openSent()
    await page.getByRole('link', { name: 'Edit and send' }).click()
    await expect.poll(() => textOf(body(page))).toBe(text)
    await expect.poll(() => page.getByLabel('Path and query').inputValue()).toBe('/api_keys?a=1&a=2')
    await expect.poll(() => page.getByLabel('Value of x-mine').inputValue()).toBe('here')
    await body(page).fill('{"description":"thrice"}')
    await send(page)
    await status(page, 201)
    expect(await latest()).toMatchObject({ ...sent, request: { ...request, body: { description: 'thrice' } } })
  })
})
