import { join } from 'node:path'
import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { folderWith } from '../support/afterwards.ts'
import { live, open, skipped, startFor } from './page.ts'

const LONG_NAME = 'a-sandbox-whose-name-is-as-long-as-it-may-be-64-characters-of-it'
const detailOf = (page: Page) => page.getByRole('complementary')
const active = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('placeholder'))

/** Whether each of these takes room of its own, within the window. */
const overlapOf = (page: Page, selectors: string[]) =>
  page.evaluate(all => {
    const boxes = all.map(each => document.querySelector(each)!.getBoundingClientRect())
    const outside = boxes.filter(({ left, right, bottom }) => left < 0 || right > innerWidth || bottom > innerHeight)
    const shared = boxes.some((a, i) =>
      boxes
        .slice(i + 1)
        .some(b => a.top < b.bottom - 1 && b.top < a.bottom - 1 && a.left < b.right - 1 && b.left < a.right - 1),
    )
    return { outside: outside.length, shared }
  }, selectors)

describe.skipIf(skipped)('Every day', async () => {
  const simulator = await startFor()

  it('has keys for searching, moving, closing and going, and lists them', async () => {
    const call = simulator.as('sim_admin~keys')
    for (let i = 1; i <= 60; i++) await call('GET', `/api_keys?limit=${i}`)
    const page = await open(simulator.url, '#/requests?sandbox=keys')
    await page.locator('.row', { hasText: 'limit=60' }).waitFor()
    await page.keyboard.press('/')
    expect(await active(page)).toMatch(/Path/)
    // Typed, not obeyed.
    await page.keyboard.type('limit=?/gj')
    await page.waitForURL(/text=limit/)
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('limit')
    await page.keyboard.press('Escape')
    expect(await active(page)).toBeNull()

    await page.locator('.row', { hasText: 'limit=60' }).click()
    // With the focus in the table, its own arrow keys move the focus.
    await detailOf(page).locator('.request-line').click()
    const at = () => page.locator('.row.selected').innerText()
    for (const key of ['j', 'ArrowDown', 'ArrowDown', 'k']) await page.keyboard.press(key)
    await expect.poll(at).toContain('limit=58')
    await page.keyboard.press('ArrowUp')
    await expect.poll(at).toContain('limit=59')
    await expect
      .poll(() => page.locator('[role="status"].hidden').allInnerTexts())
      .toContain('/api_keys?limit=59, 2 of 60')
    await page.keyboard.press('Escape')
    await page.waitForURL(/#\/requests\?[^/]*text=limit/)
    await detailOf(page).waitFor({ state: 'detached' })

    // In a narrow window the list is hidden behind the detail; rows far down in it can be opened all the same.
    await page.setViewportSize({ width: 700, height: 600 })
    await page.locator('.row', { hasText: 'limit=60' }).click()
    await detailOf(page).waitFor()
    const opened: string[] = []
    for (let i = 0; i < 25; i++) {
      const before = page.url()
      await page.keyboard.press('j')
      await expect.poll(() => page.url()).not.toBe(before)
      opened.push(page.url())
    }
    expect(new Set(opened).size).toBe(25)
    await page.setViewportSize({ width: 1280, height: 800 })
    await expect.poll(at).toContain('limit=35')

    // Again if the second key came too late.
    const goThere = async () => {
      await page.keyboard.press('g')
      await page.keyboard.press('2')
      return page.url()
    }
    await expect.poll(goThere).toMatch(/#\/resources\?sandbox=keys/)
    await page.getByRole('link', { name: /^New / }).waitFor()
    await page.keyboard.press('/')
    await expect.poll(() => active(page)).toBe('Find a kind')
    await page.keyboard.press('Escape')
    await page.keyboard.press('n')
    await page.waitForURL(/\/new\?/)
    // The first field has the focus. Escape leaves it, then closes the detail, and what was typed is kept.
    await expect.poll(() => page.evaluate(() => document.activeElement?.closest('aside') !== null)).toBe(true)
    await page.keyboard.type('kept')
    await page.keyboard.press('Escape')
    expect(page.url()).toContain('/new')
    await page.keyboard.press('Escape')
    await expect.poll(() => page.url()).not.toContain('/new')
    await page.keyboard.press('n')
    await page.getByText('✎ Unsaved changes').waitFor()
    const typed = () => page.evaluate(() => (document.activeElement as HTMLInputElement).value)
    await expect.poll(typed).toBe('kept')
    await page.keyboard.press('Escape')

    await page.keyboard.press('?')
    const keys = page.getByRole('dialog', { name: 'Keys' })
    await expect.poll(() => keys.innerText()).toMatch(/j or ↓[\s\S]*Go to Report/)
    await page.keyboard.press('g')
    await page.keyboard.press('1')
    await page.keyboard.press('Escape')
    await keys.waitFor({ state: 'detached' })
    expect(page.url()).toContain('/new')
    await page.getByRole('button', { name: 'Keys', exact: true }).click()
    await keys.waitFor()
  })

  it('shows messages one at a time, in a place of their own', async () => {
    await simulator.call('PUT', '/_sim/sandboxes/messages')
    const prepare = (page: Page) => page.clock.install()
    const page = await open(simulator.url, '#/time?sandbox=messages', { width: 390, height: 700, prepare })
    await live(page)
    const notices = page.locator('.notices')
    const freeze = page.getByRole('button', { name: 'Freeze', exact: true })
    const hour = page.getByRole('button', { name: '+ 1 hour' })
    await freeze.click()
    await notices.getByRole('status').getByText(/./).waitFor()
    // While it is pointed at it stays; then it goes.
    await notices.hover()
    const first = await notices.getByRole('status').innerText()
    expect(await overlapOf(page, ['.notices', '#main', '.nav', '.header'])).toEqual({ outside: 0, shared: false })
    await page.clock.runFor(20_000)
    expect(await notices.getByRole('status').innerText()).toBe(first)
    await page.mouse.move(5, 5)
    await page.clock.runFor(7_000)
    await expect.poll(() => notices.innerText()).toBe('')

    // An error stays.
    await page.route('**/clock', route => route.fulfill({ status: 500, body: '{"msg":"The clock is broken."}' }))
    await hour.click()
    const alert = notices.getByRole('alert')
    await alert.getByText('The clock is broken.').waitFor()
    await page.clock.runFor(60_000)
    await page.unroute('**/clock')
    await hour.click()
    await notices.getByRole('status').getByText(/./).waitFor()
    await notices.getByRole('button', { name: 'and 1 more' }).click()
    const list = page.getByRole('dialog', { name: 'Messages' })
    await expect.poll(() => list.getByRole('listitem').count()).toBe(3)
    await list.getByText('The clock is broken.').waitFor()
    await list.getByRole('button', { name: 'Close' }).click()
    // The focus is back on the button: that is reading too.
    await page.clock.runFor(14_000)
    await notices.getByRole('button', { name: 'and 1 more' }).waitFor()
    await page.getByRole('heading', { level: 1 }).click()
    await page.clock.runFor(7_000)
    await alert.getByText('The clock is broken.').waitFor()
    await notices.getByRole('button', { name: 'Dismiss' }).click()
    await expect.poll(() => notices.innerText()).toBe('')
  })

  it('fits at any width, with names as long as they may be', async () => {
    await simulator.call('PUT', `/_sim/sandboxes/${LONG_NAME}`)
    const path = `/_sim/sandboxes/${LONG_NAME}`
    const name = 'a scenario with a name that is longer than most'
    await simulator.call('PUT', `${path}/scenario`, { name, rules: [{ latency: '1ms' }] })
    await simulator.call('PUT', `${path}/clock`, { frozen: true })
    const page = await open(simulator.url, `#/overview?sandbox=${LONG_NAME}`)
    await page.locator('.header .chip', { hasText: 'Frozen' }).waitFor()
    const cut = () =>
      page.evaluate(() => {
        const found = [...document.querySelectorAll<HTMLElement>('.nav a, .header *, .button, [role="columnheader"]')]
        return found
          .filter(element => element.offsetParent && !element.closest('.rows, .hidden, .tabs'))
          .filter(element => {
            const { right, left } = element.getBoundingClientRect()
            const clipped = element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 1
            return right > innerWidth || left < 0 || (clipped && getComputedStyle(element).display !== 'inline')
          })
          .map(element => element.innerText)
      })
    for (const view of ['overview', 'resources', 'requests', 'console', 'scenario', 'edges', 'time', 'report']) {
      await page.setViewportSize({ width: 900, height: 800 })
      await page.evaluate(hash => location.assign(hash), `#/${view}?sandbox=${LONG_NAME}`)
      await page.locator(`#main.view-${view}`).waitFor()
      await expect.poll(cut, { message: view }).toEqual([])
      await page.setViewportSize({ width: 390, height: 800 })
      for (const text of ['Frozen', name]) {
        const box = await page.locator('.header .chip', { hasText: text }).boundingBox()
        expect(box!.x + box!.width).toBeLessThanOrEqual(390)
        expect(box!.height).toBeGreaterThan(18)
      }
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
      expect(await overlapOf(page, ['#main', '.nav', '.header'])).toEqual({ outside: 0, shared: false })
    }
  })
})

/** A simulator that is closed and started again at the same address. */
async function restartable(options: Parameters<typeof startFor>[0] = {}) {
  const first = await startFor(options)
  return { ...first, restart: () => startFor({ ...options, port: first.port }) }
}

describe.skipIf(skipped)('A simulator that stops', () => {
  it('is shown as silent, and after a restart everything is loaded again', async () => {
    const first = await restartable({ seed: 'same word at every start' })
    await first.call('POST', '/ip_policies', { description: 'before' })
    const page = await open(first.url, '#/resources/ip_policies')
    await live(page)
    await page.locator('.row', { hasText: 'before' }).waitFor()
    await first.close()
    const silent = page.getByRole('alert').getByText(/edgesim has not answered since \d\d:\d\d:\d\d UTC/)
    await silent.waitFor()
    await page.locator('.live').getByText('No answer').waitFor()
    await expect.poll(() => page.title()).toBe('No answer · Resources · edgesim')
    // What was there is still there, and marked.
    await page.locator('#main.old .row', { hasText: 'before' }).waitFor()

    await first.restart()
    await live(page)
    await page.getByText(/edgesim was restarted at .* UTC: the state and the journal are new since then/).waitFor()
    await page.locator('.row', { hasText: 'before' }).waitFor({ state: 'detached' })
    await page.getByText('ipp_office').first().waitFor()
    await expect.poll(() => page.title()).toBe('Resources · edgesim')
    expect((await silent.count()) + (await page.locator('#main.old').count())).toBe(0)
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await page.getByText(/edgesim was restarted/).waitFor({ state: 'detached' })
  })

  it('says that its state was kept, and that other sandboxes were not', async () => {
    const db = join(folderWith(), 'db.json')
    const first = await restartable({ db })
    await first.call('POST', '/ip_policies', { description: 'before' })
    await first.call('PUT', '/_sim/sandboxes/other')
    const page = await open(first.url, '#/resources/ip_policies')
    const other = await open(first.url, '#/overview?sandbox=other', { width: 900 })
    await Promise.all([live(page), live(other)])
    await first.close()
    await page.getByText(/edgesim has not answered/).waitFor()
    await first.restart()
    await page.getByText(/edgesim was restarted at .* UTC; its state was kept/).waitFor()
    await page.locator('.row', { hasText: 'before' }).waitFor()
    await other.getByText('There is no sandbox "other"').waitFor()
    await other.getByText(/restarted at \d\d:\d\d:\d\d UTC: a restart keeps only the default sandbox/).waitFor()
  })
})
