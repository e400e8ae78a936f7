import { json } from 'node:stream/consumers'
import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { live, open, skipped, startFor } from './page.ts'

/** Presses Tab until the element of that name has the focus. */
async function tabTo(page: Page, name: string) {
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate(() => {
      const element = document.activeElement as HTMLElement
      return element.getAttribute('aria-label') ?? (element as HTMLInputElement).placeholder ?? element.innerText
    })
    if ((focused || '').trim() === name) return
    const words = await page.evaluate(() => (document.activeElement as HTMLElement).innerText?.trim())
    if (words === name) return
  }
  throw new Error(`Tab never reached ${name}`)
}

describe.skipIf(skipped)('Clock, snapshots and reset', async () => {
  it('freezes, sets, advances and releases the clock', async () => {
    const simulator = await startFor()
    const clock = async () => (await simulator.call('GET', '/_sim/clock')).body
    const page = await open(simulator.url, '#/time')
    const card = page.getByRole('region', { name: 'Clock' })
    await card.getByRole('button', { name: 'Freeze', exact: true }).click()
    await card.getByText('❚❚ frozen').waitFor()
    expect((await clock()).frozen).toBe(true)
    await card.getByLabel('Freeze at, in UTC').fill('2026-01-01T00:00:00')
    await card.getByRole('button', { name: 'Freeze at' }).click()
    await card.getByText('00:00:00').waitFor()
    await card.getByRole('button', { name: '+ 1 day' }).click()
    await card.getByText('2026-01-02').waitFor()
    await card.getByLabel('Advance by').fill('90s')
    await card.getByRole('button', { name: 'Advance' }).click()
    await card.getByText('00:01:30').waitFor()
    expect((await clock()).now).toBe('2026-01-02T00:01:30.000Z')
    const { body } = await simulator.call('POST', '/api_keys', {})
    expect(body.created_at).toBe('2026-01-02T00:01:30Z')
    await card.getByRole('button', { name: 'Let it run' }).click()
    await card.getByText('● shifted').waitFor()
    await card.getByRole('button', { name: 'Real time' }).click()
    await card.getByText('● real time').waitFor()
    expect(await clock()).toMatchObject({ frozen: false, real: true })
  })

  it('shows in the form why a duration was refused, also if it was typed while the page was loading', async () => {
    const simulator = await startFor()
    let answer = () => {}
    const held = new Promise<void>(resolve => {
      answer = resolve
    })
    const prepare = (page: Page) => page.route('**/_sim/resources', route => held.then(() => route.continue()))
    const page = await open(simulator.url, '#/time', { prepare })
    await page.getByLabel('Advance by').fill('soon')
    const loaded = page.waitForResponse('**/_sim/resources')
    answer()
    await (await loaded).finished()
    await page.getByRole('button', { name: 'Advance' }).click()
    const form = page.locator('form', { has: page.getByLabel('Advance by') })
    await form
      .getByRole('alert')
      .getByText(/must be a duration like/)
      .waitFor()
  })

  it('sends a form once, however often it is submitted before the answer', async () => {
    const simulator = await startFor()
    const page = await open(simulator.url, '#/time')
    let answer = () => {}
    const held = new Promise<void>(resolve => {
      answer = resolve
    })
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
    answer()
    await page.getByText('The clock was advanced by 1h.').waitFor()
    expect(sent).toBe(1)
  })

  it('saves, restores and resets by keyboard alone, after a question', async () => {
    const simulator = await startFor()
    const keys = async () => (await simulator.call('GET', '/api_keys')).body.keys.length
    const page = await open(simulator.url, '#/time')
    await live(page)
    await tabTo(page, 'before-checkout')
    await page.keyboard.type('three-keys')
    await page.keyboard.press('Enter')
    await page.getByText('The state was saved as three-keys.').waitFor()
    await simulator.call('DELETE', '/api_keys/ak_ci')
    expect(await keys()).toBe(2)

    await tabTo(page, 'Restore three-keys')
    await page.keyboard.press('Enter')
    await page
      .getByRole('dialog')
      .getByText(/records made since are gone, those deleted since are back/)
      .waitFor()
    await tabTo(page, 'Restore')
    await page.keyboard.press('Enter')
    await page.getByText('The state is that of three-keys.').waitFor()
    expect(await keys()).toBe(3)

    await simulator.call('POST', '/api_keys', {})
    await tabTo(page, 'Reset…')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/goes back to what it was created with/).waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(await keys()).toBe(4)
    await expect.poll(() => page.evaluate(() => (document.activeElement as HTMLElement).innerText)).toBe('Reset…')
    await page.keyboard.press('Enter')
    await dialog.waitFor()
    await tabTo(page, 'Reset')
    await page.keyboard.press('Enter')
    await page.getByText('The sandbox is as it was created.').waitFor()
    expect(await keys()).toBe(3)
  })

  it('deletes a snapshot', async () => {
    const simulator = await startFor()
    await simulator.call('PUT', '/_sim/snapshots/old')
    const page = await open(simulator.url, '#/time')
    await page.getByRole('button', { name: 'Delete old' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete it' }).click()
    await page.getByText('No snapshots yet').waitFor()
    expect((await simulator.call('GET', '/_sim/snapshots')).body.snapshots).toEqual([])
  })

  it('downloads the state as a file, and imports one after saying what comes and what goes', async () => {
    const simulator = await startFor()
    await simulator.call('PUT', '/_sim/sandboxes/taken')
    const state = async () => (await simulator.call('GET', '/_sim/sandboxes/taken/state')).body
    const page = await open(simulator.url, '#/time?sandbox=taken')
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download as a fixture' }).click()
    const download = await saving
    expect(download.suggestedFilename()).toBe('edgesim-taken-state.json')
    const whole = await state()
    expect(await json(await download.createReadStream())).toEqual(whole)

    const choose = async (text: string, name = 'mine.json') =>
      page.getByLabel('A fixture in JSON').setInputFiles({ name, mimeType: '', buffer: Buffer.from(text) })
    const card = page.getByRole('region', { name: 'State' })
    const refusal = (text: RegExp | string) => card.getByRole('alert').getByText(text).waitFor()
    await choose('users:\n  - id: usr_a\n', 'mine.yaml')
    await refusal(/mine\.yaml is not JSON: [\s\S]* Choose a fixture in JSON\./)
    await choose('[1]')
    await refusal('mine.json is no fixture: it must be an object that has lists of records by table.')

    const dialog = page.getByRole('dialog')
    await choose('{"users": [{"id": "usr_a"}], "api_kyes": []}')
    await dialog.getByRole('button', { name: 'Replace the state' }).click()
    await refusal(/not valid, and nothing was changed: .*api_kyes/)
    expect(await state()).toEqual(whole)

    const users = Array.from({ length: 5000 }, (_, i) => ({ id: `usr_${i}`, name: `User ${i}`, admin: i === 0 }))
    const keys = [{ id: 'ak_a', owner_id: 'usr_0', token: 'a_token' }]
    await choose(JSON.stringify({ users, api_keys: keys }))
    const records = Object.values(whole as Record<string, unknown[]>).reduce((sum, rows) => sum + rows.length, 0)
    await dialog
      .getByText(
        `The whole state of the sandbox "taken", ${records} records, is replaced by 5001 records: 5000 in users, 1 in api_keys.`,
      )
      .waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await state()).toEqual(whole)
    await choose(JSON.stringify({ users, api_keys: keys }))
    await dialog.getByRole('button', { name: 'Replace the state' }).click()
    await page.getByText('The state is that of mine.json: 5001 records.').waitFor()
    expect((await state()).users.length).toBe(5000)
    expect(await card.getByRole('alert').count()).toBe(0)
    expect((await simulator.call('GET', '/_sim/state')).body.users.length).toBe(2)
  })

  it('compares a snapshot with the state as it is, and with another', async () => {
    const simulator = await startFor()
    await simulator.call('PUT', '/_sim/snapshots/before')
    await simulator.call('DELETE', '/api_keys/ak_ci')
    await simulator.call('PATCH', '/api_keys/ak_member', { description: 'Changed' })
    await simulator.call('PUT', '/_sim/snapshots/between')
    const made = Array.from({ length: 120 }, (_, i) => ({ id: `usr_new${i}` }))
    await Promise.all(made.map(user => simulator.call('POST', '/_sim/db/users', user)))
    const page = await open(simulator.url, '#/time')
    await live(page)
    await page.getByRole('button', { name: 'Compare before' }).click()
    const dialog = page.getByRole('dialog', { name: 'Compare states' })
    const told = dialog.getByRole('status')
    await told
      .getByText('122 records: 120 added, 1 changed, 1 removed. The first 100 of 122 are shown.', { exact: true })
      .waitFor()
    expect(await dialog.locator('.diff').count()).toBe(100)
    await dialog.getByLabel('To').selectOption('between')
    await told.getByText('2 records: 0 added, 1 changed, 1 removed.', { exact: true }).waitFor()
    const changed = dialog.locator('.diff', { hasText: 'ak_member' })
    await expect.poll(() => changed.locator('li.added').allInnerTexts()).toEqual([expect.stringContaining('"Changed"')])
    await dialog.getByLabel('From').selectOption('between')
    await told.getByText('There is no difference.').waitFor()

    // With the state as it is now, what happens meanwhile is seen.
    await dialog.getByLabel('To').selectOption('the state as it is now')
    await told.getByText('120 records: 120 added').waitFor()
    await simulator.call('DELETE', '/api_keys/ak_member')
    await told.getByText('121 records: 120 added, 0 changed, 1 removed.').waitFor()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await dialog.waitFor({ state: 'detached' })
  })
})
