import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import type { Entry } from '../../src/contract/journal-entry.ts'
import { open, skipped, startFor } from './page.ts'

const send = (page: Page) => page.getByRole('button', { name: 'Send', exact: true }).click()
const answer = (page: Page) => page.getByRole('region', { name: 'Answer' })
const status = (page: Page, code: number) =>
  answer(page)
    .locator('.status', { hasText: String(code) })
    .waitFor()
const body = (page: Page) => page.getByLabel('Body as text')
const picker = (page: Page) => page.getByRole('combobox', { name: 'Operation' })
const options = (page: Page, selected?: boolean) =>
  page.getByRole('listbox', { name: 'Operations' }).getByRole('option', { selected })

describe.skipIf(skipped)('The console', async () => {
  const simulator = await startFor()
  const latest = async (sandbox: string): Promise<Entry> =>
    (await simulator.call('GET', `/_sim/sandboxes/${sandbox}/requests?limit=1`)).body.requests[0]
  /** A page in a sandbox of its own. */
  async function openIn(sandbox: string, query = '') {
    await simulator.call('PUT', `/_sim/sandboxes/${sandbox}`, {})
    return open(simulator.url, `#/console?sandbox=${sandbox}${query}`)
  }

  it('finds an operation by keys alone, and sends what its form says', async () => {
    const page = await openIn('form')
    await picker(page).click()
    await page.keyboard.type('polic post')
    await expect.poll(() => options(page).count()).toBe(2)
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => options(page, true).innerText()).toContain('create_ip_policy_rule')
    await page.keyboard.press('Escape')
    expect(await picker(page).inputValue()).toBe('list_api_keys')
    await page.keyboard.type('create_ip_policy_rule')
    await page.keyboard.press('Enter')
    await page.getByLabel('cidr').fill('10.9.0.0/16')
    await page.getByLabel('ip_policy_id').fill('ipp_office')
    await page.getByLabel('action').selectOption('allow')
    await page.getByText('JSON', { exact: true }).click()
    const sent = { ip_policy_id: 'ipp_office', cidr: '10.9.0.0/16', action: 'allow' }
    expect(JSON.parse(await body(page).inputValue())).toEqual(sent)
    await page.getByText('Form', { exact: true }).click()
    await send(page)
    await status(page, 201)
    await answer(page)
      .getByText(/^Took [\d.]+ ms$/)
      .waitFor()
    await page.getByText(/carried out as change 1/).waitFor()
    const entry = await latest('form')
    expect(entry).toMatchObject({ operation: 'create_ip_policy_rule', request: { body: sent } })
    // What was sent, and the answer, are there after a visit to the request.
    await answer(page).getByRole('link', { name: 'In the journal' }).click()
    await page.locator('.detail-head', { hasText: entry.id }).waitFor()
    await page.goBack()
    expect(await page.getByLabel('cidr').inputValue()).toBe('10.9.0.0/16')
    await status(page, 201)
  })

  it('has path parameters and queries as inputs, and changes only what is changed in the form', async () => {
    const page = await openIn('update', '&operation=update_api_key&id=ak_member')
    await expect.poll(() => page.getByLabel('description').inputValue()).toBe("A member's key")
    await page.getByLabel('metadata').fill('{"a":1}')
    await send(page)
    await status(page, 200)
    expect(await latest('update')).toMatchObject({
      path: '/api_keys/ak_member',
      request: { body: { metadata: '{"a":1}' } },
    })
    await picker(page).fill('list_api_keys')
    await page.keyboard.press('Enter')
    await page.getByLabel('limit').fill('1')
    await page.getByLabel('before_id').fill('ak_member')
    await send(page)
    await answer(page).getByText('/api_keys?limit=1&before_id=ak_member').waitFor()
    await picker(page).fill('delete_api_key')
    await page.keyboard.press('Enter')
    await send(page)
    await page.getByText('Give id: the path has it.').waitFor()
  })

  it('sends JSON that is broken as it is, and says why a form cannot show it', async () => {
    const page = await openIn('broken', '&operation=create_api_key')
    await page.getByText('JSON', { exact: true }).click()
    await body(page).fill('{ "description": "oops')
    await page.getByText('Form', { exact: true }).click()
    await page.getByText(/^This is not JSON, so no form can show it/).waitFor()
    expect(await body(page).inputValue()).toBe('{ "description": "oops')
    await send(page)
    await status(page, 400)
    await page.getByText('decided by unparsable body').waitFor()
    expect((await latest('broken')).request.body).toBe('{ "description": "oops')
    await body(page).fill('{ "description": "mended", "more": [1] }')
    await page.getByText('Form', { exact: true }).click()
    expect(await page.getByLabel('description').inputValue()).toBe('mended')
    await page.getByText('Sent too, though it has no field here: more.').waitFor()
  })

  it('sends any method, path, token and headers, and leaves out the version', async () => {
    const page = await openIn('any')
    await page.getByText('Any path', { exact: true }).click()
    await page.getByLabel('Method').selectOption('DELETE')
    await page.getByLabel('Path, with its query').fill('/no/such?a=1&a=2')
    await page.getByText('No operation has this method and path.').waitFor()
    await page.getByLabel('Path, with its query').fill('/api_keys/ak_none?a=1&a=2')
    await page.getByText('This is delete_api_key.').waitFor()
    await page.getByLabel('Token').selectOption({ label: 'sim_member~any: ak_member of usr_member' })
    await page.getByLabel('Send Service-Version').uncheck()
    await page.getByRole('button', { name: 'Add a header' }).click()
    await page.getByLabel('Name of header 1').fill('X-Mine')
    await page.getByLabel('Value of X-Mine').fill('here')
    await send(page)
    await status(page, 400)
    await page.getByText('decided by missing version').waitFor()
    const { request, caller, method } = await latest('any')
    expect({ method, caller, search: request.search }).toMatchObject({
      method: 'DELETE',
      caller: { key_id: 'ak_member' },
      search: '?a=1&a=2',
    })
    expect(request.headers).toMatchObject({ 'x-mine': 'here' })
    expect(request.headers).not.toHaveProperty('service-version')
    await page.getByLabel('Token').selectOption('None')
    await send(page)
    await status(page, 401)
    await page.getByLabel('Token').selectOption('Another…')
    await page.getByLabel('Another token').fill('sim_nobody')
    await page.getByLabel('Path, with its query').fill('/_sim/info')
    await send(page)
    await page.getByRole('alert').getByText('/_sim is not part of it').waitFor()
  })

  it('sends a request of the journal again, or edited', async () => {
    const headers = { 'x-mine': 'here', 'service-version': '2', 'content-type': 'application/json' }
    const text = '{ "description" : "twice" }'
    const call = simulator.as('sim_member~again')
    const first = await call('POST', '/api_keys?a=1&a=2', undefined, { headers, raw: text })
    const page = await open(simulator.url, `#/requests/${first.headers.get('edgesim-operation-id')}?sandbox=again`)
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByText('Sent again. This is the new request.').waitFor()
    const again = await latest('again')
    await page.locator('.detail-head', { hasText: again.id }).waitFor()
    const same = {
      method: 'POST',
      path: '/api_keys',
      status: 201,
      caller: { id: 'usr_member', key_id: 'ak_member' },
      request: { text, search: '?a=1&a=2', headers: expect.objectContaining(headers) },
    }
    expect(again.id).not.toBe(first.headers.get('edgesim-operation-id'))
    expect(again).toMatchObject(same)
    await page.getByRole('link', { name: 'Edit and send' }).click()
    await expect.poll(() => body(page).inputValue()).toBe(text)
    expect(await page.getByLabel('Path, with its query').inputValue()).toBe('/api_keys?a=1&a=2')
    expect(await page.getByLabel('Value of x-mine').inputValue()).toBe('here')
    await body(page).fill('{"description":"thrice"}')
    await send(page)
    await status(page, 201)
    const { text: _text, ...request } = same.request
    expect(await latest('again')).toMatchObject({ ...same, request: { ...request, body: { description: 'thrice' } } })
  })
})
