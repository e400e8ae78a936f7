import { expect, it } from 'vitest'
import { downloadFrom, open, openNew, skipped, startFor, textIn } from './page.ts'

it.skipIf(skipped)(
  'The report groups operations by resource, updates live, and finds operations that were not called',
  async () => {
    const operations = ['create_api_key', 'get_api_key', 'update_api_key', 'delete_api_key', 'list_api_keys']
    const { page, call, as } = await openNew('#/report', { operations })
    await page.getByText('No requests yet').waitFor()
    await call('PUT', '/_sim/scenario', {
      name: 'slow',
      rules: [{ name: 'lists', when: { operation: 'list_api_keys' }, latency: '20ms' }],
    })
    await call('GET', '/api_keys')
    const group = page.locator('.report-group', { hasText: 'API keys' })
    await textIn(group).toMatch(/API keys\s+1 of 5 called\s+1 calls/)
    const rows = group.getByRole('group', { name: 'API keys' })
    expect(await rows.count()).toBe(0)
    await group.locator('summary').click()
    await rows.getByRole('row', { name: /list_api_keys 1 .*200 × 1/ }).waitFor()
    await as('sim_admin~other')('GET', '/api_keys')
    await rows.getByRole('row', { name: /list_api_keys 2 .*200 × 2/ }).waitFor()
    await call('GET', '/api_keys/ak_none')
    await page.getByText('2 of 5', { exact: true }).waitFor()
    await textIn(group).toMatch(/2 of 5 called\s+3 calls\s+1 failed/)
    const listed = (group: string, name: string | RegExp) =>
      page.getByRole('group', { name: group }).getByRole('row', { name })
    await listed('Rules', 'lists slow 1 1').waitFor()
    await listed('Errors', '404 API key ak_none not found. 1').waitFor()
    await listed('Slowest requests', /\/api_keys .*default/).waitFor()
    await rows.getByRole('link', { name: 'list_api_keys' }).click()
    await expect.poll(() => page.getByLabel('Operation', { exact: true }).inputValue()).toBe('list_api_keys')
    await page.goBack()
    const all = page.getByRole('region', { name: 'Operations by resource' })
    await all.getByRole('searchbox').fill('del')
    await expect.poll(() => all.getByRole('link').allTextContents()).toEqual(['delete_api_key'])
    await all.getByRole('link').click()
    await expect.poll(() => page.getByRole('combobox', { name: 'Operation' }).inputValue()).toBe('delete_api_key')
  },
)

it.skipIf(skipped)('The report can be downloaded', async () => {
  const { url, call } = await startFor()
  await call('GET', '/api_keys')
  const page = await open(url, '#/report')
  const { name, content } = await downloadFrom(page, 'Download')
  expect(name).toBe('edgesim-report.json')
  expect(content).toMatchObject({ requests: 1, sandboxes: 1 })
})
