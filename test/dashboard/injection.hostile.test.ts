import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { JournalEntry } from '../../src/contract/journal-entry.ts'
import { LONG, LONG_MS } from '../support/long.ts'
import { live, open, skipped, startFor } from './page.ts'

const VECTORS: string[] = parse(readFileSync(new URL('payloads.yaml', import.meta.url), 'utf8'))
const AROUND = ['', `"'>`, '--></pre></textarea>']
const payloads = AROUND.flatMap(before => VECTORS.map(vector => before + vector)).slice(0, 100)

const number = (i: number) => String(i).padStart(3, '0')

/** A record per payload, with it as the description. */
const each = <T>(prefix: string, more: (text: string, id: string) => T) =>
  payloads.map((text, i) => ({ id: `${prefix}_${number(i)}`, description: text, ...more(text, number(i)) }))

/** A state with a payload in every text field. */
const fixture = {
  users: [
    { id: 'usr_admin', name: payloads[1], admin: true },
    ...payloads.map((name, i) => ({ id: `usr_${number(i)}`, name })),
  ],
  api_keys: [
    { id: 'ak_admin', owner_id: 'usr_admin', token: 'sim_admin' },
    ...each('ak', metadata => ({ owner_id: 'usr_admin', metadata })),
  ],
  ip_policies: each('ipp', text => ({
    metadata: text,
    rules: [{ action: 'allow', cidr: '10.0.0.0/8', description: text }],
  })),
  ip_restrictions: each('ipx', (metadata, id) => ({ type: 'agent', metadata, ip_policy_ids: [`ipp_${id}`] })),
  backends: each('bkdsc', () => ({ address: '127.0.0.1:1' })),
  tcp_edges: each('edgtcp', (metadata, id) => ({ metadata, backend: { backend_id: `bkdsc_${id}` } })),
  https_edges: each('edghts', (text, id) => ({
    routes: [
      {
        id: `edghtsrt_${id}`,
        // Without characters that a path cannot contain.
        match: `/${text.replace(/[\s?#]/g, '/')}`,
        description: text,
        request_headers: { add: { 'X-Payload': text }, remove: [] },
      },
    ],
  })),
}

const scenario = {
  name: payloads[1],
  description: payloads.join(' '),
  rules: payloads.map((text, i) => ({
    name: text.slice(0, 100),
    when: { method: 'DELETE', calls: i + 1 },
    fault: { type: 'error', status: 500, msg: text },
  })),
}

/** Sends the path unencoded, unlike fetch. */
const send = (url: string, path: string, agent: string) =>
  new Promise<void>((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const headers = { authorization: 'Bearer sim_admin', 'service-version': '2', 'user-agent': agent }
    request({ hostname, port, path, headers, agent: false }, response => response.resume().on('end', resolve))
      .on('error', reject)
      .end()
  })

/** Records scripts that run or that the policy blocks. */
async function watch(page: Page, seen: string[]) {
  page.on('dialog', dialog => {
    seen.push(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('pageerror', error => seen.push(`error ${error.message}`))
  page.on('console', message => message.type() === 'error' && !/404/.test(message.text()) && seen.push(message.text()))
  await page.exposeFunction('report', (what: string) => seen.push(what))
  await page.addInitScript(() =>
    addEventListener('securitypolicyviolation', event =>
      (window as unknown as { report(what: string): void }).report(`${event.violatedDirective} ${event.blockedURI}`),
    ),
  )
}

/** Elements that only injected markup could create. */
const intruders = (page: Page) =>
  page.evaluate(() => {
    const tags =
      'img, iframe, object, embed, video, audio, math, marquee, base, style, form[action], [style*=animation], [onerror], [onload], body script'
    const links = [...document.querySelectorAll('a')].filter(a => !/^(#|https?:)/.test(a.getAttribute('href') ?? '#'))
    return [...document.querySelectorAll(tags), ...links].map(element => element.outerHTML.slice(0, 200))
  })

/** Each view, with text that appears when it is complete. */
const VIEWS: [hash: string, shown: string][] = [
  ['#/overview', '/api_keys/ak_000'],
  ['#/resources/api_keys?sort=id&per=1000', 'ak_099'],
  ['#/resources/ip_policies', 'ipp_099'],
  ['#/resources/https_edge_routes', 'edghtsrt_099'],
  ['#/resources/https_edge_routes/new/%3Cimg%20src=x%20onerror=window.owned=1%3E', 'POST /edges/https/%3Cimg'],
  ['#/requests', '200 requests'],
  ['#/scenario', 'matched'],
  ['#/edges/https_edges?per=100', 'edghts_099'],
]

/** Similar views, for the long tests. */
const ALIKE: typeof VIEWS = [
  ['#/resources/ip_policy_rules', 'ipr_099'],
  ['#/resources/ip_restrictions', 'ipx_099'],
  ['#/resources/backends', 'bkdsc_099'],
  ['#/resources/users?sort=id', 'usr_098'],
  ['#/resources/ip_restrictions/new', 'POST /ip_restrictions'],
  ['#/resources/api_keys/new', 'POST /api_keys'],
  ['#/edges/tcp_edges?per=100', 'edgtcp_099'],
  ['#/time', 'Snapshots'],
  ['#/assumptions', 'missing_version'],
]

describe.skipIf(skipped)('None of 100 payloads runs', async () => {
  const simulator = await startFor({ fixture, scenario })
  for (const text of payloads) {
    await send(simulator.url, `/${text.replaceAll(' ', '/')}?q=${text.replaceAll(' ', '+')}`, text)
    await simulator.call('PATCH', '/api_keys/ak_000', { description: text })
  }
  const check = async (page: Page, seen: string[]) => {
    expect(seen).toEqual([])
    expect(await page.evaluate(() => (window as unknown as { owned?: number }).owned)).toBeUndefined()
    expect(await intruders(page)).toEqual([])
  }

  /** The previous view must not contain the text. */
  const goTo = async (page: Page, hash: string, shown: string) => {
    await page.evaluate(to => location.assign(to), hash)
    await page.locator('#main').getByText(shown).first().waitFor({ state: 'attached' })
  }

  const openWatched = async (hash: string, look: { height?: number } = {}) => {
    const seen: string[] = []
    const page = await open(simulator.url, hash, { ...look, prepare: page => watch(page, seen) })
    await live(page)
    return { page, seen }
  }

  it('in a dashboard view', async () => {
    const { page, seen } = await openWatched('#/overview', { height: 8000 })
    for (const [hash, shown] of [...VIEWS, ...(LONG ? ALIKE : [])]) {
      await goTo(page, '#/nowhere', 'Unknown view "nowhere"')
      await goTo(page, hash, shown)
      await check(page, seen)
    }
  })

  it(
    'in the details of every record and request',
    async () => {
      const { page, seen } = await openWatched('#/requests')
      const { requests } = (await simulator.call('GET', '/_sim/requests?limit=1000')).body
      const ids = payloads.map((_, i) => number(i))
      // The lists show every payload, so a few details are enough. The long tests open all.
      const share = <T>(all: T[], which: number) => (LONG ? all : all.filter((_, i) => i % 48 === which))
      const asked: string[] = requests.flatMap(({ id, method }: JournalEntry) => (method === 'GET' ? id : []))
      const stops = [
        ...[
          'api_keys/ak',
          'ip_policies/ipp',
          'https_edges/edghts',
          'https_edge_routes/edghtsrt',
          'backends/bkdsc',
        ].flatMap((record, i) => share(ids, i).map(id => `#/resources/${record}_${id}`)),
        ...share(asked, 5).map(id => `#/requests/${id}`),
      ]
      await page.evaluate(async all => {
        for (const stop of all) {
          location.hash = stop
          const id = stop.split('/').at(-1)!
          const there = () =>
            document.querySelector('.detail-head p')?.textContent === id &&
            document.querySelector('.detail .code pre, .detail .pairs, .detail .facts')
          while (!there()) await new Promise(requestAnimationFrame)
          // Of a record, also its JSON.
          const json = document.querySelector<HTMLElement>('.detail input[type="radio"]:not(:checked)')
          json?.click()
          while (json && !document.querySelector('.detail .code pre')) await new Promise(requestAnimationFrame)
        }
      }, stops)
      await check(page, seen)
    },
    LONG_MS,
  )

  it('in the URL', async () => {
    const { page, seen } = await openWatched('')
    const addresses = LONG ? payloads : payloads.filter((_, i) => i % 6 === 0)
    await page.evaluate(async texts => {
      const changed = () => new Promise(resolve => addEventListener('hashchange', resolve, { once: true }))
      for (const [i, text] of texts.entries()) {
        const kept = encodeURIComponent(text)
        const hashes = [`#/${text}`, `#/resources/${kept}/${kept}`, `#/requests/${kept}?text=${kept}&kind=${kept}`]
        // Each sandbox needs an event stream, so one in ten is enough.
        location.hash = i % 10 ? hashes[i % 3]! : `#/overview?sandbox=${kept}`
        await changed()
        await new Promise(requestAnimationFrame)
      }
    }, addresses)
    await goTo(page, '#/overview', 'Point a client here')
    await live(page)
    await check(page, seen)
  })

  it('even as markup, because of the Content-Security-Policy', async () => {
    const { page, seen } = await openWatched('')
    await page.evaluate(() => {
      document.body.insertAdjacentHTML(
        'beforeend',
        '<img src=x onerror="window.owned=1"><a id=bad href="javascript:window.owned=1">x</a>',
      )
      document.getElementById('bad')!.click()
    })
    await expect.poll(() => seen.length).toBeGreaterThan(0)
    expect(await page.evaluate(() => (window as unknown as { owned?: number }).owned)).toBeUndefined()
  })
})
