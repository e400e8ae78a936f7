import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { root } from '../support/afterwards.ts'
import { simulate } from '../support/in-process.ts'

const CSP = "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

// `npm run test:quick` needs no build.
describe.runIf(existsSync(join(root, 'dist/page/index.html')))('The built dashboard', () => {
  async function load() {
    const { url } = await simulate()
    const index = await fetch(`${url}/_sim/`)
    const html = await index.text()
    const files = [...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map(([, file]) => file!)
    expect(files.length).toBeGreaterThanOrEqual(3)
    return { index, html, assets: await Promise.all(files.map(file => fetch(`${url}/_sim/${file}`))) }
  }

  it('is served with strict headers and nothing inline', async () => {
    const { index, html, assets } = await load()
    expect(index.headers.get('content-security-policy')).toBe(CSP)
    expect(index.headers.get('x-content-type-options')).toBe('nosniff')
    expect(index.headers.get('referrer-policy')).toBe('no-referrer')
    expect(index.headers.get('cache-control')).toBe('no-store')
    expect(html).not.toMatch(/<style|style=|<script(?![^>]+src=)|https?:\/\//)
    for (const asset of assets) {
      expect(asset.status).toBe(200)
      expect(asset.headers.get('cache-control')).toContain('immutable')
      expect(asset.headers.get('content-security-policy')).toBe(CSP)
    }
  })

  it('has up to 120 KB gzipped', async () => {
    const { html, assets } = await load()
    const bodies = [
      Buffer.from(html),
      ...(await Promise.all(assets.map(async each => Buffer.from(await each.arrayBuffer())))),
    ]
    expect(bodies.reduce((sum, body) => sum + gzipSync(body).length, 0)).toBeLessThanOrEqual(120 * 1024)
  })
})

describe('The dashboard', () => {
  it('is where browsers are redirected, unlike other clients', async () => {
    const { url } = await simulate()
    const request = (path: string, accept: string) => fetch(url + path, { headers: { accept }, redirect: 'manual' })
    const sent = await request('/', 'text/html,application/xhtml+xml')
    expect([sent.status, sent.headers.get('location')]).toEqual([302, '_sim/'])
    expect((await request('/', 'application/json')).status).toBe(404)
    const slash = await request('/_sim', 'text/html')
    expect([slash.status, slash.headers.get('location')]).toEqual([302, '_sim/'])
  })

  it.each([
    '/_sim/assets/nothing.js',
    '/_sim/assets/..%2findex.html',
    '/_sim/assets/%2e%2e%2f%2e%2e%2fpackage.json',
  ])('has no file %s', async path => {
    const { url } = await simulate()
    expect((await fetch(url + path)).status).toBe(404)
  })
})
