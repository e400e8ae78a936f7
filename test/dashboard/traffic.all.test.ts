import { createServer as createWebServer } from 'node:http'
import { createServer, type Server } from 'node:net'
import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { ask, listening } from '../support/http.ts'
import { dial } from '../support/raw-http.ts'
import { live, open, skipped, startFor, textIn, textsIn } from './page.ts'

const at = async (server: Server) => `127.0.0.1:${await listening(server)}`
const echo = () => at(createServer(socket => socket.pipe(socket)))
const web = () => at(createWebServer((req, res) => res.end(JSON.stringify(req.headers))))

/** Connects, sends a word, and waits for its echo or the end of the connection. */
async function say(url: string, word: string) {
  const { socket, said, heard } = dial(Number(new URL(url).port))
  socket.write(word)
  await heard
  return { heard: said(), hangUp: () => socket.destroy() }
}

/** Records the marks of edges and routes, which disappear after 1.5 s. */
async function watchMarks(page: Page) {
  const marks = await page.evaluateHandle(() => {
    const seen: string[] = []
    const note = ({ target }: MutationRecord) => {
      const [, verdict] = /just-decided (\w+)/.exec((target as Element).className) ?? []
      if (verdict) seen.push(`${(target as Element).getAttribute('aria-label')} ${verdict}`)
    }
    new MutationObserver(records => records.forEach(note)).observe(document.body, {
      subtree: true,
      attributeFilter: ['class'],
    })
    return seen
  })
  return () => marks.jsonValue()
}

const POLICIES = [
  { id: 'ipp_outside', rules: [{ id: 'ipr_outside', action: 'allow', cidr: '203.0.113.0/24' }] },
  {
    id: 'ipp_local',
    rules: [
      { id: 'ipr_all', action: 'allow', cidr: '0.0.0.0/0' },
      { id: 'ipr_local', action: 'deny', cidr: '127.0.0.0/8' },
    ],
  },
]

describe.skipIf(skipped)('The Edges view', async () => {
  const simulator = await startFor({
    fixture: {
      users: [{ id: 'usr_admin', admin: true }],
      api_keys: [{ id: 'ak_admin', owner_id: 'usr_admin', token: 'sim_admin' }],
      ip_policies: POLICIES,
      ip_restrictions: [{ id: 'ipx_agents', type: 'agent', enforced: true, ip_policy_ids: ['ipp_outside'] }],
    },
  })
  const make = async (path: string, body: object) => (await simulator.call('POST', path, body)).body.id as string
  const urlOf = async (edge: string) => {
    const { body } = await simulator.call('GET', '/_sim/traffic')
    return body.listeners.find((each: { edge: string }) => each.edge === edge).url as string
  }
  const tcpEdge = async (more: object = {}) => {
    const backend_id = await make('/backends/static', { address: await echo() })
    return make('/edges/tcp', { hostports: ['127.0.0.1:0'], backend: { backend_id }, ...more })
  }
  const httpsEdge = async () => {
    const edge = await make('/edges/https', { hostports: ['http://127.0.0.1:0'] })
    const backend_id = await make('/backends/static', { address: await web() })
    const route = await make(`/edges/https/${edge}/routes`, {
      match_type: 'path_prefix',
      match: '/shop',
      backend: { backend_id },
      request_headers: { add: { 'X-Edge': 'yes' }, remove: ['cookie'] },
    })
    return { edge, route }
  }
  const card = (page: Page, edge: string) => page.getByRole('article', { name: edge, exact: true })
  const latest = (page: Page, edge: string) => card(page, edge).getByRole('listitem', { name: /^Decision/ })
  /** Names and values, such as `allowed3`. */
  const counters = async (page: Page, edge: string) =>
    (await card(page, edge).locator('.counters div').allTextContents()).join(' ')

  it('shows a connection while it is open, and after it closes', async () => {
    const edge = await tcpEdge({ hostports: ['127.0.0.1:0', 'db.example.com:5432'] })
    const url = await urlOf(edge)
    const page = await open(simulator.url, `#/edges/tcp_edges/${edge}`)
    await live(page)
    await card(page, edge).getByText(url, { exact: true }).waitFor()
    await expect.poll(() => counters(page, edge)).toBe('open0 allowed0 blocked0 failed0 in0 B out0 B')

    const { heard, hangUp } = await say(url, 'hello')
    expect(heard).toBe('hello')
    await textsIn(latest(page, edge)).toEqual([
      expect.stringMatching(/allowed\s+127\.0\.0\.1\s+no restriction applies/),
    ])
    await expect.poll(() => counters(page, edge)).toBe('open1 allowed1 blocked0 failed0 in5 B out5 B')
    hangUp()
    await expect.poll(() => counters(page, edge)).toBe('open0 allowed1 blocked0 failed0 in5 B out5 B')
    await page.reload()
    await expect.poll(() => latest(page, edge).count()).toBe(1)
  })

  it('shows a blocked connection, the deciding rule and the reason', async () => {
    const edge = await tcpEdge({ ip_restriction: { ip_policy_ids: ['ipp_local'] } })
    const page = await open(simulator.url, `#/edges/tcp_edges/${edge}`)
    await live(page)
    await card(page, edge).waitFor()
    const marks = await watchMarks(page)
    expect((await say(await urlOf(edge), 'hello')).heard).toBe('')
    await expect.poll(marks).toEqual([`${edge} refuse`])
    await expect.poll(() => page.locator('.just-decided').count()).toBe(0)
    await textIn(latest(page, edge)).toMatch(
      /blocked\s+127\.0\.0\.1\s+by ipr_local \(deny 127\.0\.0\.0\/8\) of ipp_local in its module/,
    )
    await expect.poll(() => counters(page, edge)).toContain('blocked1 ')
    await latest(page, edge).getByText('Why').click()
    await latest(page, edge).getByText(`The IP restriction module of ${edge} blocks 127.0.0.1`).waitFor()
    await latest(page, edge).getByRole('link', { name: 'ipr_local' }).click()
    await page.locator('.detail-head', { hasText: 'ipr_local' }).waitFor()
  })

  it('shows a request with its route, response and headers', async () => {
    const { edge, route } = await httpsEdge()
    const page = await open(simulator.url, `#/edges/https_edges/${edge}`)
    await live(page)
    await card(page, edge).waitFor()
    const marks = await watchMarks(page)
    const response = await ask(`${await urlOf(edge)}/shop/1?a=b`, { headers: { cookie: 'a=1' } })
    expect(response).toMatchObject({ status: 200, text: expect.stringContaining('"x-edge":"yes"') })
    await textIn(latest(page, edge)).toMatch(
      new RegExp(
        `allowed[\\s\\S]*GET /shop/1 → ${route}\\s+✓\\s+200[\\s\\S]*removed:\\s+cookie[\\s\\S]*added:\\s+x-edge: yes`,
      ),
    )
    await expect.poll(marks).toEqual([`${route} allow`])

    // A request that matches no route marks the edge.
    expect((await ask(`${await urlOf(edge)}/nowhere`)).status).toBe(404)
    await expect.poll(marks).toContain(`${edge} allow`)
    await expect.poll(() => latest(page, edge).count()).toBe(2)
    await textIn(latest(page, edge).first()).toMatch(/GET \/nowhere\s+!\s+404/)
    await expect.poll(() => counters(page, edge)).toContain('allowed2 ')
  })

  it('shows only the latest decisions, and none from before a reset', async () => {
    const { edge } = await httpsEdge()
    const url = await urlOf(edge)
    const page = await open(simulator.url, `#/edges/https_edges/${edge}`)
    await live(page)
    for (let i = 1; i <= 9; i++) await ask(`${url}/shop/${i}`)
    await textsIn(latest(page, edge)).toEqual(around(9, 8, 7, 6, 5, 4, 3, 2))
    await simulator.call('PUT', '/_sim/snapshots/before')
    await simulator.call('POST', '/_sim/reset')
    await page.getByRole('alert').getByText(edge).waitFor()
    await simulator.call('POST', '/_sim/snapshots/before/restore')
    await card(page, edge).waitFor()
    await ask(`${await urlOf(edge)}/shop/10`)
    await textsIn(latest(page, edge)).toEqual(around(10))
  })

  it('shows why an edge does not listen', async () => {
    const taken = await echo()
    const edge = await make('/edges/tcp', { hostports: [taken] })
    const page = await open(simulator.url, `#/edges/tcp_edges/${edge}`)
    await card(page, edge).getByText(`Not listening at ${taken}: port`).waitFor()
  })

  it('checks a connection from another address', async () => {
    const edge = await tcpEdge({ ip_restriction: { ip_policy_ids: ['ipp_local'] } })
    const page = await open(simulator.url, `#/edges/tcp_edges/${edge}`)
    await card(page, edge).getByText('Check a connection').click()
    const form = page.getByRole('form', { name: `Check ${edge}` })
    await form.getByRole('button', { name: 'Check' }).click()
    const said = form.getByRole('status')
    await textIn(said).toMatch(/blocked\s+127\.0\.0\.1\s+by ipr_local/)
    await form.getByLabel('Source IP').fill('nowhere')
    await form.getByLabel('Source IP').press('Enter')
    await said.getByText('must be an IP address').waitFor()
    await form.getByLabel('Source IP').fill('203.0.113.9')
    await form.getByRole('button', { name: 'Check' }).click()
    await textIn(said).toMatch(/allowed\s+203\.0\.113\.9\s+by ipr_all[\s\S]*Upstream 127\.0\.0\.1:/)
    await said.getByRole('link', { name: 'ipr_all' }).click()
    await page.locator('.detail-head', { hasText: 'ipr_all' }).waitFor()
    const { body } = await simulator.call('GET', '/_sim/traffic')
    expect(body.decisions.map((each: { edge: string }) => each.edge)).not.toContain(edge)
  })

  it('checks a request with its headers', async () => {
    const { edge, route } = await httpsEdge()
    const page = await open(simulator.url, `#/edges/https_edges/${edge}`)
    await card(page, edge).getByText('Check a request').click()
    const form = page.getByRole('form', { name: `Check ${edge}` })
    await form.getByLabel('Path').fill('/shop/cart')
    const add = async (i: number, name: string, value: string) => {
      await form.getByRole('button', { name: 'Add' }).click()
      await form.getByLabel(`Name ${i}`).fill(name)
      await form.getByLabel(`Value ${i}`).fill(value)
    }
    await add(1, 'Cookie', 'a=1')
    await add(2, 'Accept', 'text/html')
    await form.getByRole('button', { name: 'Check' }).click()
    const said = form.getByRole('status')
    await said.getByRole('link', { name: route }).waitFor()
    await expect
      .poll(() => said.locator('.diff li').allTextContents())
      .toEqual(['−removed: Cookie', 'Accept: text/html', '+added: x-edge: yes'])
    await form.getByLabel('Path').fill('/nowhere')
    await form.getByRole('button', { name: 'Check' }).click()
    await said.getByText('No route matches the path').waitFor()
  })

  it('checks a restriction type without an edge', async () => {
    const edge = await tcpEdge()
    const page = await open(simulator.url, '#/edges')
    // The form moves until the edges above it are complete.
    await live(page)
    const url = await urlOf(edge)
    await card(page, edge).getByText(url, { exact: true }).waitFor()
    const form = page.getByRole('form', { name: 'Check IP restrictions' })
    await form.getByRole('button', { name: 'Check' }).click()
    const said = form.getByRole('status')
    await textIn(said).toMatch(/blocked[\s\S]*ipx_agents/)
    await form.getByLabel('Type').selectOption('dashboard')
    await form.getByRole('button', { name: 'Check' }).click()
    await said.getByText('no restriction applies').waitFor()
  })
})

const around = (...parts: number[]) => parts.map(part => expect.stringContaining(`/shop/${part} `))
