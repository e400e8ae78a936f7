import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { operationOf } from '../support/http.ts'
import { open, skipped, startFor } from './page.ts'

/** All workers share the browser clipboard, so each page stores what it copies. */
const prepare = (page: Page) =>
  page.addInitScript(() => {
    navigator.clipboard.writeText = async text => {
      ;(window as { copied?: string }).copied = text
    }
  })

const copied = (page: Page) => page.evaluate(() => (window as { copied?: string }).copied)
const copy = (page: Page, what: string) => page.getByRole('button', { name: `Copy ${what}` }).click()

describe.skipIf(skipped)('A button copies', async () => {
  const simulator = await startFor()

  it('the base URL, tokens and a working curl command for a client', async () => {
    const page = await open(simulator.url, '', { prepare })
    await copy(page, 'base URL')
    await expect.poll(() => copied(page)).toBe(simulator.url)
    for (const token of ['sim_admin', 'sim_member', 'sim_ci']) {
      await copy(page, `token ${token}`)
      await expect.poll(() => copied(page)).toBe(token)
    }
    await copy(page, 'curl command')
    const line = /Bearer (\S+)' -H '([\w-]+): (\d)' (\S+)$/
    await expect.poll(() => copied(page)).toMatch(line)
    const [, token, header, version, url] = line.exec((await copied(page))!)!
    const response = await fetch(url!, { headers: { authorization: `Bearer ${token}`, [header!]: version! } })
    expect(response.status).toBe(200)
  })

  it('a logged request as a curl command, with a placeholder for a rejected token', async () => {
    const changed = await simulator.call('PATCH', '/api_keys/ak_ci', { description: "it's here" })
    const page = await open(simulator.url, `#/requests/${operationOf(changed)}`, { prepare })
    await copy(page, 'as curl')
    const curl = `curl -X PATCH '${simulator.url}/api_keys/ak_ci' -H 'Authorization: Bearer sim_admin' -H 'service-version: 2' -H 'content-type: application/json' --data-raw '{"description":"it'\\''s here"}'`
    await expect.poll(() => copied(page)).toBe(curl)
    const rejected = await simulator.as('sim_nobody')('GET', '/api_keys')
    await page.goto(`${simulator.url}/_sim/#/requests/${operationOf(rejected)}`)
    await page.getByText('Fill in a token. The original was rejected').waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Send again' }).isDisabled()).toBe(true)
    await copy(page, 'as curl')
    await expect.poll(() => copied(page)).toContain('Bearer <token>')
  })

  it('the console request as a curl command', async () => {
    await simulator.as('sim_admin~other')('GET', '/api_keys')
    const hash = '#/console?method=PUT&path=/a?b=1%26b=2&body=%7B&sandbox=other'
    const page = await open(simulator.url, hash, { prepare })
    await expect.poll(() => page.getByLabel('Path and query').inputValue()).toBe('/a?b=1&b=2')
    await page.getByLabel('Send Service-Version').uncheck()
    const token = page.getByRole('option', { name: /^sim_admin~other/ })
    await expect.poll(() => token.count()).toBe(1)
    await copy(page, 'as curl')
    const curl = `curl -X PUT '${simulator.url}/a?b=1&b=2' -H 'Authorization: Bearer sim_admin~other' -H 'content-type: application/json' --data-raw '{'`
    await expect.poll(() => copied(page)).toBe(curl)
  })

  it('the CLI option of an assumption', async () => {
    const page = await open(simulator.url, '#/assumptions', { prepare })
    const order = page.locator('.assumption', { has: page.locator('code:text-is("page_order")') })
    await order.getByRole('button', { expanded: false }).click()
    await copy(page, 'option for oldest_first')
    await expect.poll(() => copied(page)).toBe('--assume page_order=oldest_first')
  })
})
