import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { errorRows } from '../../scripts/errors.ts'
import { assumptions } from '../../src/ngrok/questions.ts'
import { operations } from '../../src/ngrok/resources/index.ts'
import { root } from '../support/afterwards.ts'
import { simulate } from '../support/in-process.ts'
import { rawClient } from '../support/raw-http.ts'

const { url, port } = await simulate()

const files = (folder: string) => readdirSync(join(root, 'docs', folder)).map(name => join(folder, name))
const pages = ['', 'api', 'contributing', 'contributing/decisions'].flatMap(files).filter(name => name.endsWith('.md'))

async function get(path: string, from = url) {
  const response = await fetch(from + path)
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    text: await response.text(),
    answer: response,
  }
}

const idsIn = (html: string) => [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!)
const linksIn = (html: string) => [...html.matchAll(/ (?:href|src)="([^"]+)"/g)].map(([, link]) => link!)

describe('GET /_sim/docs', () => {
  it('redirects to the index, even below a proxy path, with the headers of the dashboard', async () => {
    const first = await fetch(`${url}/_sim/docs`, { redirect: 'manual' })
    expect([first.status, first.headers.get('location')]).toEqual([302, 'docs/'])
    const { status, type, text, answer: response } = await get('/_sim/docs')
    expect([status, type, response.url]).toEqual([200, 'text/html; charset=utf-8', `${url}/_sim/docs/`])
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'self'; frame-ancestors 'none'/)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(text).toContain('<title>edgesim documentation · edgesim</title>')
    expect(text).toContain('<a href="contributing/decisions/0001-state.md">state and storage</a>')
    // Documents that are not served are not linked.
    expect(text).toContain('The README covers installation')
  })

  it('renders every document, without broken links or pictures', async () => {
    expect(pages.length).toBeGreaterThan(40)
    const rendered = new Map<string, string>()
    for (const page of pages) {
      const { status, type, text } = await get(`/_sim/docs/${page}`)
      expect([page, status, type]).toEqual([page, 200, 'text/html; charset=utf-8'])
      expect(new Set(idsIn(text)).size, page).toBe(idsIn(text).length)
      const fences = readFileSync(join(root, 'docs', page), 'utf8').match(/^ *```/gm) ?? []
      expect(text.match(/<pre /g)?.length ?? 0, page).toBe(fences.length / 2)
      expect(text, page).not.toMatch(/ (style|onclick)=|<script|href="\//)
      rendered.set(`${url}/_sim/docs/${page}`, text)
    }
    const broken: string[] = []
    const checked = new Set<string>()
    for (const [address, html] of rendered) {
      for (const link of linksIn(html).filter(each => !/^https?:/.test(each))) {
        const { href, hash } = new URL(link, address)
        const target = href.replace(/#.*/, '')
        if (!rendered.has(target) && !checked.has(target)) {
          checked.add(target)
          if ((await fetch(target)).status !== 200) broken.push(`${address} → ${link}`)
        }
        const known = rendered.get(target)
        if (hash && known && !idsIn(known).includes(hash.slice(1))) broken.push(`${address} → ${link}`)
      }
    }
    expect(broken.filter(each => !each.includes('assets/'))).toEqual([])
    expect(checked).toContain(`${url}/_sim/docs/images/performance.svg`)
  })

  it('renders tables, escaped code, and an anchor for every section in use', async () => {
    const { text } = await get('/_sim/docs/api.md')
    expect(text).toContain('<table><thead>')
    expect(text).toContain('<h3 id="108-filters"><a id="section-10.8"></a>')
    expect(text).toContain('<a id="section-10.2"></a>10.2</td>\n<td><a href="api/ip.md#102-ip-policy-rules">')
    expect((await get('/_sim/docs/api/ip.md')).text).toContain('<h2 id="102-ip-policy-rules"><a id="section-10.2"></a>')
    const named = [...Object.values(assumptions), ...errorRows, ...operations]
    const wanted = new Set(named.map(({ section }) => `section-${section}`))
    expect([...wanted].filter(id => !idsIn(text).includes(id))).toEqual([])
    expect((await get('/_sim/docs/agents.md')).text).toMatch(/<pre tabindex="0"><code>[^<]+&quot;/)
    const picture = await get('/_sim/docs/images/performance.svg')
    expect([picture.status, picture.type]).toEqual([200, 'image/svg+xml'])
  })

  it('redirects a name without extension to the document', async () => {
    for (const name of ['scenarios', 'api', 'api/keys', 'contributing/decisions/0001-state']) {
      const { status, answer: response } = await get(`/_sim/docs/${name}`)
      expect([status, response.url]).toEqual([200, `${url}/_sim/docs/${name}.md`])
    }
  })

  it('serves only documents, and names the closest match', async () => {
    const { status, text } = await get('/_sim/docs/scenarois.md')
    expect([status, JSON.parse(text).msg]).toEqual([404, expect.stringContaining('scenarios.md')])
    const client = rawClient(port)
    for (const path of [
      ...'contributing/performance.json contributing/decisions contributing/..%2fapi.md images/..%2fapi.md'.split(' '),
      ...'../package.json ..%2fpackage.json %2e%2e%2fREADME.md contributing/decisions/..%2f..%2fREADME.md'.split(' '),
      ...'contributing%2fdecisions%2f0001-state.md api.md%00 api.md/x __proto__'.split(' '),
    ])
      expect([path, (await client.request({ target: `/_sim/docs/${path}` })).status]).toEqual([path, 404])
  })

  it('supports HEAD, needs no control token, and is rejected for other sites', async () => {
    const guarded = await simulate({ controlToken: 'open-sesame' })
    const head = await fetch(`${guarded.url}/_sim/docs/api.md`, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    expect(Number(head.headers.get('content-length'))).toBeGreaterThan(50_000)
    for (const path of ['', '/contributing/decisions/0001-state.md', '/images/performance.svg'])
      expect((await get(`/_sim/docs${path}`, guarded.url)).status).toBe(200)
    expect((await get('/_sim/docs/nowhere.md', guarded.url)).status).toBe(404)
    expect((await get('/_sim/docsx', guarded.url)).status).toBe(401)
    expect((await fetch(`${guarded.url}/_sim/docs/api.md`, { method: 'POST' })).status).toBe(401)
    const headers = ['Sec-Fetch-Site: cross-site']
    const other = await rawClient(port).request({ target: '/_sim/docs/api.md', headers })
    expect(other.status).toBe(403)
  })
})
