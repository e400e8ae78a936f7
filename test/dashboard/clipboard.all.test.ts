import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import type { Entry } from '../../src/contract/journal-entry.ts'
import { ask, type Call } from '../support/http.ts'
import { open, skipped, startFor } from './page.ts'

const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

const hasCurl = spawnSync('curl', ['--version']).status === 0

type Sent = [
  token: string | undefined,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: string | Uint8Array,
]

const JSON_TYPE = { 'service-version': '2', 'content-type': 'application/json' }

/** What a careless line would send otherwise. */
const REQUESTS: Sent[] = [
  ['sim_ci~elsewhere', 'GET', '/api_keys?limit=1&limit=2&a=%20+', { 'service-version': '2', 'x-mine': "it's" }],
  ['sim_member', 'POST', '/api_keys', JSON_TYPE, '{ "description":\n"it\'s \\"é\\" $HOME `id`" }'],
  ['sim_admin', 'POST', '/api_keys', JSON_TYPE, '{ "description": "oops'],
  ['sim_admin', 'PATCH', '/api_keys/ak_ci', JSON_TYPE, '{}'],
  ['sim_admin', 'POST', '/api_keys', JSON_TYPE, '@/etc/hostname'],
  ['sim_admin', 'POST', '/api_keys', JSON_TYPE, 'a\0b'],
  ['sim_admin', 'POST', '/api_keys', JSON_TYPE, new Uint8Array([0, 255, 10])],
  ['sim_admin', 'POST', '/api_keys', { 'service-version': '2' }, '{"description":"untyped"}'],
  ['sim_admin', 'GET', '/api_keys', { ...JSON_TYPE, 'x-empty': '' }],
  ['sim_admin', 'HEAD', '/api_keys/[a-c]', {}],
  [undefined, 'DELETE', '/api_keys/ak_ci', { 'service-version': '9' }],
]

async function entryOf({ call }: { call: Call }, id: unknown): Promise<Entry> {
  return (await call('GET', `/_sim/requests/${id}`)).body
}

/** All but what differs between clients, and from one request to the next. */
function mattering({ sandbox, method, path, query, operation, caller, status, request }: Entry) {
  const { connection, accept, host, 'user-agent': _client, ...headers } = request.headers
  const { 'content-length': length = '0', 'transfer-encoding': chunked, ...rest } = headers
  return { sandbox, method, path, query, operation, caller, status, request: { ...request, headers: rest } }
}

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

  it('holds a request as a curl line', async () => {
    const simulator = await startFor()
    const { headers } = await simulator.call('PATCH', '/api_keys/ak_ci', { description: "it's here" })
    const page = await open(simulator.url, `#/requests/${headers.get('edgesim-operation-id')}`)
    await page.getByText(/carried out/).waitFor()
    await page.getByRole('button', { name: 'Copy as curl' }).click()
    await expect
      .poll(() => clipboard(page))
      .toBe(
        `curl -X PATCH '${simulator.url}/api_keys/ak_ci' -H 'Authorization: Bearer sim_admin' -H 'service-version: 2' -H 'content-type: application/json' --data-raw '{"description":"it'\\''s here"}'`,
      )
  })

  it.skipIf(!hasCurl)('holds any request as a line that a shell repeats byte for byte', async () => {
    const simulator = await startFor()
    const page = await open(simulator.url, '#/requests')
    for (const [token, method, path, headers, body] of REQUESTS) {
      const auth: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {}
      const first = await ask(simulator.url + path, { method, headers: { ...headers, ...auth }, body })
      const entry = await entryOf(simulator, first.headers['edgesim-operation-id'])
      await page.evaluate(hash => location.assign(hash), `#/requests/${entry.id}?sandbox=${entry.sandbox}`)
      await page.locator('.detail-head', { hasText: entry.id }).waitFor()
      await page.getByRole('button', { name: 'Copy as curl' }).click()
      await expect.poll(() => clipboard(page)).toContain(path.split('?')[0])
      await promisify(execFile)('sh', ['-c', await clipboard(page)])
      const { body: listed } = await simulator.call('GET', `/_sim/sandboxes/${entry.sandbox}/requests?limit=1`)
      const [again] = listed.requests
      expect(again.id).not.toBe(entry.id)
      expect(mattering(again)).toEqual(mattering(entry))
      await page.evaluate(() => navigator.clipboard.writeText(''))
    }
  })

  it('says what of a curl line must be filled in', async () => {
    const simulator = await startFor()
    const { body: key } = await simulator.call('POST', '/api_keys', { description: 'new' })
    const unknown = await simulator.as(key.token)('GET', '/api_keys')
    const refused = await simulator.as('sim_nobody')('GET', '/api_keys')
    const secret = await simulator.call('POST', '/vault_secrets', { name: 'a', value: 'hush', vault_id: 'vault_x' })
    const page = await open(simulator.url, '#/requests')
    for (const [{ headers }, words] of [
      [unknown, `Fill in the token of ${key.id}: the sandbox keeps only its hash`],
      [refused, 'Fill in a token: the one that was sent was refused'],
      [secret, 'Fill in what is [redacted] in the body'],
    ] as const) {
      await page.evaluate(id => location.assign(`#/requests/${id}`), headers.get('edgesim-operation-id'))
      await page.getByText(words).waitFor()
      await page.getByRole('button', { name: 'Copy as curl' }).click()
      await expect.poll(() => clipboard(page)).toContain(headers === secret.headers ? '[redacted]' : 'Bearer <token>')
      expect(await page.getByRole('button', { name: 'Send again' }).isDisabled()).toBe(true)
    }
  })

  it('holds what is in the console as a curl line', async () => {
    const simulator = await startFor()
    await simulator.as('sim_admin~other')('GET', '/api_keys')
    const page = await open(simulator.url, '#/console?method=PUT&path=/a?b=1%26b=2&body=%7B&sandbox=other')
    await page.getByLabel('Send Service-Version').uncheck()
    await page.getByRole('button', { name: 'Copy as curl' }).click()
    await expect
      .poll(() => clipboard(page))
      .toBe(
        `curl -X PUT '${simulator.url}/a?b=1&b=2' -H 'Authorization: Bearer sim_admin~other' -H 'content-type: application/json' --data-raw '{'`,
      )
  })
})
