import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { open, skipped, startFor } from './page.ts'

const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

// All in one file: pages have contexts of their own, but the browser has one clipboard.
describe.skipIf(skipped)('The clipboard', () => {
  it('holds all that a client needs: address, tokens, and a curl line that works', async () => {
    const simulator = await startFor()
    const page = await open(simulator.url)
    await page.getByRole('button', { name: 'Copy the address' }).click()
    await expect.poll(() => clipboard(page)).toBe(simulator.url)
    for (const token of ['sim_admin', 'sim_member', 'sim_ci']) {
      await page.getByRole('button', { name: `Copy the token ${token}` }).click()
      await expect.poll(() => clipboard(page)).toBe(token)
    }
    await page.getByRole('button', { name: 'Copy the curl line' }).click()
    const line = /Bearer (\S+)' -H '([\w-]+): (\d)' (\S+)$/
    await expect.poll(() => clipboard(page)).toMatch(line)
    const [, token, header, version, url] = line.exec(await clipboard(page))!
    const answer = await fetch(url!, { headers: { authorization: `Bearer ${token}`, [header!]: version! } })
    expect(answer.status).toBe(200)
  })

  it('holds a request as a curl line that repeats it', async () => {
    const simulator = await startFor()
    const { headers } = await simulator.call('PATCH', '/api_keys/ak_ci', { description: "it's here" })
    const page = await open(simulator.url, `#/requests/${headers.get('edgesim-operation-id')}`)
    await page.getByText(/carried out/).waitFor()
    await page.getByRole('button', { name: 'Copy as curl' }).click()
    await expect
      .poll(() => clipboard(page))
      .toBe(
        `curl -X PATCH '${simulator.url}/api_keys/ak_ci' -H 'Authorization: Bearer sim_admin' -H 'service-version: 2' -H 'content-type: application/json' -d '{"description":"it'\\''s here"}'`,
      )
  })
})
