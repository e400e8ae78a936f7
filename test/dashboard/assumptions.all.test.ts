import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { evidenceFile } from '../support/evidence.ts'
import { open, openNew, skipped, startFor, textIn, textsIn } from './page.ts'

const rows = (page: Page) => page.locator('.assumption')
const row = (page: Page, name: string) => rows(page).filter({ has: page.locator(`code:text-is("${name}")`) })
const switchOf = (page: Page, name: string) => page.getByLabel(`${name}: `)
const sourcesOf = (page: Page, name: string) =>
  row(page, name).getByRole('list', { name: 'Evidence' }).getByRole('listitem')

const unfold = (page: Page, name: string) => row(page, name).getByRole('button', { expanded: false }).click()

describe.skipIf(skipped)('Assumptions', async () => {
  const simulator = await startFor({ assume: { page_order: 'oldest_first' } })
  const { assumptions } = (await simulator.call('GET', '/_sim/assumptions')).body
  const of = (name: string) => assumptions.find((each: { name: string }) => each.name === name)
  const valueIn = async (sandbox: string, name: string) => {
    const { body } = await simulator.call('GET', `/_sim/sandboxes/${sandbox}/assumptions`)
    return body.assumptions.find((each: { name: string }) => each.name === name).value
  }

  it('can be changed and reset in a sandbox, and show what changed them', async () => {
    const rules = [{ latency: '1ms' }]
    const scenario = { name: 'lax', assume: { missing_version: 'accept' }, rules }
    await simulator.call('PUT', '/_sim/sandboxes/switched', { scenario })
    const page = await open(simulator.url, '#/assumptions?sandbox=switched')
    await expect.poll(() => rows(page).count()).toBe(assumptions.length)
    await row(page, 'missing_version').getByText('◆ changed by the scenario').waitFor()
    await row(page, 'page_order').getByText('◆ changed by an option').waitFor()

    await switchOf(page, 'unknown_query').selectOption('reject')
    await row(page, 'unknown_query').getByText('◆ changed manually').waitFor()
    const ask = (path: string) => simulator.call('GET', path, undefined, { token: 'sim_admin~switched' })
    expect((await ask('/api_keys?colour=blue')).status).toBe(400)
    expect(await valueIn('default', 'unknown_query')).toBe('ignore')
    await switchOf(page, 'missing_version').selectOption('reject')
    await switchOf(page, 'page_order').selectOption('newest_first')
    await row(page, 'page_order').getByText('◆ changed manually').waitFor()
    await page.getByLabel('Changed (3)').waitFor()

    await page.getByRole('button', { name: 'Undo missing_version (accept)' }).click()
    await row(page, 'missing_version').getByText('◆ changed by the scenario').waitFor()
    expect(await valueIn('switched', 'missing_version')).toBe('accept')
    await page.getByRole('button', { name: 'Reset all (2)' }).click()
    await row(page, 'page_order').getByText('◆ changed by an option').waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Reset all (0)' }).isDisabled()).toBe(true)
    expect(await valueIn('switched', 'page_order')).toBe('oldest_first')
    expect((await ask('/api_keys?colour=blue')).status).toBe(200)
  })

  it('can be searched and filtered, including after a reload', async () => {
    const page = await open(simulator.url, '#/assumptions')
    await page.getByLabel('Search assumptions').fill('kubernetes DELETES modules')
    await textsIn(rows(page)).toEqual([expect.stringContaining('delete_absent_module')])
    await page.getByLabel('Search assumptions').fill('oldest_first')
    await page.getByLabel('Changed (1)').check()
    await textsIn(rows(page)).toEqual([expect.stringContaining('page_order')])
    await page.reload()
    await textsIn(rows(page)).toEqual([expect.stringContaining('page_order')])
    await page.getByLabel('Sources differ').check()
    await page.getByRole('button', { name: `Show all ${assumptions.length}` }).click()
    await page.getByLabel('Sources differ').check()
    const differing = assumptions.filter((each: { sources_differ: boolean }) => each.sources_differ)
    await expect.poll(() => rows(page).count()).toBe(differing.length)
    await page.getByLabel('Sources differ').uncheck()
    await page.getByLabel('Configurable').check()
    const switchable = assumptions.filter((each: { alternatives: string[] }) => each.alternatives.length > 0)
    await expect.poll(() => rows(page).count()).toBe(switchable.length)
  })

  it('link to the section of the docs', async () => {
    const page = await open(simulator.url, '#/assumptions')
    const opened = page.waitForEvent('popup')
    await unfold(page, 'delete_absent_module')
    await row(page, 'delete_absent_module').getByRole('link', { name: 'docs/api.md 4.3 in a new tab' }).click()
    const document = await opened
    const section = document.locator('tr', { has: document.locator('[id="section-4.3"]') })
    await section.getByRole('link', { name: 'IP restriction module' }).waitFor()
    expect(document.url()).toBe(`${simulator.url}/_sim/docs/api.md#section-4.3`)
    await expect.poll(() => section.evaluate(each => Math.round(each.getBoundingClientRect().top))).toBeLessThan(120)
    expect(await document.evaluate(() => getComputedStyle(window.document.body).fontSize)).toBe('15px')
    await document.close()
  })

  it('show evidence grades, differing sources and the effect of --assume ngrok', async () => {
    const page = await open(simulator.url, '#/assumptions')
    for (const name of ['unset_text', 'unknown_query', 'absent_module']) await unfold(page, name)
    const [recorded, implied] = of('unset_text').evidence
    await textsIn(sourcesOf(page, 'unset_text')).toEqual([
      `recorded for omit, same\n\n${recorded.says}`,
      `implied for empty, differs\n\n${implied.says}`,
    ])
    await row(page, 'unset_text').getByText('sources differ').waitFor()
    await expect.poll(() => row(page, 'unset_text').getByText('--assume ngrok').count()).toBe(0)
    await textsIn(sourcesOf(page, 'unknown_query')).toEqual([
      `documented for reject, differs\n\n${of('unknown_query').evidence[0].says}`,
    ])
    expect(await row(page, 'unknown_query').getByText('sources differ').count()).toBe(0)
    await row(page, 'unknown_query').getByText('sets reject, and other assumptions').waitFor()
    await row(page, 'absent_module').getByText('No public source.').waitFor()

    await page.getByText('Evidence grades').click()
    const meanings = page.locator('.grades')
    await textIn(meanings).toMatch(/documented[\s\S]*recorded[\s\S]*implied/)
    expect(await meanings.innerText()).not.toContain('probed')
  })

  it('show dated probe results before public sources', async () => {
    const verdicts = {
      page_order: { value: 'newest_first' },
      unset_text: { value: 'empty' },
      absent_module: { none_known: { status: 422, body: {} } },
      edges: { undecided: `<img src=x onerror="window.owned = 1">\u202e${'x'.repeat(5000)}` },
    }
    const assume = [evidenceFile(verdicts), 'page_order=oldest_first']
    const { page } = await openNew('#/assumptions', { assume }, { width: 390 })
    for (const name of Object.keys(verdicts)) await unfold(page, name)
    const first = (name: string) => sourcesOf(page, name).first().innerText()
    const day = 'on 2026-11-17'

    await expect
      .poll(() => first('page_order'))
      .toBe(`probed for newest_first, differs\n\napi.ngrok.com returned it ${day}.`)
    expect(await first('unset_text')).toBe(`probed for empty, same\n\napi.ngrok.com returned it ${day}.`)
    await row(page, 'unset_text').getByText('sources differ').waitFor()
    await row(page, 'unset_text').getByText('◆ changed by an option').waitFor()
    expect(await first('absent_module')).toBe(
      `probed\n\napi.ngrok.com returned a response that matches no value ${day}, with status 422.`,
    )
    const undecided = await first('edges')
    expect(undecided).toContain(`The probe of api.ngrok.com ${day} was undecided: <img src=x onerror`)
    expect(undecided).toContain('\\u202exxx')
    expect(undecided.length).toBeLessThan(500)
    expect(await page.evaluate(() => 'owned' in window)).toBe(false)
    expect(await row(page, 'edges').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)

    await page.getByText('Evidence grades').click()
    await textIn(page.locator('.grades')).toMatch(/probed\s+the vendor's real API returned it/)
  })
})
