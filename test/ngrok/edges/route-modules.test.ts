import { describe, expect, it } from 'vitest'
import { ask } from '../../support/http.ts'
import { talk } from '../../support/raw-http.ts'
import { pairs, UPGRADE, withRoute } from './edges.ts'

describe('The IP restriction on a route', () => {
  const state = {
    ip_policies: [
      { id: 'ipp_a', rules: [{ id: 'ipr_a', action: 'allow', cidr: '10.0.0.0/8' }] },
      { id: 'ipp_local', rules: [{ id: 'ipr_local', action: 'allow', cidr: '127.0.0.0/8' }] },
    ],
  }
  const module = (...ip_policy_ids: string[]) => ({ ip_restriction: { ip_policy_ids } })

  it('blocks a request, and the decision names the route and the rule', async () => {
    const edge = await withRoute(module('ipp_a'), undefined, { state })
    const { at, counted, latest, traffic, check, call, modulePath } = edge
    const { status, body } = await ask(at)
    expect({ status, code: body.error_code }).toEqual({ status: 403, code: 'ERR_EDGESIM_403' })
    expect(body.msg).toContain('The IP restriction module of edghtsrt_a blocks 127.0.0.1')
    expect(counted.requests).toBe(0)
    const refused = { verdict: 'refuse', decided_by: 'ip_restriction', route: 'edghtsrt_a' }
    expect(await latest()).toMatchObject({ ...refused, status: 403, upstream: null })
    expect(await check({ source_ip: '127.0.0.1' })).toMatchObject(refused)
    expect((await traffic()).listeners[0]).toMatchObject({ allowed: 0, refused: 1, failed: 0 })
    const passes = { verdict: 'allow', decided_by: 'ip_restriction', rule: { id: 'ipr_a' } }
    expect(await check({ source_ip: '10.1.2.3' })).toMatchObject(passes)
    await call('PUT', modulePath('ip_restriction'), { ip_policy_ids: ['ipp_local'] })
    expect((await ask(at)).status).toBe(200)
    expect(await latest()).toMatchObject({ verdict: 'allow', decided_by: 'ip_restriction', rule: { id: 'ipr_local' } })
  })

  it('has no effect when disabled', async () => {
    const ip_restriction = { ip_policy_ids: ['ipp_a'], enabled: false }
    const { at, latest } = await withRoute({ ip_restriction }, undefined, { state })
    expect((await ask(at)).status).toBe(200)
    expect(await latest()).toMatchObject({ decided_by: 'nothing' })
  })
})

describe('The user agent filter', async () => {
  const GOOGLE = { allow: ['(?i)google-images'], deny: ['(?i)google', '[Bb]ing'] }
  const { at, latest, check } = await withRoute({ user_agent_filter: GOOGLE })

  it.each([
    ['Google-Images/1.0', 200, '"(?i)google-images" in allow matches'],
    ['GoogleBot/2.1', 403, '"(?i)google" in deny matches'],
    ['a Bing', 403, '"[Bb]ing" in deny matches'],
    ['BING', 200, 'no pattern in deny matches'],
    ['curl/8.0', 200, 'no pattern in deny matches'],
    [undefined, 403, 'no pattern in allow matches the empty string'],
    ['', 403, 'no pattern in allow matches the empty string'],
  ])('returns for %j the status %i', async (userAgent, expected, why) => {
    const headers = userAgent === undefined ? {} : { 'User-Agent': userAgent }
    const { status, body } = await ask(at, { headers })
    expect(status).toBe(expected)
    if (expected === 403) expect(body.error_code).toBe('ERR_SERVICE_3211')
    const verdict = expected === 403 ? { verdict: 'refuse', decided_by: 'user_agent_filter' } : { verdict: 'allow' }
    for (const decision of [await latest(), await check({ headers })]) {
      expect(decision).toMatchObject(verdict)
      expect(decision.explanation.text).toContain(`${why}.`)
    }
  })

  it('allows requests without a User-Agent if a pattern in allow matches the empty string', async () => {
    const { at } = await withRoute({ user_agent_filter: { allow: ['^$'], deny: ['.'] } })
    expect((await ask(at)).status).toBe(200)
    expect((await ask(at, { headers: { 'User-Agent': 'x' } })).status).toBe(403)
  })

  it('uses the first of several User-Agent headers', async () => {
    const { at } = await withRoute({ user_agent_filter: { deny: ['^bad'] } })
    const asked = (...agents: string[]) =>
      ask(at, { headers: ['Host', 'h', ...agents.flatMap(agent => ['User-Agent', agent])] })
    expect((await asked('bad', 'good')).status).toBe(403)
    expect((await asked('good', 'bad')).status).toBe(200)
  })

  it('is rejected with a pattern that RE2 does not support, by its own path or within a route', async () => {
    const { call, modulePath } = await withRoute({})
    const wrong = { deny: ['fine', '(?=x)y'] }
    const inRoute = await call('PATCH', '/edges/https/edghts_a/routes/edghtsrt_a', { user_agent_filter: wrong })
    const inModule = await call('PUT', modulePath('user_agent_filter'), { module: wrong })
    const alone = await call('PUT', modulePath('user_agent_filter'), wrong)
    const expected = { status: 400, code: 'ERR_SERVICE_2090' }
    for (const { status, body } of [inRoute, inModule, alone])
      expect({ status, code: body.error_code }).toEqual(expected)
    expect(inRoute.body.details.field).toBe('user_agent_filter.deny[1]')
    expect(alone.body.details.field).toBe('deny[1]')
    expect(alone.body.msg).toContain('got the string "(?=x)y"')
    const right = { allow: ['(?i)x\\d+'], deny: [] }
    expect((await call('PUT', modulePath('user_agent_filter'), right)).body).toEqual({ enabled: true, ...right })
  })

  it('with an invalid pattern from a fixture blocks requests and reports why', async () => {
    const { at } = await withRoute({ user_agent_filter: { deny: ['('] } })
    const { status, body } = await ask(at, { headers: { 'User-Agent': 'x' } })
    expect(status).toBe(403)
    expect(body.msg).toContain('"(" in deny must be an RE2 regular expression')
  })
})

describe('Response headers of a route', () => {
  it('are removed, then added, and an existing header gets a second value', async () => {
    const response_headers = {
      add: { 'X-New': 'n', 'X-There': 'second', 'X-Both': 'new' },
      remove: ['Server', 'x-both', 'X-Absent'],
    }
    const { at } = await withRoute({ response_headers }, (_req, res) => {
      res.sendDate = false
      const sent = 'Server s X-Both old X-There first X-Odd 1 X-Odd 2 Content-Length 2'.split(' ')
      res.writeHead(201, 'Made', sent).end('ok')
    })
    const { status, rawHeaders, text } = await ask(at)
    expect({ status, text }).toEqual({ status: 201, text: 'ok' })
    const got = pairs(rawHeaders).filter(([name]) => !/^(connection|keep-alive)$/i.test(name))
    expect(got.flat().join(' ')).toBe(
      'X-There first X-Odd 1 X-Odd 2 Content-Length 2 x-new n x-there second x-both new',
    )
  })

  it('replace existing headers under add_existing_header=replace, as the decision reports', async () => {
    const listener = (_req: unknown, res: import('node:http').ServerResponse) => {
      res.setHeader('X-There', ['first', 'second'])
      res.end()
    }
    const assume = { add_existing_header: 'replace' }
    const { at, latest } = await withRoute({ response_headers: { add: { 'x-there': 'third' } } }, listener, { assume })
    expect((await ask(at)).headers['x-there']).toBe('third')
    expect((await latest()).assumptions).toEqual([{ name: 'add_existing_header', value: 'replace' }])
  })

  it('do not change a 101', async () => {
    const head =
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: x\r\n\r\n'
    const response_headers = { add: { 'X-A': '1' }, remove: ['Sec-WebSocket-Accept'] }
    const { edgePort } = await withRoute({ response_headers, compression: {} }, (_req, res) => {
      res.socket!.end(head)
    })
    const asked = UPGRADE.replace('Host: h', 'Host: h\r\nAccept-Encoding: gzip')
    expect((await talk(edgePort, asked, { end: false })).said).toBe(head)
  })
})

describe('Modules without effect', () => {
  const modules = {
    oauth: { provider: { google: {} } },
    oidc: { issuer: 'https://id.example.com', client_id: 'c', client_secret: 's' },
    saml: { enabled: false },
    websocket_tcp_converter: {},
    traffic_policy: { value: '{"on_http_request":[]}' },
    webhook_verification: { provider: 'stripe', secret: 's3cret' },
  }

  it('are named once in each decision if enabled', async () => {
    const { at, latest, check } = await withRoute(modules)
    expect((await ask(at)).status).toBe(200)
    const expected = [
      'The OAuth module of edghtsrt_a is stored but has no effect: requests pass without login.',
      'The OIDC module of edghtsrt_a is stored but has no effect: requests pass without login.',
      'The websocket TCP converter module of edghtsrt_a is stored but has no effect: WebSockets are forwarded unchanged.',
      'The traffic policy module of edghtsrt_a is stored but has no effect: requests and responses pass unchanged.',
      'The webhook verification module of edghtsrt_a is stored but has no effect: requests from the provider "stripe" pass without verification.',
    ]
    const { warnings, explanation } = await latest()
    expect(warnings).toEqual(expected)
    for (const text of expected) expect(explanation.text.split(text)).toHaveLength(2)
    expect((await check({})).warnings).toEqual(expected)
    expect(JSON.stringify(await latest())).not.toContain('s3cret')
  })
})
