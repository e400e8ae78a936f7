import { readFileSync } from 'node:fs'
import { get } from 'node:http'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { startServer } from '../../engine/scenarios/client.ts'
import { expectError, expectRefusal } from '../../support/http.ts'
import { apiRoutes, controlRoutes, type Simulated, simulate } from '../../support/in-process.ts'
import { ALL, LONG } from '../../support/long.ts'
import { forEach, rawClient } from '../../support/raw-http.ts'

const { call, port } = await simulate()
const table = readFileSync(new URL('guard.yaml', import.meta.url), 'utf8').replaceAll('PORT', `${port}`)
type Table = 'foreignHosts' | 'allowedHosts' | 'foreignOrigins'
const { foreignHosts, allowedHosts, foreignOrigins }: Record<Table, string[]> = parse(table)
const raw = rawClient(port)
const control = await controlRoutes(call)
const isCertificate = ({ method, path }: { method: string; path: string }) =>
  method === 'GET' && path === '/_sim/ca.pem'
const isHealth = (path: string) => path === '/_sim/health'
const isDashboard = (path: string) => path === '/_sim/' || path.startsWith('/_sim/assets/')
const isDocs = (path: string) => path === '/_sim/docs' || path.startsWith('/_sim/docs/')

/** Each of n values is tested on every n-th route. The long run tests each value on all routes. */
const partOf = <T>(routes: T[], value: number, values: number) => routes.filter((_, i) => LONG || i % values === value)

const look = () => Promise.all(['state', 'snapshots'].map(async what => (await call('GET', `/_sim/${what}`)).text))
const before = await look()

const withHost = (host: string, method: string, target: string, more: string[] = []) =>
  raw.request({ method, target, without: ['host'], headers: [`Host: ${host}`, ...more] })

describe('A foreign Host', () => {
  it.each(foreignHosts)('is rejected: %s', async host => {
    for (const target of ['/api_keys', '/_sim/state']) {
      const response = await withHost(host, 'GET', target)
      expect(expectRefusal(response, 403, 403).details).toEqual({})
      expect(response.headers.get('edgesim-operation-id')).toBeNull()
    }
  })

  it('is rejected if it is missing or sent twice', async () => {
    for (const target of ['/api_keys', '/_sim/state']) {
      const none = expectRefusal(await raw.request({ target, without: ['host'] }), 400, 400)
      expect(none.msg).toContain('The Host header is missing')
      for (const host of ['evil.com', `127.0.0.1:${port}`]) {
        const two = expectRefusal(await raw.request({ target, headers: [`Host: ${host}`] }), 400, 400)
        expect(two.msg).toContain('Send one Host header, got 2')
      }
    }
  })

  it.each(['evil.com', '127.0.0.1@evil.com', 'localhost.evil.com:80', ''])('is rejected in a URL: %s', async host => {
    expectRefusal(await raw.request({ target: `http://${host}/_sim/state` }), 403, 403)
    expectRefusal(await raw.request({ target: `HTTP://${host}/api_keys` }), 403, 403)
  })

  it('is rejected on every route', async () => {
    const others = ['/', '/_sim', '/_sim/', '/_sim/assets/x.js', '/nowhere', '*', '/_sim/health/x']
    const all = [...apiRoutes, ...control, ...others.map(path => ({ method: 'GET', path }))]
    await forEach(all, 8, async ({ method, path }) => {
      const response = await withHost('evil.com', method, path)
      if (isHealth(path)) expect(response.status).toBe(200)
      else expectRefusal(response, 403, 403)
    })
    expect(await look()).toEqual(before)
  })
})

describe('A Host that is an IP address or allowed', () => {
  /** The status for a client with these headers. */
  const statusAt = async (to: number, host: string, origin?: string) => {
    const headers = [`Host: ${host}`, ...(origin === undefined ? [] : [`Origin: ${origin}`])]
    return (await rawClient(to).request({ target: '/_sim/clock', without: ['host'], headers })).status
  }

  it.each(allowedHosts)('is accepted: %s', async host => {
    const uri = `http://${host}/api_keys`
    expect(await withHost(host, 'GET', '/api_keys')).toMatchObject({ status: 200, body: { uri } })
    expect((await withHost(host, 'GET', '/_sim/state')).status).toBe(200)
  })

  it('is accepted in the target', async () => {
    const { status, body } = await raw.request({ target: `http://localhost:${port}/api_keys?limit=1` })
    expect({ status, items: body.keys.length }).toEqual({ status: 200, items: 1 })
    expect((await raw.request({ target: 'http://127.0.0.1/_sim/state' })).status).toBe(200)
  })

  it('is accepted if --allowed-host contains it or its suffix, ignoring case', async () => {
    const allowedHost = ['sim.test', 'UPPER.test', '.cluster.LOCAL']
    const { port: other } = await simulate({ allowedHost })
    const served = ['sim.test', 'SIM.test:80', 'upper.test', 'edgesim.ns.svc.cluster.local', 'a.Cluster.local:4600']
    for (const host of served) expect(await statusAt(other, host), host).toBe(200)
    for (const host of ['a.sim.test', 'sim.test.evil.com', 'evilcluster.local', 'sim.tests', 'sim.test@evil.com'])
      expect(await statusAt(other, host), host).toBe(403)
  })

  it('is accepted if --base-url contains exactly this host', async () => {
    const { port: other } = await simulate({ baseUrl: 'https://EdgeSim.example.test:8443/v2' })
    const own = 'https://edgesim.example.test:8443'
    for (const host of ['edgesim.example.test', 'EDGESIM.example.test:8443', `127.0.0.1:${other}`])
      for (const origin of [undefined, own]) expect(await statusAt(other, host, origin), host).toBe(200)
    const foreign = ['https://edgesim.example.test', 'http://edgesim.example.test:8443', `${own}.evil.com`, `${own}/v2`]
    for (const origin of foreign) expect(await statusAt(other, 'edgesim.example.test', origin), origin).toBe(403)
    for (const host of ['example.test', 'a.edgesim.example.test', 'edgesim.example.test.evil.com', 'evil.com'])
      expect(await statusAt(other, host, own), host).toBe(403)
  })
})

describe('An Origin on the control plane', () => {
  const own = `http://127.0.0.1:${port}`
  const foreign = [...foreignOrigins, `http://127.0.0.1:${port + 1}`]

  it.each(foreign)('is rejected if it is foreign: "%s"', async origin => {
    await forEach(partOf(control, foreign.indexOf(origin), foreign.length), 8, async ({ method, path }) => {
      expectRefusal(await raw.request({ method, target: path, headers: [`Origin: ${origin}`] }), 403, 403)
    })
    expect(await look()).toEqual(before)
  })

  it('is rejected if it is sent twice, even if the first is allowed', async () => {
    const headers = [`Origin: ${own}`, 'Origin: https://evil.com']
    expectRefusal(await raw.request({ target: '/_sim/state', headers }), 403, 403)
  })

  it('is accepted if it is the simulator, without CORS headers', async () => {
    for (const target of ['/_sim/state', '/_sim/health', '/_sim/db/users', '/api_keys']) {
      const response = await raw.request({ target, headers: [`Origin: ${own}`] })
      expect(response.status).toBe(200)
      expect([...response.headers.keys()].filter(name => name.startsWith('access-control'))).toEqual([])
    }
  })

  it('must have https if the simulator serves HTTPS', async () => {
    const server = await startServer({ tls: true })
    const ask = (origin: string) => server.send('GET', '/_sim/state', { headers: { origin } })
    expect((await ask(server.url)).status).toBe(200)
    expect((await ask(server.url.replace('https', 'http'))).status).toBe(403)
  })

  it('is rejected if it is foreign, with any Sec-Fetch-Site', async () => {
    const headers = ['Sec-Fetch-Site: same-origin', 'Sec-Fetch-Mode: cors', 'Origin: null']
    expectRefusal(await raw.request({ target: '/_sim/state', headers }), 403, 403)
  })

  it('is accepted behind a proxy if the browser sends Sec-Fetch-Site: same-origin', async () => {
    const ask = (site: string, origin: string) =>
      raw.request({ target: '/_sim/clock', headers: [`Sec-Fetch-Site: ${site}`, `Origin: ${origin}`] })
    expect((await ask('same-origin', 'http://127.0.0.1:8080')).status).toBe(200)
    for (const site of ['same-site', 'cross-site', 'none', 'same-origin, cross-site', 'Same-Origin'])
      expectRefusal(await ask(site, 'http://127.0.0.1:8080'), 403, 403)
  })

  it('is accepted with https if a trusted proxy serves TLS', async () => {
    const target = '/_sim/clock'
    const [trusting, other] = [await simulate({ trustProxy: true }), await simulate()]
    const ask = ({ port }: Simulated, origin: string, ...headers: string[]) =>
      rawClient(port).request({ target, headers: [`Origin: ${origin}`, ...headers] })
    const proto = 'X-Forwarded-Proto: https'
    const secure = (simulated: Simulated) => `https://127.0.0.1:${simulated.port}`
    expect((await ask(trusting, secure(trusting), proto)).status).toBe(200)
    expectRefusal(await ask(trusting, secure(trusting)), 403, 403)
    expectRefusal(await ask(trusting, 'https://evil.com', proto), 403, 403)
    expectRefusal(await ask(other, secure(other), proto), 403, 403)
    const { body } = await trusting.call('GET', '/_sim/info', undefined, { headers: { 'x-forwarded-proto': 'https' } })
    expect(body.url).toBe(secure(trusting))
    const key = await trusting.call('GET', '/api_keys/ak_ci', undefined, { headers: { 'x-forwarded-proto': 'https' } })
    expect(key.body.uri).toBe(`${secure(trusting)}/api_keys/ak_ci`)
  })
})

const sites = ['cross-site', 'same-site']
const opening = ['Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: document']
const loading = ['Sec-Fetch-Mode: no-cors', 'Sec-Fetch-Dest: script']

describe('A request from another site', () => {
  it.each(ALL ? sites : sites.slice(0, 1))('is rejected on every control route (Sec-Fetch-Site: %s)', async site => {
    // Half of the routes are opened as pages, the others loaded as resources.
    const tried = control.map((each, i) => ({ ...each, more: (i + sites.indexOf(site)) % 2 === 0 ? opening : loading }))
    await forEach(tried, 8, async ({ method, path, more }) => {
      if (more === opening && isDashboard(path) && !path.includes('assets')) return
      const response = await raw.request({ method, target: path, headers: [`Sec-Fetch-Site: ${site}`, ...more] })
      expect(expectRefusal(response, 403, 403).msg).toContain(`Sec-Fetch-Site: ${site}`)
      expectPrivate(response.headers)
    })
    expect(await look()).toEqual(before)
  })

  it.each(ALL ? sites : sites.slice(1))('is rejected on the API, and not recorded (Sec-Fetch-Site: %s)', async site => {
    const sim = await simulate({ cors: ['https://app.test'] })
    const ask = rawClient(sim.port)
    await sim.call('GET', '/api_keys')
    const froms = [[], ['Origin: https://evil.test'], ['Origin: null'], opening]
    for (const [i, { method, path }] of [...apiRoutes, { method: 'OPTIONS', path: '/api_keys' }].entries()) {
      const from = froms[(i + sites.indexOf(site)) % froms.length]!
      const response = await ask.request({ method, target: path, headers: [`Sec-Fetch-Site: ${site}`, ...from] })
      expect(expectRefusal(response, 403, 403).msg).toContain('--cors')
    }
    const { requests } = (await sim.call('GET', '/_sim/requests')).body
    expect(requests).toMatchObject([{ path: '/api_keys', status: 200 }])
  })

  it('is accepted from an origin in --cors, and as a link to the dashboard', async () => {
    const sim = await simulate({ cors: ['https://app.test'] })
    const ask = rawClient(sim.port)
    for (const site of sites) {
      const headers = [`Sec-Fetch-Site: ${site}`, 'Sec-Fetch-Mode: cors', 'Origin: https://app.test']
      expect((await ask.request({ headers })).status).toBe(200)
      const wanted = [...headers, 'Access-Control-Request-Method: POST']
      expect((await ask.request({ method: 'OPTIONS', headers: wanted })).status).toBe(204)
      for (const path of ['/', '/_sim', '/_sim/']) {
        const given = { accept: 'text/html', 'sec-fetch-site': site, 'sec-fetch-mode': 'navigate' }
        const go = (dest: string) => getFrom(sim.url + path, { ...given, 'sec-fetch-dest': dest })
        expect(await go('document'), path).not.toBe(403)
        expect(await go('iframe'), path).toBe(403)
      }
    }
  })

  it('is not assumed if the client is not a browser, with any Origin', async () => {
    const sim = await simulate()
    const ask = rawClient(sim.port)
    for (const more of [[], ['Sec-Fetch-Mode: cors'], ['Sec-Fetch-Site: none'], ['Sec-Fetch-Site: same-origin']])
      for (const origin of ['https://app.test', 'null', 'file://', 'capacitor://localhost'])
        expect((await ask.request({ headers: [`Origin: ${origin}`, ...more] })).status).toBe(200)
  })
})

/** Headers that block use by other sites and MIME sniffing. */
function expectPrivate(headers: Headers) {
  expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('x-frame-options')).toBe('DENY')
}

/** Returns the status. `fetch` sets some of the headers itself. */
const getFrom = (url: string, headers: Record<string, string>) =>
  new Promise((resolve, reject) => {
    get(url, { headers, agent: false }, response => resolve(response.resume().statusCode)).on('error', reject)
  })

describe('Cross-Origin-Resource-Policy', () => {
  it.runIf(ALL)('is set on every response of the control plane', async () => {
    const sim = await simulate()
    const ask = rawClient(sim.port)
    const isOther = (path: string) => isDashboard(path) || path.endsWith('/events')
    const paths = control.filter(({ method, path }) => method !== 'GET' || !isOther(path))
    await forEach([...paths, { method: 'GET', path: '/_sim/nowhere' }], 8, async ({ method, path }) => {
      for (const headers of [[], ['Origin: https://evil.test'], ['Authorization: Bearer x']])
        expectPrivate((await ask.request({ method, target: path, headers })).headers)
    })
    expectPrivate((await withHost('evil.test', 'GET', '/_sim/state')).headers)
  })

  it('is set on events, dashboard files and rejected control tokens', async () => {
    const sim = await simulate({ controlToken: 'open-sesame' })
    const authorization = 'Bearer open-sesame'
    for (const path of ['/_sim/events', '/_sim', '/_sim/', '/_sim/assets/nothing.js', '/_sim/state', '/_sim/ca.pem']) {
      for (const headers of [{ authorization }, {}]) {
        const response = await fetch(sim.url + path, { headers: headers as HeadersInit, redirect: 'manual' })
        expectPrivate(response.headers)
        await response.body?.cancel()
      }
    }
  })
})

describe('Without --cors, the API', () => {
  it('returns 405 for a preflight', async () => {
    await forEach(apiRoutes, 8, async ({ path }) => {
      const headers = ['Origin: https://app.test', 'Access-Control-Request-Method: POST']
      const response = await raw.request({ method: 'OPTIONS', target: path, headers })
      expectRefusal(response, 405, 405)
      expect(response.headers.has('access-control-allow-origin')).toBe(false)
    })
  })
})

describe('--cors', async () => {
  const { port: at } = await simulate({ cors: ['https://app.test', 'http://localhost:3000', 'null'] })
  const opened = rawClient(at)
  const from = (origin: string, method: string, target: string, more: string[] = []) =>
    opened.request({ method, target, headers: [`Origin: ${origin}`, ...more] })

  it('opens the API to its origins only', async () => {
    const { status, headers } = await from('https://app.test', 'GET', '/api_keys')
    expect(status).toBe(200)
    expect(headers.get('access-control-allow-origin')).toBe('https://app.test')
    expect(headers.get('vary')).toBe('Origin')
    expect(headers.get('access-control-expose-headers')).toContain('Edgesim-Operation-Id')
    const others = ['https://app.test.evil.com', 'http://app.test', 'https://app.test:8443', 'https://APP.test', 'null']
    for (const origin of [...others, 'https://evil.com/https://app.test']) {
      const refused = await from(origin, 'GET', '/api_keys')
      expect(refused.headers.has('access-control-allow-origin'), origin).toBe(false)
    }
  })

  it('also opens errors, so a page can read them', async () => {
    const response = await from('http://localhost:3000', 'GET', '/api_keys/ak_nobody')
    expect(response.status).toBe(404)
    expect(response.headers.get('access-control-allow-origin')).toBe('http://localhost:3000')
  })

  it('accepts a preflight', async () => {
    const named = 'authorization,service-version'
    const wanted = ['Access-Control-Request-Method: PATCH', `Access-Control-Request-Headers: ${named}`]
    const { status, headers } = await from('https://app.test', 'OPTIONS', '/api_keys/ak_ci', wanted)
    expect(status).toBe(204)
    expect(headers.get('access-control-allow-methods')).toContain('PATCH')
    expect(headers.get('access-control-allow-headers')).toBe(named)
    expect((await from('https://evil.com', 'OPTIONS', '/api_keys/ak_ci', wanted)).status).toBe(405)
  })

  it('does not open the control plane', async () => {
    for (const { method, path } of control) {
      const response = await from('https://app.test', method, path)
      expectRefusal(response, 403, 403)
      expect(response.headers.has('access-control-allow-origin')).toBe(false)
    }
  })

  it('is suggested to other origins', async () => {
    const response = await from('http://app.test', 'OPTIONS', '/api_keys', ['Access-Control-Request-Method: POST'])
    const says = /CORS preflight from http:\/\/app\.test\. .* --cors http:\/\/app\.test\./
    expect(expectRefusal(response, 405, 405).msg).toMatch(says)
  })
})

describe('With --control-token', async () => {
  const controlToken = 'open-sesame'
  const guarded = await simulate({ controlToken })
  const ask = rawClient(guarded.port)
  const all = await controlRoutes(guarded.call, controlToken)
  const routes = all.filter(route => !isDashboard(route.path) && !isDocs(route.path) && !isCertificate(route))
  const secret = async () => (await guarded.call('GET', '/_sim/state', undefined, { token: controlToken })).text
  const untouched = await secret()

  it('every control route requires it, except health, certificate, dashboard and docs', async () => {
    expect(routes.length).toBeGreaterThan(50)
    await forEach(routes, 8, async ({ method, path }) => {
      const response = await ask.request({ method, target: path, without: ['authorization'] })
      if (isHealth(path)) return expect(response.status).toBe(200)
      expectRefusal(response, 401, 401)
      expect(response.headers.get('www-authenticate')).toBe('Bearer')
    })
    expect(await secret()).toBe(untouched)
  })

  const wrong = [
    ['Bearer wrong', 'is wrong'],
    ['Bearer sim_admin', 'is wrong'],
    ['Bearer', 'requires a token'],
    ['open-sesame', 'requires a token'],
    ['Basic open-sesame', 'requires a token'],
    ['Bearer open-sesame2', 'is wrong'],
    [`Basic ${Buffer.from('x:open-sesame').toString('base64')}`, 'requires a token'],
  ] as const
  it.each(wrong.map((each, i) => [...each, i] as const))('"%s" is rejected: the token %s', async (sent, why, i) => {
    const headers = [`Authorization: ${sent}`]
    await forEach(partOf(routes, i, wrong.length), 8, async ({ method, path }) => {
      const response = await ask.request({ method, target: path, without: ['authorization'], headers })
      if (!isHealth(path)) expect(expectRefusal(response, 401, 401).msg).toContain(why)
    })
    expect(await secret()).toBe(untouched)
  })

  it.each(['bearer open-sesame', 'BEARER  open-sesame', 'Bearer open-sesame  '])('"%s" is accepted', async sent => {
    const how = { token: null, headers: { authorization: sent } }
    expect((await guarded.call('GET', '/_sim/state', undefined, how)).status).toBe(200)
  })

  it('the token can contain spaces', async () => {
    const { as } = await simulate({ controlToken: 'open  sesame now' })
    const read = async (token: string) => (await as(token)('GET', '/_sim/state')).status
    expect(await read('open  sesame now ')).toBe(200)
    for (const token of ['open', 'open sesame now', 'open  sesame', 'sesame now']) expect(await read(token)).toBe(401)
  })

  it('unknown paths and other spellings of paths require it', async () => {
    const targets = ['/_sim/nowhere', '//_sim//state', '/_sim/state/', '/_sim/./state', '/_sim/assets/../state']
    for (const target of [...targets, '/_sim/sandboxes/default/events', '/_sim/health/../state']) {
      const { status, text } = await ask.request({ target, without: ['authorization'] })
      expect([401, 404], target).toContain(status)
      expect(text).not.toContain('usr_admin')
    }
  })

  it('dashboard files are open for reading only', async () => {
    for (const target of ['/_sim', '/_sim/', '/_sim/assets/nothing.js']) {
      expect((await fetch(guarded.url + target)).status, target).not.toBe(401)
      expectRefusal(await ask.request({ method: 'POST', target, without: ['authorization'] }), 401, 401)
    }
  })

  it('a self-signed certificate is open, except to a foreign Origin', async () => {
    const { send, certificate } = await startServer({ tls: true, controlToken })
    const get = (headers: Record<string, string>, method = 'GET') => send(method, '/_sim/ca.pem', { headers })
    expect(await get({})).toMatchObject({ status: 200, text: certificate })
    expect((await get({ origin: 'null' })).status).toBe(403)
    expect((await get({}, 'POST')).status).toBe(401)
  })

  it('the API still uses its own tokens', async () => {
    expect(JSON.parse(untouched).users).toHaveLength(2)
    expect((await guarded.call('GET', '/api_keys')).status).toBe(200)
    expectError(await guarded.as(controlToken)('GET', '/api_keys'), 401, 203)
  })

  it('a foreign Host or Origin is still rejected', async () => {
    for (const [name, value] of Object.entries({ host: 'evil.com', origin: 'null' })) {
      const headers = [`${name}: ${value}`, `Authorization: Bearer ${controlToken}`]
      expectRefusal(await ask.request({ target: '/_sim/state', without: [name, 'authorization'], headers }), 403, 403)
    }
  })
})

describe('A GET', () => {
  it.runIf(ALL)('changes nothing on any route', async () => {
    const { call: ask, port: at } = await simulate()
    const whats = ['state', 'snapshots', 'sandboxes', 'clock', 'assumptions']
    await ask('PUT', '/_sim/clock', { now: '2026-01-01T00:00:00Z', frozen: true })
    await ask('PUT', '/_sim/snapshots/nobody')
    const read = () => Promise.all(whats.map(async what => (await ask('GET', `/_sim/${what}`)).text))
    const first = await read()
    const reader = rawClient(at)
    const all = [...apiRoutes, ...control].map(({ path }) => path)
    const paths = all.filter(path => !path.endsWith('/events') && !isDashboard(path))
    await forEach(new Set(paths), 8, async path => {
      await reader.request({ target: path, without: ['authorization'] })
      await reader.request({ target: `${path}?_method=DELETE`, headers: ['X-HTTP-Method-Override: DELETE'] })
    })
    const [state, snapshots, sandboxes, ...rest] = await read()
    expect([state, snapshots, ...rest]).toEqual([first[0], first[1], ...first.slice(3)])
    expect(JSON.parse(sandboxes!).sandboxes).toMatchObject([{ name: 'default', seq: 0 }])
  })
})

it('A request rejected by the guard is logged once, with the option that would allow it', async () => {
  const notices: string[] = []
  const sim = await simulate({}, { onNotice: ({ text }) => void notices.push(text) })
  const ask = rawClient(sim.port)
  for (const host of ['edgesim:4600', 'edgesim:4600', 'other'])
    await ask.request({ target: '/api_keys', without: ['host'], headers: [`Host: ${host}`] })
  await ask.request({ target: '/_sim/state', headers: ['Origin: http://app.test'] })
  for (let i = 0; i < 40; i++) await ask.request({ without: ['host'], headers: [`Host: h${i}`] })
  expect(notices.slice(0, 3)).toEqual([
    expect.stringMatching(/^Rejected a request: The Host "edgesim:4600" is not allowed\. .* --allowed-host NAME\.$/),
    expect.stringMatching(/The Host "other"/),
    expect.stringMatching(/The origin http:\/\/app\.test is not allowed\. .* --cors ORIGIN\.$/),
  ])
  expect(notices).toHaveLength(20)
})

it('GET /_sim/info lists the latest 20 requests rejected by the guard', async () => {
  const sim = await simulate({ controlToken: 'open-sesame' })
  const ask = rawClient(sim.port)
  const refused = async (): Promise<{ at: string; msg: string }[]> =>
    (await sim.call('GET', '/_sim/info', undefined, { token: 'open-sesame' })).body.refused
  expect(await refused()).toEqual([])
  for (let i = 0; i < 40; i++) await ask.request({ without: ['host'], headers: [`Host: h${i}`] })
  await ask.request({ headers: ['Origin: http://app.test', 'Sec-Fetch-Site: cross-site'] })
  const preflight = ['Origin: http://app.test:3000', 'Access-Control-Request-Method: GET']
  expect((await ask.request({ method: 'OPTIONS', headers: preflight })).status).toBe(405)
  expectRefusal(await ask.request({ target: '/_sim/info' }), 401, 401)
  await ask.request({ without: ['host'], headers: ['Host: h39'] })
  const all = await refused()
  expect(all).toHaveLength(20)
  for (const { at } of all) expect(Math.abs(Date.now() - Date.parse(at))).toBeLessThan(3_600_000)
  expect(all.map(({ msg }) => msg).slice(-5)).toEqual([
    expect.stringContaining('The Host "h38"'),
    expect.stringMatching(/another site, http:\/\/app\.test \(Sec-Fetch-Site: cross-site\)\. .* --cors/),
    expect.stringMatching(/another site, http:\/\/app\.test:3000\. .* --cors/),
    expect.stringContaining('The control token is wrong'),
    expect.stringContaining('The Host "h39"'),
  ])
})
