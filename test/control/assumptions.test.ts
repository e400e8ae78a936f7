import { expect, it } from 'vitest'
import { expectError } from '../support/http.ts'
import { simulate } from '../support/in-process.ts'

const { call, as } = await simulate({ assume: { unknown_query: 'reject' } })

const valueIn = async (sandbox: string, name: string) => {
  const { assumptions } = (await call('GET', `/_sim/sandboxes/${sandbox}/assumptions`)).body
  return assumptions.find((each: { name: string }) => each.name === name).value
}
const patch = (sandbox: string, changes: unknown) => call('PATCH', `/_sim/sandboxes/${sandbox}/assumptions`, changes)

it('PATCH /_sim/assumptions changes assumptions in one sandbox, until null reverts them', async () => {
  await call('PUT', '/_sim/sandboxes/one')
  await call('PUT', '/_sim/sandboxes/two')
  const keys = async () => (await as('sim_admin~one')('GET', '/api_keys')).body.keys.map(({ id }: { id: string }) => id)
  const usual = await keys()
  const { status, body } = await patch('one', { page_order: 'oldest_first', unknown_query: 'ignore' })
  expect(status).toBe(200)
  expect(body.assumptions.find(({ name }: { name: string }) => name === 'page_order').value).toBe('oldest_first')
  expect(await keys()).toEqual(usual.toReversed())
  expect((await as('sim_admin~one')('GET', '/api_keys?x=1')).status).toBe(200)
  expect(await valueIn('two', 'page_order')).toBe('newest_first')
  await patch('one', { page_order: null, unknown_query: null })
  expect(await keys()).toEqual(usual)
  // The value of the option, not the default.
  expect(await valueIn('one', 'unknown_query')).toBe('reject')
})

it('A reset or a scenario reverts changed assumptions, and null restores the values of the scenario', async () => {
  await call('PUT', '/_sim/sandboxes/three')
  await patch('three', { page_order: 'oldest_first' })
  await call('POST', '/_sim/sandboxes/three/reset')
  expect(await valueIn('three', 'page_order')).toBe('newest_first')
  await patch('three', { unset_text: 'empty' })
  await call('PUT', '/_sim/sandboxes/three/scenario', { assume: { page_order: 'oldest_first' }, rules: [] })
  expect(await valueIn('three', 'unset_text')).toBe('omit')
  await patch('three', { page_order: 'newest_first' })
  expect(await valueIn('three', 'page_order')).toBe('newest_first')
  await patch('three', { page_order: null })
  expect(await valueIn('three', 'page_order')).toBe('oldest_first')
})

it.each([
  [{ pageorder: 'oldest_first' }, /Unknown assumption "pageorder"\. Did you mean page_order\?/],
  [{ page_order: 'random' }, /"page_order" must be newest_first or oldest_first, or null, got "random"/],
  [{ page_order: 1 }, /page_order/],
])('PATCH /_sim/assumptions rejects %j, and changes nothing', async (changes, says) => {
  await call('PUT', '/_sim/sandboxes/four')
  expect(expectError(await patch('four', { unset_text: 'empty', ...changes }), 400, 400).msg).toMatch(says)
  expect(await valueIn('four', 'unset_text')).toBe('omit')
})
