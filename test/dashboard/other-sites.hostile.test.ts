import { createServer, request } from 'node:http'
import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { listening } from '../support/http.ts'
import { LONG } from '../support/long.ts'
import { openAt, skipped, startFor } from './page.ts'

/** A site whose page links to a URL. */
const siteWith = (url: string) =>
  listening(
    createServer((_req, res) => {
      res
        .writeHead(200, { 'content-type': 'text/html' })
        .end(`<!doctype html><body><a href="${url}/">the simulator</a>`)
    }),
  )

/** A proxy that removes Sec-Fetch headers, as in an old browser. */
const silentBrowser = (port: number) =>
  listening(
    createServer((req, res) => {
      const kept = Object.entries(req.headers).filter(([name]) => !name.startsWith('sec-fetch-') && name !== 'host')
      const { method, url } = req
      request({ port, host: '127.0.0.1', method, path: url, headers: Object.fromEntries(kept) }, response => {
        res.writeHead(response.statusCode!, response.headers)
        response.pipe(res)
      }).end()
    }),
  )

/** Pairs of an existing and a missing path of the same kind. */
const PAIRS = [
  ['/_sim/state', '/_sim/nowhere'],
  ['/_sim/assets/THE_SCRIPT', '/_sim/assets/none.js'],
  ['/_sim/health', '/_sim/healthy'],
  ['/_sim/sandboxes/checkout-7', '/_sim/sandboxes/checkout-8'],
  ['/_sim/assets/THE_STYLE', '/_sim/assets/none.css'],
  ['/_sim/', '/_sim/nothing/'],
].slice(0, LONG ? undefined : 2)

/** Everything that a page can learn about what it loads. */
const learn = (page: Page, url: string) =>
  page.evaluate(async target => {
    const told: Record<string, unknown> = {}
    const element = (name: string, attribute: string, more: Record<string, string> = {}) =>
      new Promise<string>(resolve => {
        const made = document.createElement(name)
        for (const [key, value] of Object.entries(more)) made.setAttribute(key, value)
        made.addEventListener('load', () => resolve('load'))
        made.addEventListener('error', () => resolve('error'))
        made.setAttribute(attribute, `${target}?${name}`)
        document.body.append(made)
      })
    told.object = await element('object', 'data')
    told.script = await element('script', 'src')
    told.module = await element('script', 'src', { type: 'module' })
    told.img = await element('img', 'src')
    told.link = await element('link', 'href', { rel: 'stylesheet' })
    told.embed = await element('embed', 'src')
    for (const mode of ['no-cors', 'cors'] as const)
      told[mode] = await fetch(`${target}?${mode}`, { mode }).then(
        ({ status, type }) => `${type} ${status}`,
        () => 'refused',
      )
    const seen = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    told.timing = seen
      .filter(({ name }) => name.startsWith(target))
      .map(({ transferSize, encodedBodySize, responseStatus }) => [transferSize, encodedBodySize, responseStatus])
    performance.clearResourceTimings()
    return told
  }, url)

describe.skipIf(skipped)('A page of another site', async () => {
  const simulator = await startFor({ fixture: 'default' })
  await simulator.call('PUT', '/_sim/sandboxes/checkout-7')
  const html = await (await fetch(`${simulator.url}/_sim/`)).text()
  const [script, style] = ['js', 'css'].map(type => new RegExp(`assets/([^"]+\\.${type})`).exec(html)![1]!)
  const named = (path: string) => path.replace('THE_SCRIPT', script!).replace('THE_STYLE', style!)
  const site = await siteWith(simulator.url)
  const silent = await silentBrowser(simulator.port)

  it.each<[what: string, host: string, port: number]>([
    ['another site', 'localhost', simulator.port],
    ['another site, without Sec-Fetch headers', 'localhost', silent],
    ...(LONG ? ([['same site, another port', '127.0.0.1', simulator.port]] as [string, string, number][]) : []),
  ])('cannot detect what exists under /_sim: %s', async (_, host, port) => {
    const page = await openAt(`http://${host}:${site}/`)
    for (const [existing, missing] of PAIRS) {
      const [seen, other] = [
        await learn(page, `http://127.0.0.1:${port}${named(existing!)}`),
        await learn(page, `http://127.0.0.1:${port}${missing}`),
      ]
      expect(seen, existing).toEqual(other)
      expect(seen, existing).toMatchObject({ script: 'error', img: 'error', link: 'error', cors: 'refused' })
    }
  })

  it('cannot send API requests that are logged', async () => {
    const page = await openAt(`http://localhost:${site}/`)
    await page.evaluate(async url => {
      const send = (init: RequestInit) => fetch(`${url}/api_keys`, { mode: 'no-cors', ...init }).catch(() => {})
      await Promise.all([send({}), send({ method: 'POST', body: '{}' }), send({ mode: 'cors' })])
    }, simulator.url)
    expect((await simulator.call('GET', '/_sim/requests')).body.requests).toEqual([])
  })

  it('can link to the dashboard', async () => {
    const page = await openAt(`http://localhost:${site}/`)
    await page.getByText('the simulator').click()
    await page.getByText('Live', { exact: true }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/_sim/')
  })
})
