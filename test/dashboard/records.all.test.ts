import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { open, skipped, startFor, textOf } from './page.ts'

const detail = (page: Page) => page.getByRole('complementary')
const dialog = (page: Page) => page.getByRole('dialog')
const check = (page: Page, id: string) => page.getByRole('checkbox', { name: `Select ${id}`, exact: true })
const press = (page: Page, name: string) => detail(page).getByRole('button', { name, exact: true }).click()
const row = (page: Page, text: string) => page.locator('.split-list .row:not(.head)', { hasText: text })
const opened = (page: Page, id: string) => page.locator('.detail-head').getByText(id, { exact: true }).waitFor()
const isFocused = (page: Page, label: RegExp) =>
  expect.poll(() => page.getByLabel(label).evaluate(input => input === document.activeElement)).toBe(true)
/** The description that a screen reader announces. */
const describedAs = (page: Page, label: RegExp) =>
  page.getByLabel(label).evaluate(input =>
    (input.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map(id => document.getElementById(id)?.textContent)
      .join(' '),
  )

describe.skipIf(skipped)('The Resources view', async () => {
  const simulator = await startFor()

  /** Creates a sandbox with policies `ipp_01`, `ipp_02` … */
  async function prepare(sandbox: string, policies = 0) {
    const at = `/_sim/sandboxes/${sandbox}`
    await simulator.call('PUT', at)
    for (let i = 1; i <= policies; i++) {
      const rules = i === 1 ? [{ action: 'deny', cidr: '198.51.100.0/24' }] : []
      const id = `ipp_${String(i).padStart(2, '0')}`
      await simulator.call('PUT', `${at}/db/ip_policies/${id}`, { rules })
    }
    return {
      show: (hash: string, look = {}) => open(simulator.url, `${hash}?sandbox=${sandbox}&sort=id`, look),
      rows: async (table: string, query = '') => (await simulator.call('GET', `${at}/db/${table}?${query}`)).body,
      calls: async (method: string) =>
        (await simulator.call('GET', `${at}/requests?limit=1000`)).body.requests.filter(
          (each: { method: string }) => each.method === method,
        ),
      go: (page: Page, hash: string) =>
        page.evaluate(hash => location.assign(hash), `${hash}?sandbox=${sandbox}&sort=id`),
      use: (scenario: object) => simulator.call('PUT', `${at}/scenario`, scenario),
      call: (method: string, path: string, body?: unknown) => simulator.call(method, at + path, body),
    }
  }

  it('selects rows with the mouse: one, a range, all on the page', async () => {
    const { show } = await prepare('select', 9)
    const page = await show('#/resources/ip_policies')
    const all = page.getByLabel('Select all rows on this page')
    await check(page, 'ipp_01').click()
    await check(page, 'ipp_04').click({ modifiers: ['Shift'] })
    await page.getByText('4 selected').waitFor()
    expect(await all.evaluate((input: HTMLInputElement) => input.indeterminate)).toBe(true)
    await check(page, 'ipp_office').click()
    await page.getByLabel('Search IP policies').fill('ipp_0')
    await page.getByText('5 selected, 1 not on this page').waitFor()
    await all.click()
    await page.getByText('10 selected').waitFor()
    await all.click()
    await page.getByText('1 selected').waitFor()
  })

  it('selects rows with the keyboard', async () => {
    const { show } = await prepare('by-keys', 6)
    const page = await show('#/resources/ip_policies')
    await page.getByRole('link', { name: 'ipp_04' }).focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Space')
    await page.getByText('1 selected').waitFor()
    expect(await check(page, 'ipp_06').isChecked()).toBe(true)
  })

  it('deletes selected records, and reports rejected ones, which remain selected', async () => {
    const { show, rows, calls } = await prepare('delete', 3)
    const page = await show('#/resources/ip_policies')
    for (const id of ['ipp_01', 'ipp_02', 'ipp_office']) await check(page, id).click()
    await page.getByRole('button', { name: 'Delete 3…' }).click()
    await dialog(page).getByText('Their rules (3) are also deleted.').waitFor()
    await dialog(page).getByText('DELETE /ip_policies/… for each').waitFor()
    await dialog(page).getByRole('button', { name: 'Delete 3' }).click()
    await dialog(page).getByRole('heading', { name: '2 of 3 IP policies deleted' }).waitFor()
    await dialog(page)
      .getByText(/^ipp_office: .*ipx_dashboard/)
      .waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('1 selected').waitFor()
    expect((await rows('ip_policies', 'id:startsWith=ipp_0')).map(({ id }: { id: string }) => id)).toEqual(['ipp_03'])
    expect(await calls('DELETE')).toHaveLength(3)
  })

  it('has a separate selection per sandbox', async () => {
    const { show } = await prepare('selected', 1)
    const page = await show('#/resources/ip_policies')
    await check(page, 'ipp_office').click()
    await page.getByText('1 selected').waitFor()
    await page.evaluate(() => location.assign('#/resources/ip_policies'))
    await row(page, 'ipp_01').waitFor({ state: 'detached' })
    await check(page, 'ipp_office').waitFor()
    expect(await check(page, 'ipp_office').isChecked()).toBe(false)
    expect(await page.getByText('1 selected').count()).toBe(0)
  })

  it('deletes in the state what the API cannot delete because of a fault', async () => {
    const { show, rows, use } = await prepare('faulty', 2)
    await use({ name: 'outage' })
    const page = await show('#/resources/ip_policies')
    await check(page, 'ipp_01').click()
    await check(page, 'ipp_02').click()
    await page.getByRole('button', { name: 'Delete 2…' }).click()
    await dialog(page).getByText('Scenario "outage" is active. Its rule "writes are cut off"').waitFor()
    await dialog(page).getByRole('button', { name: 'Delete 2' }).click()
    await dialog(page).getByText('The remaining records are still selected.').waitFor()
    await dialog(page).getByText('ipp_01: No response.').waitFor()
    await dialog(page).getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Delete 2…' }).click()
    await dialog(page).getByLabel('Bypass the API').check()
    await dialog(page).getByRole('button', { name: 'Delete 2' }).click()
    await page.getByText('Deleted 2 IP policies.').waitFor()
    expect(await rows('ip_policies', 'id:startsWith=ipp_0')).toEqual([])
  })

  it('warns of scenario faults, and bypasses them in the state', async () => {
    const { show, rows, use, calls } = await prepare('written')
    await use({ name: 'outage' })
    const page = await show('#/resources/ip_policies/new')
    await page.getByLabel(/^description/).fill('in spite of all')
    await detail(page).getByText('may fail or delay this').waitFor()
    await press(page, 'Create')
    await detail(page).getByRole('alert').getByText('No response.').waitFor()
    const before = (await calls('POST')).length
    await detail(page).getByLabel('Bypass the API').check()
    await detail(page).getByLabel('id', { exact: true }).fill('ipp_mine')
    await press(page, 'Add')
    await opened(page, 'ipp_mine')
    await press(page, 'Edit')
    await detail(page).getByLabel('Bypass the API').check()
    await page.getByLabel(/^description/).fill('')
    await press(page, 'Save')
    await page.getByText('Updated ipp_mine.').waitFor()
    const [mine] = await rows('ip_policies', 'id=ipp_mine')
    expect(mine.description).toBeUndefined()
    expect(await calls('POST')).toHaveLength(before)
    expect(await calls('PATCH')).toHaveLength(0)
  })

  it('preserves hidden secrets, and switches between form and JSON', async () => {
    const { show, call } = await prepare('both')
    const { id } = (await call('POST', '/db/vaults', { name: 'v' })).body
    const secret = { id: 'secret_one', vault_id: id, name: 'one', value_sha256: 'a'.repeat(64) }
    expect((await call('POST', '/db/vault_secrets', secret)).status).toBe(201)
    const page = await show('#/resources/vault_secrets/secret_one')
    await press(page, 'Edit')
    await page.getByLabel(/^description/).fill('typed in the form')
    await detail(page).getByLabel('Bypass the API').check()
    await press(page, 'Edit as JSON')
    const text = page.getByLabel('Record as JSON')
    const shown = JSON.parse(await textOf(text))
    expect(shown).toMatchObject({ ...secret, description: 'typed in the form' })
    await text.fill(JSON.stringify({ ...shown, name: 'two', odd: 1 }))
    await press(page, 'Edit as form')
    await detail(page).getByRole('alert').getByText('The form has no field for odd.').waitFor()
    await text.fill(JSON.stringify({ ...shown, name: 'two' }))
    await press(page, 'Edit as form')
    await expect.poll(() => page.getByLabel(/^name/).inputValue()).toBe('two')
    await press(page, 'Save')
    await page.getByText('Updated secret_one.').waitFor()
    const { body } = await call('GET', '/db/vault_secrets/secret_one')
    expect(body).toMatchObject({ ...secret, name: 'two', description: 'typed in the form' })
  })

  it('sends JSON as the API request body', async () => {
    const { show } = await prepare('as-body')
    const page = await show('#/resources/vaults/new')
    await press(page, 'Edit as JSON')
    await page.getByLabel('Record as JSON').fill('{"name": "v", "nope": 1}')
    await press(page, 'Create')
    await detail(page)
      .getByRole('alert')
      .getByText(/does not accept the field "nope"/)
      .waitFor()
  })

  it('creates up to 1,000 records from one form', async () => {
    const { show, rows } = await prepare('many')
    const page = await show('#/resources/vaults/new')
    await page.getByLabel(/^name/).fill('vault-{n}')
    await page.getByLabel('Number of records').fill('1001')
    await press(page, 'Create 1001')
    await detail(page).getByRole('alert').getByText('less than or equal to 1000').waitFor()
    await page.getByLabel('Number of records').fill('30')
    await press(page, 'Create 30')
    await page.getByText('Created 30 Vaults.').waitFor()
    const names = (await rows('vaults', 'name:startsWith=vault-')).map(({ name }: { name: string }) => name)
    expect(names).toEqual(Array.from({ length: 30 }, (_, i) => `vault-${i + 1}`))
  })

  it('duplicates a record, and reports rejected copies', async () => {
    const { show, rows, call } = await prepare('alike')
    await call('PUT', '/db/vaults/vault_like', { name: 'the-first', description: 'number {n}' })
    const page = await show('#/resources/vaults/vault_like')
    await detail(page).getByRole('link', { name: 'Duplicate…' }).click()
    await detail(page).getByText('Copied from vault_like, except id, name.').waitFor()
    expect(await page.getByLabel(/^name/).inputValue()).toBe('')
    expect(await page.getByLabel(/^description/).inputValue()).toBe('number {n}')
    await page.getByLabel(/^name/).fill('the-same')
    await page.getByLabel('Number of records').fill('3')
    await press(page, 'Create 3')
    await dialog(page).getByRole('heading', { name: '1 of 3 Vaults created' }).waitFor()
    await dialog(page)
      .getByText(/^Number 2: "name" must be unique/)
      .waitFor()
    await dialog(page).getByRole('button', { name: 'Close' }).click()
    expect(await page.getByLabel(/^name/).inputValue()).toBe('the-same')
    expect((await rows('vaults', 'name=the-same'))[0].description).toBe('number 1')
  })

  it('can stop creating records, and reports how many remain', async () => {
    const { show, rows, use } = await prepare('stopped')
    await use({ name: 'slow', rules: [{ name: 'slow', when: { method: 'POST' }, latency: '500ms' }] })
    const page = await show('#/resources/vaults/new')
    await page.getByLabel(/^name/).fill('slow-{n}')
    await page.getByLabel('Number of records').fill('1000')
    await press(page, 'Create 1000')
    await dialog(page)
      .getByText(/^[1-9]\d* of 1000/)
      .waitFor()
    await dialog(page).getByRole('button', { name: 'Stop' }).click()
    const heading = dialog(page).getByRole('heading', { name: /^\d+ of 1000 Vaults created/ })
    const told = Number.parseInt(await heading.innerText(), 10)
    await dialog(page)
      .getByText(`Not started: ${1000 - told}.`)
      .waitFor()
    expect(await rows('vaults', 'name:startsWith=slow')).toHaveLength(told)
  })

  it('shows an ID and a token per line for all created keys, in order, from the first one', async () => {
    const { show } = await prepare('keys')
    const page = await show('#/resources/api_keys/new')
    await page.getByLabel(/^description/).fill('number {n}')
    await page.getByLabel('Number of records').fill('50')
    await press(page, 'Create 50')
    const lines = dialog(page).getByRole('listitem')
    await expect.poll(() => lines.count()).toBe(50)
    expect(await lines.first().evaluate(line => line.getBoundingClientRect().top > 0)).toBe(true)
    expect(await dialog(page).evaluate(element => element.scrollTop)).toBe(0)
    await dialog(page).getByRole('button', { name: 'Copy all' }).click()
    const copied = (await page.evaluate(() => navigator.clipboard.readText())).split('\n')
    expect(copied).toHaveLength(50)
    const [id, token] = copied[6]!.split(' ')
    expect(await lines.nth(6).innerText()).toContain(id)
    expect((await simulator.as(token!)('GET', `/api_keys/${id}`)).body.description).toBe('number 7')
  })

  it('preserves the input of each editor while other rows and views show', async () => {
    const { show, go } = await prepare('drafts', 2)
    const page = await show('#/resources/ip_policies/ipp_01')
    await press(page, 'Edit')
    await isFocused(page, /^description/)
    await page.keyboard.type('half of it')
    await page.getByRole('link', { name: 'ipp_02' }).click()
    await opened(page, 'ipp_02')
    await row(page, 'ipp_01').getByText('unsaved changes').waitFor()
    await press(page, 'Edit raw')
    await page.getByLabel('Record as JSON').fill('{ not yet')
    await page.getByRole('link', { name: 'New IP policy' }).click()
    await opened(page, 'New IP policy')
    await isFocused(page, /^description/)
    await page.keyboard.type('a new one')
    await page.getByRole('link', { name: 'Requests' }).click()
    await page.locator('#main.view-requests').waitFor()
    await go(page, '#/resources/ip_policies/ipp_02')
    await expect.poll(() => textOf(page.getByLabel('Record as JSON'))).toBe('{ not yet')
    await page.getByRole('link', { name: /^New IP policy.*unsaved/ }).click()
    await expect.poll(() => page.getByLabel(/^description/).inputValue()).toBe('a new one')
    await page.getByRole('link', { name: 'ipp_01' }).click()
    await opened(page, 'ipp_01')
    await expect.poll(() => page.getByLabel(/^description/).inputValue()).toBe('half of it')
  })

  it('saves only its own changes to a record that another client changed', async () => {
    const { show, call } = await prepare('meanwhile', 2)
    const page = await show('#/resources/ip_policies/ipp_01')
    await press(page, 'Edit')
    await page.getByLabel(/^description/).fill('half of it')
    await call('PATCH', '/db/ip_policies/ipp_01', { metadata: 'by another' })
    await detail(page).getByText('This record changed while you were editing it.').waitFor()
    await press(page, 'Save')
    await page.getByText('Updated ipp_01.').waitFor()
    const { body } = await call('GET', '/db/ip_policies/ipp_01')
    expect(body).toMatchObject({ description: 'half of it', metadata: 'by another' })
  })

  it('prompts before a reload with unsaved changes', async () => {
    const { show } = await prepare('reload', 1)
    const page = await show('#/resources/ip_policies/ipp_01')
    await press(page, 'Edit')
    await page.getByLabel(/^description/).pressSequentially('half of it')
    await detail(page).getByText('Unsaved changes').waitFor()
    const asked: string[] = []
    page.once('dialog', each => {
      asked.push(each.type())
      return each.dismiss()
    })
    await page.evaluate(() => location.reload())
    await expect.poll(() => asked).toEqual(['beforeunload'])
    await press(page, 'Discard')
    await detail(page).getByRole('button', { name: 'Edit raw' }).waitFor()
    expect(await page.getByText('unsaved changes').count()).toBe(0)
    await page.reload()
    await opened(page, 'ipp_01')
  })

  it('shows missing and rejected values at their fields, and focuses them', async () => {
    const { show } = await prepare('wrong')
    const page = await show('#/resources/event_destinations/new')
    await press(page, 'Create')
    await isFocused(page, /^format/)
    expect(await describedAs(page, /^format/)).toContain('Please select an item')
    await page.getByLabel(/^format/).selectOption('json')
    await page.getByLabel('Which target').selectOption('kinesis')
    await page.getByLabel(/^stream_arn/).fill('nonsense')
    await press(page, 'Create')
    await isFocused(page, /^Which auth/)
    await detail(page).getByRole('group', { name: /^auth/ }).getByText('Please select an item').waitFor()
    await page.getByLabel('Which auth').selectOption('role')
    await page.getByLabel(/^role_arn/).fill('arn:aws:iam::123456789012:role/events')
    await press(page, 'Create')
    await isFocused(page, /^stream_arn/)
    expect(await page.getByLabel(/^stream_arn/).getAttribute('aria-invalid')).toBe('true')
    expect(await describedAs(page, /^stream_arn/)).toContain('must be an ARN')
    expect(await detail(page).getByRole('alert').count()).toBe(1)
    await page.keyboard.type('x')
    await expect.poll(() => detail(page).getByRole('alert').count()).toBe(0)
  })

  it('shows an out-of-range number while typing', async () => {
    const { show } = await prepare('bounds')
    const page = await show('#/resources/http_response_backends/new')
    await page.getByLabel(/^status_code/).fill('99')
    await detail(page).getByText('Value must be greater than or equal to 200.').waitFor()
    await press(page, 'Create')
    await isFocused(page, /^status_code/)
  })

  it('shows values that the state rejects at their fields', async () => {
    const { show } = await prepare('refused')
    const page = await show('#/resources/ip_policy_rules/new')
    await page.getByLabel(/^ip_policy_id/).fill('ipp_office')
    await page.getByLabel(/^action/).selectOption('deny')
    await page.getByLabel(/^cidr/).fill('nonsense')
    await detail(page).getByLabel('Bypass the API').check()
    await press(page, 'Add')
    await isFocused(page, /^cidr/)
    await expect.poll(() => describedAs(page, /^cidr/)).toContain('must be a CIDR block')
  })

  it('counts records per type, and can hide empty types', async () => {
    const { show, call, rows } = await prepare('counted')
    const page = await show('#/resources/ip_restrictions')
    const kinds = page.getByRole('navigation', { name: 'Resource types' })
    await kinds.getByRole('link', { name: 'IP restrictions 2 records' }).waitFor()
    await kinds.getByRole('link', { name: 'Secrets 1 record' }).waitFor()
    const [secret] = await rows('vault_secrets')
    await call('DELETE', `/db/vault_secrets/${secret.id}`)
    await kinds.getByRole('link', { name: 'Secrets', exact: true }).waitFor()
    await page.getByLabel('Hide empty types').check()
    await kinds.getByRole('link', { name: 'Secrets' }).waitFor({ state: 'detached' })
    await kinds.getByRole('link', { name: 'Vaults 2 records' }).waitFor()
  })

  it('names fields as in the API, and clips no name at 900 px', async () => {
    const { show } = await prepare('names')
    const page = await show('#/resources/ip_restrictions', { width: 900 })
    await page.getByRole('columnheader', { name: 'ip_policy_ids' }).waitFor()
    await page.getByRole('link', { name: 'IP restrictions 2 records' }).waitFor()
    const cut = await page.evaluate(() =>
      [...document.querySelectorAll('.kinds-list a, .kinds-list h2, [role=columnheader]:not(.c-check)')]
        .filter(each => each.scrollWidth > each.clientWidth + 1)
        .map(each => each.textContent),
    )
    expect(cut).toEqual([])
    await page.getByRole('link', { name: 'ipx_dashboard' }).press('Enter')
    await press(page, 'Edit')
    await page.getByRole('group', { name: 'ip_policy_ids' }).waitFor()
  })

  it('selects and deletes on a phone', async () => {
    const { show, rows } = await prepare('phone', 2)
    const page = await show('#/resources/ip_policies', { width: 390 })
    await check(page, 'ipp_01').click()
    await page.getByRole('button', { name: 'Delete 1…' }).click()
    await dialog(page).getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('Deleted 1 IP policy.').waitFor()
    expect(await rows('ip_policies', 'id=ipp_01')).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  })
})
