import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { evidenceFile } from '../support/evidence.ts'
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

  it('shows in the form why a duration was refused', async () => {
    const simulator = await startFor()
    const page = await open(simulator.url, '#/time')
    await page.getByLabel('Advance by').fill('soon')
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

  it('lists the assumptions, which are changed, and the flag for each', async () => {
    const simulator = await startFor({ assume: { page_order: 'oldest_first' } })
    const page = await open(simulator.url, '#/assumptions')
    const { assumptions } = (await simulator.call('GET', '/_sim/assumptions')).body
    const shown = page.locator('.assumption')
    await expect.poll(() => shown.count()).toBe(assumptions.length)
    await page.getByLabel('Only changed (1)').check()
    const changed = expect.stringMatching(/◆ changed[\s\S]*page_order = oldest_first/)
    await expect.poll(() => shown.allInnerTexts()).toEqual([changed])
    await page.getByText('--assume page_order=newest_first').waitFor()
  })

  it('shows how something is known of a vendor, where sources differ, and what --assume ngrok would change', async () => {
    const simulator = await startFor()
    const page = await open(simulator.url, '#/assumptions')
    const { assumptions } = (await simulator.call('GET', '/_sim/assumptions')).body
    const of = (name: string) => assumptions.find((each: { name: string }) => each.name === name)
    const card = (name: string) => page.locator('.assumption').filter({ hasText: `${name} =` })
    const sources = (name: string) => card(name).getByRole('list', { name: 'What is known' }).getByRole('listitem')

    const [recorded, implied] = of('unset_text').evidence
    await expect
      .poll(() => sources('unset_text').allInnerTexts())
      .toEqual([`recorded for omit, as here\n\n${recorded.says}`, `implied for empty, unlike here\n\n${implied.says}`])
    await card('unset_text').getByText('Sources differ').waitFor()
    expect(await card('unset_text').getByText('--assume ngrok').count()).toBe(0)

    await expect
      .poll(() => sources('unknown_query').allInnerTexts())
      .toEqual([`documented for reject, unlike here\n\n${of('unknown_query').evidence[0].says}`])
    expect(await card('unknown_query').getByText('Sources differ').count()).toBe(0)
    await card('unknown_query').getByText('sets reject, and others').waitFor()
    await card('absent_module').getByText('No public source is known.').waitFor()

    await page.getByText('How something is known').click()
    const meanings = page.locator('.grades')
    await expect.poll(() => meanings.innerText()).toMatch(/documented[\s\S]*recorded[\s\S]*implied/)
    expect(await meanings.innerText()).not.toContain('probed')
  })

  it('shows what was probed, on which day, before what public sources say', async () => {
    const verdicts = {
      page_order: { value: 'newest_first' },
      unset_text: { value: 'empty' },
      absent_module: { none_known: { status: 422, body: {} } },
      edges: { undecided: `<img src=x onerror="window.owned = 1">\u202e${'x'.repeat(5000)}` },
    }
    const simulator = await startFor({ assume: [evidenceFile(verdicts), 'page_order=oldest_first'] })
    const page = await open(simulator.url, '#/assumptions', { width: 390 })
    const card = (name: string) => page.locator('.assumption').filter({ hasText: `${name} =` })
    const first = (name: string) =>
      card(name).getByRole('list', { name: 'What is known' }).getByRole('listitem').first().innerText()
    const day = 'on 2026-11-17'

    await expect
      .poll(() => first('page_order'))
      .toBe(`probed for newest_first, unlike here\n\napi.ngrok.com answered so ${day}.`)
    expect(await first('unset_text')).toBe(`probed for empty, as here\n\napi.ngrok.com answered so ${day}.`)
    await card('unset_text').getByText('Sources differ').waitFor()
    expect(await first('absent_module')).toBe(
      `probed\n\napi.ngrok.com answered otherwise than any value foresees ${day}, with status 422.`,
    )
    const undecided = await first('edges')
    expect(undecided).toContain(`not decided at api.ngrok.com ${day}: <img src=x onerror`)
    expect(undecided).toContain('\\u202exxx')
    expect(undecided.length).toBeLessThan(500)
    expect(await page.evaluate(() => 'owned' in window)).toBe(false)
    expect(await card('edges').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)

    await page.getByText('How something is known').click()
    await expect.poll(() => page.locator('.grades').innerText()).toMatch(/probed\s+the vendor's service answered so/)
  })
})
