import { join } from 'node:path'
import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { folderWith } from '../support/afterwards.ts'
import { openLine } from './line.ts'
import { detail, isFocused, live, open, pressAll, skipped, startFor, textIn } from './page.ts'

const LONG_NAME = 'a-sandbox-whose-name-is-as-long-as-it-may-be-64-characters-of-it'

/** Whether the elements overlap or leave the window. */
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

describe.skipIf(skipped)('Keyboard shortcuts', async () => {
  const simulator = await startFor()

  /** Lists requests for `ak_101`, `ak_102` …, newest first, and opens the newest. */
  async function openRequests(sandbox: string, count: number, look = {}) {
    const call = simulator.as(`sim_admin~${sandbox}`)
    for (let i = 101; i <= 100 + count; i++) await call('GET', `/api_keys/ak_${i}`)
    const page = await open(simulator.url, `#/requests?sandbox=${sandbox}`, look)
    await page.locator('.row', { hasText: `ak_${100 + count}` }).click()
    // In the table, arrow keys would move the focus.
    await detail(page).locator('.request-line').click()
    const line = (hasText: string) => detail(page).locator('.request-line', { hasText })
    return { page, shown: (i: number) => line(`ak_${i}`).waitFor() }
  }

  it('j, k and arrows open and announce the next or previous row, and Escape closes it', async () => {
    const { page, shown } = await openRequests('rows', 5)
    for (const key of ['j', 'ArrowDown', 'ArrowDown', 'k']) await page.keyboard.press(key)
    await shown(103)
    await page.keyboard.press('ArrowUp')
    await shown(104)
    await textIn(page.locator('.row.selected')).toContain('ak_104')
    await page.locator('[role="status"].hidden').getByText('/api_keys/ak_104, 2 of 5').waitFor({ state: 'attached' })
    await page.keyboard.press('Escape')
    await detail(page).waitFor({ state: 'detached' })
    expect(await page.locator('.row:not(.head)').count()).toBe(5)
  })

  it('j opens rows far down in a hidden list', async () => {
    const { page, shown } = await openRequests('hidden', 40, { width: 700, height: 600 })
    for (let i = 139; i >= 115; i--) {
      await page.keyboard.press('j')
      await shown(i)
    }
    await page.setViewportSize({ width: 1280, height: 800 })
    await textIn(page.locator('.row.selected')).toContain('ak_115')
  })

  it('g and a number open a view of the same sandbox', async () => {
    await simulator.call('PUT', '/_sim/sandboxes/going')
    const page = await open(simulator.url, '#/requests?sandbox=going')
    await live(page)
    // The view handles its own shortcuts as soon as it shows.
    expect(await pressAll(page, ['g', '2', '/'], '[placeholder="Find a resource type"]')).toBe(true)
    expect(await page.getByRole('button', { name: /^Sandbox:/ }).innerText()).toContain('going')
  })

  it('are text in a field, Escape leaves it, then closes the form, and n restores the input', async () => {
    const page = await open(simulator.url, '#/resources/vaults')
    await page.getByRole('link', { name: /^New / }).waitFor()
    await page.keyboard.press('n')
    await isFocused(page.getByLabel(/^name/))
    await page.keyboard.type('kept?/gjn')
    await page.keyboard.press('Escape')
    await isFocused(page.locator('body'))
    expect(await page.getByLabel(/^name/).inputValue()).toBe('kept?/gjn')
    expect(await pressAll(page, ['Escape', 'n'], 'aside input')).toBe(true)
    await page.getByText('✎ Unsaved changes').waitFor()
    await page.keyboard.press('End')
    await page.keyboard.type(' typed')
    expect(await page.getByLabel(/^name/).inputValue()).toBe('kept?/gjn typed')
  })

  it('are listed by ? and a button, and are disabled in that dialog', async () => {
    const page = await open(simulator.url, '#/requests')
    await live(page)
    // The dialog receives the next keys.
    expect(await pressAll(page, ['?', 'g', '1'], 'dialog *, dialog')).toBe(true)
    const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await textIn(keys).toMatch(/j or ↓[\s\S]*Go to Report/)
    await page.keyboard.press('Escape')
    await keys.waitFor({ state: 'detached' })
    await page.locator('#main.view-requests').waitFor()
    await page.getByRole('button', { name: 'Keyboard shortcuts', exact: true }).click()
    await keys.waitFor()
  })
})

describe.skipIf(skipped)('Messages', async () => {
  const simulator = await startFor()

  /** Opens the Time view, where every button shows a message. Browser time moves only with `pass`. */
  async function openTime(sandbox: string) {
    await simulator.call('PUT', `/_sim/sandboxes/${sandbox}`)
    const prepare = (page: Page) => page.clock.install()
    const page = await open(simulator.url, `#/time?sandbox=${sandbox}`, { width: 390, height: 700, prepare })
    await live(page)
    const freeze = page.getByRole('button', { name: 'Freeze', exact: true })
    await freeze.waitFor()
    await page.clock.pauseAt(Date.now() + 3_600_000)
    const notices = page.locator('.notices')
    const pass = (ms: number) => page.clock.runFor(ms)
    return {
      page,
      notices,
      pass,
      freeze,
      shown: (text: RegExp) =>
        expect
          .poll(async () => {
            await pass(20)
            return notices.innerText()
          })
          .toMatch(text),
    }
  }

  it('overlap nothing, and remain under the pointer', async () => {
    const { page, notices, pass, freeze, shown } = await openTime('pointed')
    await freeze.click()
    await shown(/./)
    await notices.hover()
    const first = await notices.getByRole('status').innerText()
    expect(await overlapOf(page, ['.notices', '#main', '.nav', '.header'])).toEqual({ outside: 0, shared: false })
    await pass(20_000)
    expect(await notices.getByRole('status').innerText()).toBe(first)
    await page.mouse.move(5, 5)
    await pass(7_000)
    expect(await notices.innerText()).toBe('')
  })

  it('show one at a time, remain while focused, and then show errors until dismissed', async () => {
    const { page, notices, pass, shown } = await openTime('listed')
    const hour = page.getByRole('button', { name: '+ 1 hour' })
    await page.route('**/clock', route => route.fulfill({ status: 500, body: '{"msg":"The clock is broken."}' }))
    await hour.click()
    await shown(/The clock is broken\./)
    await page.unroute('**/clock')
    await hour.click()
    await shown(/Clock advanced by 1 hour\.\s+1 more/)
    await notices.getByRole('button', { name: 'Dismiss' }).focus()
    await pass(14_000)
    await notices.getByText('1 more').waitFor()
    await page.getByRole('heading', { level: 1 }).click()
    await pass(7_000)
    expect(await notices.innerText()).toBe('The clock is broken.')
    await pass(60_000)
    await notices.getByRole('alert').getByText('The clock is broken.').waitFor()
    await notices.getByRole('button', { name: 'Dismiss' }).click()
    await textIn(notices).toBe('')
  })
})

describe.skipIf(skipped)('Names of maximum length', async () => {
  const simulator = await startFor()
  const name = 'a scenario with a name that is longer than most'

  /** Texts that are clipped or outside the window. */
  const cutIn = (page: Page) =>
    page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('.nav a, .header *, .button, [role="columnheader"]')]
        .filter(element => element.offsetParent && !element.closest('.rows, .hidden, .tabs'))
        .filter(element => {
          const { right, left } = element.getBoundingClientRect()
          const clipped = element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 1
          return right > innerWidth || left < 0 || (clipped && getComputedStyle(element).display !== 'inline')
        })
        .map(element => element.innerText),
    )

  async function openWith(width: number) {
    const path = `/_sim/sandboxes/${LONG_NAME}`
    await simulator.call('PUT', path)
    await simulator.call('PUT', `${path}/scenario`, { name, rules: [{ latency: '1ms' }] })
    await simulator.call('PUT', `${path}/clock`, { frozen: true })
    const page = await open(simulator.url, `#/overview?sandbox=${LONG_NAME}`, { width })
    await page.locator('.header .chip', { hasText: 'Frozen' }).waitFor()
    await page.locator('.header .chip', { hasText: name }).waitFor()
    return page
  }

  it('fit into every view at 900 and 390 px', async () => {
    const [wide, narrow] = await Promise.all([openWith(900), openWith(390)])
    for (const view of ['overview', 'resources', 'requests', 'console', 'scenario', 'edges', 'time', 'report']) {
      for (const page of [wide, narrow]) {
        await page.evaluate(hash => location.assign(hash), `#/${view}?sandbox=${LONG_NAME}`)
        await page.locator(`#main.view-${view}`).waitFor()
      }
      await expect.poll(() => cutIn(wide), { message: view }).toEqual([])
      const tops = ['h1', '.chip:first-child', '.chip:nth-child(2)', '.live', '.picker'].map(async part => {
        const box = (await narrow.locator(`.header ${part}`).boundingBox())!
        expect(box.x + box.width, `${view} ${part}`).toBeLessThanOrEqual(390)
        return box.y + box.height / 2
      })
      // On one line.
      const [first, ...others] = await Promise.all(tops)
      for (const each of others) expect(Math.abs(each - first!), view).toBeLessThan(5)
      expect(await narrow.evaluate(() => document.documentElement.scrollWidth), view).toBeLessThanOrEqual(390)
      expect(await overlapOf(narrow, ['#main', '.header']), view).toEqual({ outside: 0, shared: false })
    }
    const menu = narrow.getByRole('navigation', { name: 'Views' })
    await narrow.getByRole('button', { name: 'Menu' }).click()
    await menu.getByRole('link', { name: 'Edges' }).click()
    await narrow.locator('#main.view-edges').waitFor()
    expect(await menu.isVisible()).toBe(false)
    await narrow.getByRole('button', { name: 'Menu' }).click()
    const docs = menu.getByRole('link', { name: 'Docs in a new tab' })
    expect(await docs.getAttribute('href')).toBe(`${simulator.url}/_sim/docs/`)
    await narrow.goBack()
    await narrow.locator('#main.view-report').waitFor()
    await expect.poll(() => menu.isVisible()).toBe(false)
  })
})

describe.skipIf(skipped)('A stopped simulator', () => {
  async function restartable(options: Parameters<typeof startFor>[0] = {}) {
    const first = await startFor(options)
    const line = await openLine(first.port)
    return {
      url: line.url,
      call: first.call,
      async stop() {
        line.cut()
        await first.close()
      },
      restart: async () => line.mend((await startFor(options)).port),
    }
  }
  /** Live, and with the facts that show a restart. */
  const ready = (page: Page) => Promise.all([live(page), page.locator('.nav-foot').getByText(/^v\d/).waitFor()])
  const silent = (page: Page) => page.getByRole('alert').getByText(/No response from edgesim since \d\d:\d\d:\d\d UTC/)
  const row = (page: Page, text: string) => page.locator('.row', { hasText: text })

  it('is shown as disconnected with its old data, and reloaded after a restart', async () => {
    const simulator = await restartable({ seed: 'same word at every start' })
    await simulator.call('POST', '/ip_policies', { description: 'before' })
    const page = await open(simulator.url, '#/resources/ip_policies')
    await ready(page)
    await row(page, 'before').waitFor()
    await simulator.stop()
    await silent(page).waitFor()
    await page.locator('.live').getByText('No response').waitFor()
    await expect.poll(() => page.title()).toBe('No response · Resources · edgesim')
    await page.locator('#main.old .row', { hasText: 'before' }).waitFor()
    await simulator.restart()
    await page.getByText(/edgesim restarted at .* UTC\. State and request log were reset/).waitFor()
    await row(page, 'before').waitFor({ state: 'detached' })
    await row(page, 'ipp_office').waitFor()
    await live(page)
    await expect.poll(() => page.title()).toBe('Resources · edgesim')
    await expect.poll(async () => (await silent(page).count()) + (await page.locator('#main.old').count())).toBe(0)
    await page.locator('.banner').getByRole('button', { name: 'Dismiss' }).click()
    await page.getByText(/edgesim restarted/).waitFor({ state: 'detached' })
  })

  it('restores only the default sandbox from a file', async () => {
    const simulator = await restartable({ db: join(folderWith(), 'db.json') })
    await simulator.call('POST', '/ip_policies', { description: 'before' })
    await simulator.call('PUT', '/_sim/sandboxes/other')
    const page = await open(simulator.url, '#/resources/ip_policies')
    const other = await open(simulator.url, '#/overview?sandbox=other')
    await Promise.all([ready(page), ready(other)])
    await simulator.stop()
    await silent(page).waitFor()
    await simulator.restart()
    await page.getByText(/edgesim restarted at .* UTC\. Its state was preserved/).waitFor()
    await row(page, 'before').waitFor()
    await other.getByText('Sandbox "other" not found').waitFor()
    await other.getByText(/restarted at \d\d:\d\d:\d\d UTC\. Only the default sandbox survives a restart/).waitFor()
  })
})
