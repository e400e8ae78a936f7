import { connect, createServer, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { afterwards } from '../support/afterwards.ts'
import { listening } from '../support/http.ts'
import { live, open, skipped, startFor } from './page.ts'

const CSP = "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

/** A connection to the simulator that can be cut. */
async function openLine(port: number) {
  const sockets = new Set<Socket>()
  let whole = true
  const server = createServer(socket => {
    sockets.add(socket.on('error', () => {}))
    if (!whole) return socket.destroy()
    const other = connect(port, '127.0.0.1').on('error', () => {})
    sockets.add(other)
    socket.pipe(other).pipe(socket)
  })
  const cut = () => {
    whole = false
    for (const socket of sockets) socket.destroy()
  }
  afterwards(cut)
  return {
    url: `http://127.0.0.1:${await listening(server)}`,
    cut,
    mend() {
      whole = true
    },
  }
}

describe.skipIf(skipped)('The page', async () => {
  it('is served with strict headers and nothing inline', async () => {
    const { url } = await startFor()
    const index = await fetch(`${url}/_sim/`)
    const html = await index.text()
    expect(index.headers.get('content-security-policy')).toBe(CSP)
    expect(index.headers.get('x-content-type-options')).toBe('nosniff')
    expect(index.headers.get('referrer-policy')).toBe('no-referrer')
    expect(index.headers.get('cache-control')).toBe('no-store')
    expect(html).not.toMatch(/<style|style=|<script(?![^>]+src=)|https?:\/\//)
    const files = [...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map(([, file]) => file!)
    expect(files.length).toBeGreaterThanOrEqual(3)
    for (const file of files) {
      const asset = await fetch(`${url}/_sim/${file}`)
      expect(asset.status).toBe(200)
      expect(asset.headers.get('cache-control')).toContain('immutable')
      expect(asset.headers.get('content-security-policy')).toBe(CSP)
    }
  })

  it('is at most 120 KB gzipped', async () => {
    const { url } = await startFor()
    const { gzipSync } = await import('node:zlib')
    const html = await (await fetch(`${url}/_sim/`)).text()
    const files = ['', ...[...html.matchAll(/"\.\/(assets\/[^"]+)"/g)].map(([, file]) => file!)]
    const bodies = await Promise.all(
      files.map(async file => Buffer.from(await (await fetch(`${url}/_sim/${file}`)).arrayBuffer())),
    )
    expect(bodies.reduce((sum, body) => sum + gzipSync(body).length, 0)).toBeLessThanOrEqual(120 * 1024)
  })

  it('is where a browser is redirected; other clients get the API', async () => {
    const { url } = await startFor()
    const ask = (path: string, accept: string) => fetch(url + path, { headers: { accept }, redirect: 'manual' })
    const sent = await ask('/', 'text/html,application/xhtml+xml')
    expect([sent.status, sent.headers.get('location')]).toEqual([302, '_sim/'])
    expect((await ask('/', 'application/json')).status).toBe(404)
    const slash = await ask('/_sim', 'text/html')
    expect([slash.status, slash.headers.get('location')]).toEqual([302, '_sim/'])
    for (const path of [
      '/_sim/assets/nothing.js',
      '/_sim/assets/..%2findex.html',
      '/_sim/assets/%2e%2e%2f%2e%2e%2fpackage.json',
    ])
      expect((await ask(path, '*/*')).status).toBe(404)
  })

  it('asks for the control token once, and works with it', async () => {
    const simulator = await startFor({ controlToken: 'open sesame' })
    const page = await open(simulator.url, '#/requests')
    const dialog = page.getByRole('dialog', { name: 'Control token' })
    await dialog.getByLabel('Control token').fill('wrong')
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByText('That token was refused.').waitFor()
    await dialog.getByLabel('Control token').fill('open sesame')
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await live(page)
    await dialog.waitFor({ state: 'detached' })
    await simulator.call('GET', '/api_keys')
    await page.locator('.row', { hasText: '/api_keys' }).waitFor()
    await page.reload()
    await page.locator('.row', { hasText: '/api_keys' }).waitFor()
    expect(await dialog.count()).toBe(0)
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage }) + location.href)).not.toContain('sesame')
  })

  it('switches sandboxes, and keeps the choice in the address', async () => {
    const simulator = await startFor()
    const page = await open(simulator.url, '#/requests')
    await live(page)
    const picker = page.getByRole('button', { name: /^Sandbox:/ })
    await picker.click()
    const dialog = page.getByRole('dialog', { name: 'Sandboxes' })
    await dialog.getByLabel('Find or name a sandbox').fill('checkout-7')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await page.waitForURL(/#\/requests\?sandbox=checkout-7$/)
    await live(page)
    await simulator.as('sim_admin~checkout-7')('GET', '/api_keys?limit=3')
    await page.locator('.row', { hasText: 'limit=3' }).waitFor()
    await simulator.call('GET', '/ip_restrictions')
    await page.goto(`${simulator.url}/_sim/#/overview?sandbox=checkout-7`)
    await page.getByRole('button', { name: 'Copy the token sim_admin~checkout-7' }).waitFor()
    await page.goto(`${simulator.url}/_sim/#/resources/api_keys/new?sandbox=checkout-7`)
    await page.getByLabel(/^description/).fill('over there')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page
      .getByRole('dialog')
      .getByText(/~checkout-7$/)
      .waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    expect((await simulator.call('GET', '/api_keys')).body.keys).toHaveLength(3)
    expect((await simulator.as('sim_admin~checkout-7')('GET', '/api_keys')).body.keys).toHaveLength(4)
    await picker.click()
    await dialog.getByRole('button', { name: 'Drop checkout-7' }).click()
    await expect.poll(() => picker.innerText()).toContain('default')
    await page.goto(`${simulator.url}/_sim/#/overview?sandbox=checkout-7`)
    await page.getByText('There is no sandbox "checkout-7"').waitFor()
    // A request creates it meanwhile: what that did must stay.
    await simulator.as('sim_admin~checkout-7')('DELETE', '/api_keys/ak_ci')
    await page.getByRole('button', { name: 'Create it' }).click()
    await live(page)
    expect((await simulator.as('sim_admin~checkout-7')('GET', '/api_keys/ak_ci')).status).toBe(404)
  })

  it('reconnects when the event stream is cut, and misses no event', async () => {
    const simulator = await startFor()
    const line = await openLine(simulator.port)
    const page = await open(line.url, '#/requests')
    await live(page)
    await simulator.call('GET', '/api_keys?limit=1')
    await page.locator('.row', { hasText: 'limit=1' }).waitFor()
    line.cut()
    await page.locator('.live').getByText('No answer').waitFor()
    await simulator.call('GET', '/api_keys?limit=2')
    line.mend()
    await live(page)
    await page.locator('.row', { hasText: 'limit=2' }).waitFor()
    await expect.poll(() => page.locator('.rows .row:not(.head)').count()).toBe(2)
  })

  it('shows an error when a scenario cuts off the answer of the API', async () => {
    const simulator = await startFor({
      scenario: { rules: [{ when: { method: 'POST' }, fault: { type: 'lost-reply' } }] },
    })
    const page = await open(simulator.url, '#/resources/api_keys/new')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page
      .getByRole('alert')
      .getByText(/No answer came/)
      .waitFor()
  })
})
