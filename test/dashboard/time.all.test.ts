import type { Locator, Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { downloadFrom, isFocused, live, open, openNew, skipped, startFor, textsIn } from './page.ts'

/** Presses Tab until the element has focus, because rendering a list may reset it. */
async function tabTo(page: Page, element: Locator) {
  await element.waitFor()
  await expect
    .poll(async () => {
      await page.keyboard.press('Tab')
      return element.evaluate(each => each === document.activeElement)
    })
    .toBe(true)
}

function holdCalls() {
  let letGo = () => {}
  const held = new Promise<void>(resolve => {
    letGo = resolve
  })
  return { held, letGo }
}

describe.skipIf(skipped)('The Time view', async () => {
  it('freezes, sets, advances and resumes the clock', async () => {
    const { page, call } = await openNew('#/time')
    const clock = async () => (await call('GET', '/_sim/clock')).body
    const card = page.getByRole('region', { name: 'Clock' })
    await card.getByRole('button', { name: 'Freeze', exact: true }).click()
    await card.getByText('❚❚ frozen').waitFor()
    expect((await clock()).frozen).toBe(true)
    await card.getByLabel('Freeze at (UTC)').fill('2026-01-01T00:00:00')
    await card.getByRole('button', { name: 'Freeze at' }).click()
    await card.getByText('00:00:00').waitFor()
    await card.getByRole('button', { name: '+ 1 day' }).click()
    await card.getByText('2026-01-02').waitFor()
    await card.getByLabel('Advance by').fill('90s')
    await card.getByRole('button', { name: 'Advance' }).click()
    await card.getByText('00:01:30').waitFor()
    expect((await clock()).now).toBe('2026-01-02T00:01:30.000Z')
    const { body } = await call('POST', '/api_keys', {})
    expect(body.created_at).toBe('2026-01-02T00:01:30Z')
    await card.getByRole('button', { name: 'Resume' }).click()
    await card.getByText('● shifted').waitFor()
    await card.getByRole('button', { name: 'Use real time' }).click()
    await card.getByText('● real time').waitFor()
    expect(await clock()).toMatchObject({ frozen: false, real: true })
  })

  it('shows why a duration was rejected, even if typed while loading', async () => {
    const simulator = await startFor()
    const { held, letGo } = holdCalls()
    const prepare = (page: Page) => page.route('**/_sim/resources', route => held.then(() => route.continue()))
    const page = await open(simulator.url, '#/time', { prepare })
    await page.getByLabel('Advance by').fill('soon')
    const loaded = page.waitForResponse('**/_sim/resources')
    letGo()
    await (await loaded).finished()
    await page.getByRole('button', { name: 'Advance' }).click()
    const form = page.locator('form', { has: page.getByLabel('Advance by') })
    await form.getByRole('alert').getByText('must be a duration like').waitFor()
  })

  it('sends a form once, even if submitted again before the response', async () => {
    const { page } = await openNew('#/time')
    const { held, letGo } = holdCalls()
    let sent = 0
    await page.route('**/_sim/clock', async route => {
      if (route.request().method() === 'PUT') {
        sent++
        await held
      }
      await route.continue()
    })
    await page.getByLabel('Advance by').fill('1h')
    for (let i = 0; i < 3; i++) await page.getByLabel('Advance by').press('Enter')
    letGo()
    await page.getByText('Clock advanced by 1h.').waitFor()
    expect(sent).toBe(1)
  })

  it('saves and restores a snapshot and resets by keyboard, after confirmations that Escape cancels', async () => {
    const { page, call } = await openNew('#/time')
    const keys = async () => (await call('GET', '/api_keys')).body.keys.length
    const dialog = page.getByRole('dialog')
    const press = async (element: Locator) => {
      await tabTo(page, element)
      await page.keyboard.press('Enter')
    }
    await live(page)
    await tabTo(page, page.getByPlaceholder('before-checkout'))
    await page.keyboard.type('three-keys')
    await page.keyboard.press('Enter')
    await page.getByText('Saved snapshot three-keys.').waitFor()
    await call('DELETE', '/api_keys/ak_ci')

    await press(page.getByRole('button', { name: 'Restore three-keys' }))
    await dialog.getByText('Records created since then are removed, and deleted records come back').waitFor()
    await press(dialog.getByRole('button', { name: 'Restore' }))
    await page.getByText('Restored snapshot three-keys.').waitFor()
    expect(await keys()).toBe(3)

    await call('POST', '/api_keys', {})
    const button = page.getByRole('button', { name: 'Reset…' })
    await press(button)
    await dialog.getByText('to their initial values').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(await keys()).toBe(4)
    await isFocused(button)
    await page.keyboard.press('Enter')
    await press(dialog.getByRole('button', { name: 'Reset' }))
    await page.getByText('Sandbox reset.').waitFor()
    expect(await keys()).toBe(3)
  })

  it('shows when a snapshot was saved, links its last request, and deletes it', async () => {
    const simulator = await startFor({ clock: '2026-01-01T00:00:00Z' })
    const { headers } = await simulator.call('PATCH', '/api_keys/ak_ci', { description: 'x' })
    await simulator.call('PUT', '/_sim/snapshots/saved')
    const page = await open(simulator.url, '#/time')
    const item = page.getByRole('listitem').filter({ hasText: 'saved' })
    await item.getByText(/2026-01-01 00:00:00 UTC, after PATCH \/api_keys\/ak_ci/).waitFor()
    await item.getByRole('link').click()
    await page.locator('.detail-head', { hasText: headers.get('edgesim-operation-id')! }).waitFor()
    await page.goBack()
    await page.getByRole('button', { name: 'Delete saved' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No snapshots yet').waitFor()
    expect((await simulator.call('GET', '/_sim/snapshots')).body.snapshots).toEqual([])
  })

  it('downloads the state as a file', async () => {
    const simulator = await startFor()
    await simulator.call('PUT', '/_sim/sandboxes/taken')
    const page = await open(simulator.url, '#/time?sandbox=taken')
    const { name, content } = await downloadFrom(page, 'Download fixture')
    expect(name).toBe('edgesim-taken-state.json')
    const { body } = await simulator.call('GET', '/_sim/sandboxes/taken/state')
    expect(content).toEqual(body)
  })

  it('explains why a file cannot be imported as the state, and changes nothing', async () => {
    const simulator = await startFor()
    const { body: before } = await simulator.call('GET', '/_sim/state')
    const page = await open(simulator.url, '#/time')
    const refusal = (text: RegExp | string) =>
      page.getByRole('region', { name: 'State' }).getByRole('alert').getByText(text).waitFor()
    await choose(page, 'users: [', 'mine.yaml')
    await refusal(/Cannot import mine\.yaml: invalid YAML \([\s\S]*line 1, column 9[\s\S]*\)\. Choose a fixture\./)
    await choose(page, 'users: []')
    await refusal(/Cannot import mine\.json: invalid JSON/)
    await choose(page, '[1]')
    await refusal('Cannot import mine.json: a fixture must be an object with a list of records per table.')
    await choose(page, '{"users": [{"id": "usr_a"}], "api_kyes": []}')
    await page.getByRole('dialog').getByRole('button', { name: 'Replace state' }).click()
    await refusal(/invalid, and nothing was changed: .*api_kyes/)
    expect((await simulator.call('GET', '/_sim/state')).body).toEqual(before)
  })

  it('imports a file as the state, after a confirmation with record counts', async () => {
    const simulator = await startFor()
    await simulator.call('PUT', '/_sim/sandboxes/taken')
    const state = async (of = '/sandboxes/taken') => (await simulator.call('GET', `/_sim${of}/state`)).body
    const before = await state()
    const page = await open(simulator.url, '#/time?sandbox=taken')
    const dialog = page.getByRole('dialog')
    const alert = page.getByRole('region', { name: 'State' }).getByRole('alert')
    await choose(page, '[1]')
    await alert.waitFor()
    const users = Array.from({ length: 5000 }, (_, i) => ({ id: `usr_${i}`, name: `User ${i}`, admin: i === 0 }))
    const text = JSON.stringify({ users, api_keys: [{ id: 'ak_a', owner_id: 'usr_0', token: 'a_token' }] })
    await choose(page, text)
    const records = Object.values(before).flat().length
    await dialog.getByText(`"taken" (${records} records) with 5001 records: 5000 in users, 1 in api_keys.`).waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await state()).toEqual(before)
    await choose(page, text)
    await dialog.getByRole('button', { name: 'Replace state' }).click()
    await page.getByText('Imported mine.json: 5001 records.').waitFor()
    await expect.poll(() => alert.count()).toBe(0)
    expect((await state()).users).toHaveLength(5000)
    expect(await state('')).toEqual(before)
    await choose(page, '# Mine.\nusers:\n  - { id: usr_yaml, admin: true }\n', 'mine.yaml')
    await dialog.getByText('with 1 record: 1 in users.').waitFor()
    await dialog.getByRole('button', { name: 'Replace state' }).click()
    await page.getByText('Imported mine.yaml: 1 record.').waitFor()
    expect((await state()).users).toMatchObject([{ id: 'usr_yaml', admin: true }])
  })

  it('compares a snapshot with another one, and with the current state as it changes', async () => {
    const simulator = await startFor()
    await simulator.call('PUT', '/_sim/snapshots/before')
    await simulator.call('DELETE', '/api_keys/ak_ci')
    await simulator.call('PATCH', '/api_keys/ak_member', { description: 'Changed' })
    await simulator.call('PUT', '/_sim/snapshots/between')
    const made = Array.from({ length: 120 }, (_, i) => ({ id: `usr_new${i}` }))
    await Promise.all(made.map(user => simulator.call('POST', '/_sim/db/users', user)))
    const page = await open(simulator.url, '#/time')
    await live(page)
    await page.getByRole('button', { name: 'Compare between' }).click()
    const dialog = page.getByRole('dialog', { name: 'Compare states' })
    const told = (text: string) => dialog.getByRole('status').getByText(text, { exact: true }).waitFor()
    await told('120 records: 120 added, 0 changed, 0 removed. Showing the first 100 of 120.')
    await expect.poll(() => dialog.locator('.diff').count()).toBe(100)
    await simulator.call('DELETE', '/api_keys/ak_member')
    await told('121 records: 120 added, 0 changed, 1 removed. Showing the first 100 of 121.')

    await dialog.getByLabel('To').selectOption('between')
    await told('No differences.')
    await dialog.getByLabel('From').selectOption('before')
    await told('2 records: 0 added, 1 changed, 1 removed.')
    const changed = dialog.locator('.diff', { hasText: 'ak_member' })
    await textsIn(changed.locator('li.added')).toEqual([expect.stringContaining('"Changed"')])
    await dialog.getByRole('button', { name: 'Close' }).click()
    await dialog.waitFor({ state: 'detached' })
  })
})

const choose = (page: Page, text: string, name = 'mine.json') =>
  page.getByLabel('Fixture file').setInputFiles({ name, mimeType: '', buffer: Buffer.from(text) })
