import { json } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { open, skipped, startFor } from './page.ts'

it.skipIf(skipped)('The report groups operations by resource, and updates live', async () => {
  const { url, call, as } = await startFor({
    operations: ['create_api_key', 'get_api_key', 'update_api_key', 'delete_api_key', 'list_api_keys'],
  })
  const page = await open(url, '#/report')
  await page.getByText('No requests yet').waitFor()
  await call('PUT', '/_sim/scenario', {
    name: 'slow',
    rules: [{ name: 'lists', when: { operation: 'list_api_keys' }, latency: '20ms' }],
  })
  await call('GET', '/api_keys')
  const group = page.locator('.report-group', { hasText: 'API keys' })
  await expect.poll(() => group.innerText()).toMatch(/API keys\s+1 of 5 called\s+1 calls/)
  const operations = group.getByRole('group', { name: 'API keys' })
  expect(await operations.count()).toBe(0)
  await group.locator('summary').click()
  await operations.getByRole('row', { name: /list_api_keys 1 .*200 × 1/ }).waitFor()
  await as('sim_admin~other')('GET', '/api_keys')
  await operations.getByRole('row', { name: /list_api_keys 2 .*200 × 2/ }).waitFor()
  await call('GET', '/api_keys/ak_none')
  await page.getByText('2 of 5', { exact: true }).waitFor()
  await expect.poll(() => group.innerText()).toMatch(/2 of 5 called\s+3 calls\s+1 failed/)
  await page.getByRole('group', { name: 'Rules' }).getByRole('row', { name: 'lists slow 1 1' }).waitFor()
  await page
    .getByRole('group', { name: 'Errors' })
    .getByRole('row', { name: '404 API key ak_none not found. 1' })
    .waitFor()
  await page
    .getByRole('group', { name: 'Slowest requests' })
    .getByRole('row', { name: /\/api_keys .*default/ })
    .waitFor()
  await operations.getByRole('link', { name: 'list_api_keys' }).click()
  await expect.poll(() => page.getByLabel('Operation', { exact: true }).inputValue()).toBe('list_api_keys')
})

it.skipIf(skipped)('The report finds operations that were not called', async () => {
  const { url, call } = await startFor({
    operations: ['create_api_key', 'get_api_key', 'update_api_key', 'delete_api_key', 'list_api_keys'],
  })
  await call('GET', '/api_keys')
  const page = await open(url, '#/report')
  const operations = page.getByRole('region', { name: 'Operations by resource' })
  await operations.getByRole('searchbox').fill('del')
  await expect.poll(() => operations.getByRole('link').allTextContents()).toEqual(['delete_api_key'])
  await operations.getByRole('link').click()
  await expect.poll(() => page.getByRole('combobox', { name: 'Operation' }).inputValue()).toBe('delete_api_key')
})

it.skipIf(skipped)('The report can be downloaded', async () => {
  const { url, call } = await startFor()
  await call('GET', '/api_keys')
  const page = await open(url, '#/report')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('edgesim-report.json')
  expect(await json(await download.createReadStream())).toMatchObject({ requests: 1, sandboxes: 1 })
})
