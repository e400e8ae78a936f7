import { describe, expect, it } from 'vitest'
import { plainField as field } from '../../src/dashboard/parts/form-values.ts'
import type { Kind, Resources } from '../../src/dashboard/types.ts'
import { open, skipped, startFor } from './page.ts'

const object = { type: 'object' }

const FIELDS = [
  field('port', { schema: { type: 'integer', minimum: 1, maximum: 65535 } }),
  field('weights', { schema: { ...object, additionalProperties: { type: 'integer' } } }),
  field('policy', { schema: { type: 'string', 'x-lines': true } }),
  field('password', { write_only: true, required: true }),
  field('state', { asked: false }),
  field('target', {
    schema: object,
    one_of: true,
    fields: [
      field('queue', { schema: object, fields: [field('arn'), field('secret', { write_only: true })] }),
      field('url'),
    ],
  }),
  field('headers', { schema: { type: 'array', items: object }, fields: [field('header', { required: true })] }),
]

interface Call {
  method: string
  path: string
  body?: unknown
}

/** Opens the dashboard with API keys declared differently, and responds to its API calls. */
const openWith = (url: string, hash: string, declared: Partial<Kind>, respond: (call: Call) => object) =>
  open(url, hash, {
    prepare: async page => {
      await page.route('**/_sim/resources', async route => {
        const all: Resources = await (await route.fetch()).json()
        const kinds = all.kinds.map(kind => (kind.table === 'api_keys' ? { ...kind, ...declared } : kind))
        await route.fulfill({ json: { ...all, kinds } })
      })
      await page.route('**/_sim/call', route => {
        const response = respond(route.request().postDataJSON())
        return route.fulfill({ json: { id: null, status: 200, body: null, failure: null, ...response } })
      })
    },
  })

describe.skipIf(skipped)('A declared resource type', async () => {
  const simulator = await startFor()
  const refusal = { msg: 'No such header.', details: { field: 'headers[0].header' } }

  it('has a form with every kind of field, and sends the input', async () => {
    const bodies: unknown[] = []
    const page = await openWith(simulator.url, '#/resources/api_keys/new', { fields: FIELDS }, ({ body }) => {
      bodies.push(body)
      return { status: 400, body: refusal }
    })
    await page.getByLabel('port 1 to 65535').fill('8080')
    const weights = page.getByRole('group', { name: 'weights' })
    await weights.getByRole('button', { name: 'Add' }).click()
    await weights.getByLabel('Name 1').fill('bkd_a')
    await weights.getByLabel('Value 1').fill('3')
    await page.getByLabel('policy').fill('line 1\nline 2')
    await page.getByLabel('password').fill('hidden')
    expect(await page.getByLabel('password').getAttribute('type')).toBe('password')
    expect(await page.getByLabel('state', { exact: true }).count()).toBe(0)
    await page.getByLabel('Which target').selectOption('queue')
    await page.getByLabel('arn').fill('arn:queue')
    await page.getByLabel('Which target').selectOption('url')
    await page.getByLabel('url', { exact: true }).fill('https://example.com')
    const headers = page.getByRole('group', { name: /^headers/ }).first()
    await headers.getByRole('button', { name: 'Add' }).click()
    await headers.getByLabel(/^header ?required/).fill('x-a')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('alert').getByText('No such header.').waitFor()
    expect(await headers.getByLabel(/^header ?required/).getAttribute('aria-invalid')).toBe('true')
    const target = { url: 'https://example.com' }
    const typed = { port: 8080, weights: { bkd_a: 3 }, policy: 'line 1\nline 2', password: 'hidden', target }
    expect(bodies).toEqual([{ ...typed, headers: [{ header: 'x-a' }] }])
  })

  it('does not send an empty secret', async () => {
    const target = { queue: { arn: 'a', secret: 'kept' } }
    const stored = { id: 'ak_x', port: 80, password: 'kept', target, headers: [{ header: 'x-a' }, { header: 'x-b' }] }
    const bodies: unknown[] = []
    const page = await openWith(simulator.url, '', { fields: FIELDS }, ({ body }) => {
      bodies.push(body)
      return { body: stored }
    })
    await page.route('**/_sim/db/api_keys/ak_x', route => route.fulfill({ json: stored }))
    await page.evaluate(() => location.assign('#/resources/api_keys/ak_x'))
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    expect(await page.getByLabel('password').inputValue()).toBe('')
    await page.getByText('Leave empty to keep the current value').first().waitFor()
    await page.getByLabel('arn').fill('b')
    await page.getByRole('button', { name: 'Remove headers 1' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Updated ak_x.').waitFor()
    expect(bodies).toEqual([{ target: { queue: { arn: 'b' } }, headers: [{ header: 'x-b' }] }])
  })

  it('offers its actions, and shows why one was rejected', async () => {
    const stop = { name: 'stop', label: 'Stop', method: 'POST', path: '/api_keys/{id}/stop' }
    const calls: string[] = []
    const page = await openWith(simulator.url, '#/resources/api_keys/ak_ci', { actions: [stop] }, call => {
      calls.push(`${call.method} ${call.path}`)
      return calls.length === 1 ? { status: 400, body: { msg: 'It has stopped.' } } : { status: 204 }
    })
    const side = page.getByRole('complementary')
    await side.getByRole('button', { name: 'Stop' }).click()
    await side.getByRole('alert').getByText('It has stopped.').waitFor()
    await side.getByRole('button', { name: 'Stop' }).click()
    await page.getByText('Stop ak_ci: done.').waitFor()
    expect(calls).toEqual(['POST /api_keys/ak_ci/stop', 'POST /api_keys/ak_ci/stop'])
  })

  it('can be changed in the state if the API has no operation', async () => {
    const page = await openWith(simulator.url, '#/resources/api_keys/ak_ci', { operations: [], path: null }, () => ({}))
    const side = page.getByRole('complementary')
    await side.getByRole('button', { name: 'Delete…' }).click()
    expect(await side.getByRole('button', { name: 'Edit', exact: true }).count()).toBe(0)
    await page.getByRole('dialog').getByText('The record is removed from the state').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Add API key to the state' }).click()
    await page.getByLabel('Record as JSON').fill('{"id": "ak_raw", "owner_id": "usr_admin"}')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.locator('.detail-head').getByText('ak_raw').waitFor()
    expect((await simulator.call('GET', '/_sim/db/api_keys/ak_raw')).status).toBe(200)
  })

  it('folds many unset modules', async () => {
    const page = await open(simulator.url, '#/edges/https_edges/edghts_web')
    const lane = page.getByRole('region', { name: 'edghtsrt_api' })
    const titles = () => lane.locator('.stage h3').allInnerTexts()
    await expect.poll(titles).toEqual(['Requests', 'Request headers', 'Circuit breaker', 'Backend'])
    await lane.getByText('12 modules not set').click()
    await lane.getByRole('button', { name: 'Set the OAuth module of edghtsrt_api' }).click()
    await expect.poll(titles).toEqual(['Requests', 'Request headers', 'Circuit breaker', 'OAuth', 'Backend'])
    await lane.getByRole('button', { name: 'Cancel' }).click()
    await lane.getByText('12 modules not set').waitFor()
    await lane.getByRole('button', { name: 'Set the OAuth module of edghtsrt_api' }).click()
    await lane.getByLabel('Which provider').selectOption('google')
    await lane.getByRole('button', { name: 'Save' }).click()
    await lane.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' })
    await lane.getByText('11 modules not set').waitFor()
    const { body } = await simulator.call('GET', '/edges/https/edghts_web/routes/edghtsrt_api/oauth')
    expect(body.provider).toMatchObject({ google: { client_id: '', scopes: [] }, github: null })
  })
})
