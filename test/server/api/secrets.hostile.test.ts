import { expect, it } from 'vitest'
import { openEvents } from '../../support/http.ts'
import { simulate } from '../../support/in-process.ts'
import { watched } from '../../support/watched.ts'

it('A token created over the API is not in any file, log, journal or later response', async () => {
  const { call, as, events, everythingShown } = await watched()

  const { body: key } = await call('POST', '/api_keys', { description: 'mine' })
  const { body: keyInSandbox } = await as('sim_admin~sandbox')('POST', '/api_keys', { description: 'mine too' })
  const tokens: string[] = [key.token, keyInSandbox.token]
  const used = as(key.token)
  await used('GET', '/api_keys')
  await used('GET', `/api_keys/${key.id}`)
  await used('PATCH', `/api_keys/${key.id}`, { ...key })
  await used('POST', '/api_keys', { token: key.token })
  await used('GET', '/api_keys', undefined, { version: null })
  await used('GET', '/nowhere')
  await used('GET', '/api_keys', undefined, { headers: { cookie: key.token, 'proxy-authorization': key.token } })
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
  const inBasic = [`x:${key.token}`, key.token, `${key.token}:`].map(basic)
  for (const authorization of [key.token, `Basic ${key.token}`, ...inBasic])
    await as(null)('GET', '/api_keys', undefined, { headers: { authorization } })
  await as(`${key.token}~nowhere`)('GET', '/api_keys')
  await as(keyInSandbox.token)('GET', '/api_keys')
  await call('PUT', '/_sim/snapshots/kept')
  const where = { 'response.token': 'x', 'headers.authorization': 'x' }
  await call('POST', '/_sim/sandboxes/sandbox/requests/verify', { where })
  await call('DELETE', `/api_keys/${key.id}`)
  await as(key.token)('GET', '/api_keys')
  await events.until(() => events.events.filter(({ type }) => type === 'request').length >= 10)

  const found = await everythingShown('sandbox', ['api_keys'])

  for (const [where, text] of Object.entries(found)) {
    for (const token of tokens) {
      const secret = token.split('~')[0]!.split('_')[1]!
      expect(text, where).not.toContain(secret.slice(0, 12))
      // In base64, at any offset in a group of three bytes.
      for (const before of ['', 'x', 'xx']) expect(text, where).not.toContain(btoa(before + secret).slice(4, 16))
    }
  }
})

it('The value of a secret is not in any file, log, journal, event, message or response', async () => {
  const { call, as, events, everythingShown } = await watched()
  let count = 0
  /** A new value per place, to identify leaks. */
  const hidden = (what: string) => `hidden-${++count}-${what}`
  const responses: string[] = []
  async function send(method: string, path: string, body: unknown, raw?: string) {
    const headers = { 'content-type': 'application/json' }
    const options = raw === undefined ? {} : { raw, headers }
    const response = await as('sim_admin')(method, path, body, options)
    responses.push(`${method} ${path}: ${response.status} ${response.text}`)
    return response
  }
  const secret = (name: string) => ({ vault_id: 'vault_production', name, value: hidden(name) })
  const record = (name: string) => ({ ...secret(name), id: `secret_${name}` })

  const { status, body: created } = await send('POST', '/vault_secrets', secret('created'))
  expect(status).toBe(201)
  const path = `/vault_secrets/${created.id}`
  expect((await send('PATCH', path, { value: hidden('patched') })).status).toBe(200)
  expect((await send('GET', path, undefined)).status).toBe(200)
  const stream = (creds: object) => ({
    format: 'json',
    target: { kinesis: { auth: { creds }, stream_arn: 'arn:aws:kinesis:us-east-1:1:stream/x' } },
  })
  const creds = { aws_access_key_id: 'shown', aws_secret_access_key: hidden('aws') }
  expect((await send('POST', '/event_destinations', stream(creds))).status, responses.at(-1)).toBe(201)
  const datadog = { format: 'json', target: { datadog: { api_key: hidden('datadog') } } }
  expect((await send('POST', '/event_destinations', datadog)).status).toBe(201)
  const rejections: [status: number, method: string, path: string, body: unknown, raw?: string][] = [
    [400, 'POST', '/vault_secrets', secret('created')],
    [400, 'POST', '/vault_secrets', { ...secret('misspelt'), valu: hidden('valu') }],
    [400, 'POST', '/vault_secrets', { ...secret('nested'), value: { value: hidden('nested') } }],
    [400, 'POST', '/vault_secrets', { ...secret('wrapped'), secret: { text: hidden('wrapped') } }],
    [400, 'POST', '/vault_secrets', secret('too-long'.repeat(99))],
    [400, 'POST', '/vault_secrets', undefined, `{"value": "${hidden('unparsed')}"`],
    [400, 'POST', '/vault_secrets', undefined, `{"valu": "${hidden('unparsed-misspelt')}"`],
    [400, 'POST', '/vault_secrets', undefined, JSON.stringify([hidden('list')])],
    [400, 'PATCH', path, { value: [hidden('patched-list')] }],
    [400, 'POST', '/vaults', { name: 'other', value: hidden('vault') }],
    [400, 'POST', '/vaults', { name: 'other', secrets: [{ valeu: hidden('vault-nested') }] }],
    [400, 'POST', '/vaults', undefined, `{"value": "${hidden('vault-unparsed')}"`],
    [404, 'POST', '/vault_secret', secret('no-path')],
    [404, 'POST', '/vault_secret', { valeu: hidden('no-path-misspelt') }],
    [404, 'POST', '/vault_secret', undefined, `{"value": "${hidden('no-path-unparsed')}"`],
    [405, 'PUT', path, secret('no-method')],
    [400, 'POST', '/event_destinations', stream({ ...creds, aws_secret_acces_key: hidden('aws-misspelt') })],
    [400, 'POST', '/event_destinations', { format: 'json', target: { datadog: { api_key: 7, key: hidden('key') } } }],
    [400, 'POST', '/api_keys', { api_key: hidden('elsewhere') }],
    [400, 'PUT', '/_sim/state', { vault_secrets: [record('alone')] }],
    [400, 'POST', '/_sim/db/vault_secrets', { ...record('db-misspelt'), valu: hidden('db-valu') }],
    [400, 'POST', '/_sim/db/vault_secrets', { ...record('db-vault'), vault_id: 'vault_none' }],
    [400, 'PUT', '/_sim/scenario', { state: { vault_secrets: [{ ...record('scenario'), valu: hidden('valu') }] } }],
  ]
  for (const [expected, method, target, body, raw] of rejections)
    expect((await send(method, target, body, raw)).status, responses.at(-1)).toBe(expected)
  const changes: [method: string, path: string, body: unknown][] = [
    ['POST', '/_sim/db/vault_secrets', record('db')],
    ['PATCH', '/_sim/db/vault_secrets/secret_db', { value: hidden('db-patched') }],
    ['PUT', '/_sim/scenario', { name: 'with', state: { vault_secrets: [record('in-scenario')] } }],
    ['GET', '/_sim/scenario', undefined],
    ['PUT', '/_sim/snapshots/kept', undefined],
    ['PUT', '/_sim/sandboxes/sandbox', undefined],
  ]
  for (const [method, target, body] of changes)
    expect((await send(method, target, body)).status, responses.at(-1)).toBeLessThan(300)
  const { body: state } = await call('GET', '/_sim/state')
  state.vault_secrets.push(record('state'))
  expect((await send('PUT', '/_sim/state', state)).status, responses.at(-1)).toBeLessThan(300)
  await as('sim_admin~sandbox')('POST', '/vault_secrets', secret('in-sandbox'))
  await send('PUT', '/_sim/scenario', { rules: [{ fault: { type: 'error', status: 500 } }] })
  expect((await send('POST', '/vault_secrets', secret('fault'))).status).toBe(500)
  await events.until(() => events.events.filter(({ type }) => type === 'request').length >= 19)

  const found = await everythingShown('sandbox', ['vaults', 'vault_secrets', 'event_destinations'])
  expect(found['/_sim/db/vault_secrets']).toContain('secret_state')
  expect(found['/_sim/deliveries']).toContain('secret_created.v0')
  expect(found['/_sim/requests?limit=1000']).toContain('[redacted]')
  for (const response of responses) expect(response).not.toMatch(/hidden-\d/)
  for (const [where, text] of Object.entries(found)) expect(text.match(/.{0,80}hidden-\d.{0,60}/), where).toBeNull()
})

it('The journal redacts only three headers and the token of a key', async () => {
  const { call, url } = await simulate()
  const events = await openEvents(`${url}/_sim/events`)
  const hidden = { 'proxy-authorization': 'hidden', cookie: 'hidden' }
  const headers = { ...hidden, 'x-api-key': 'key', 'x-cookie': 'other', 'authorization-2': 'second' }
  const body = { description: 'described', metadata: 'secret' }
  await call('POST', '/api_keys?token=queried', body, { headers })
  await events.until(() => events.events.some(({ type }) => type === 'request'))
  const { requests } = (await call('GET', '/_sim/requests')).body
  expect(requests[0]).toMatchObject({
    query: { token: 'queried' },
    request: { headers: { 'x-api-key': 'key', 'x-cookie': 'other', 'authorization-2': 'second' }, body },
    response: { body: { ...body, token: '[redacted]' } },
  })
  const redacted = Object.entries(requests[0].request.headers).filter(([, value]) => value === '[redacted]')
  expect(redacted.map(([name]) => name).sort()).toEqual(['authorization', 'cookie', 'proxy-authorization'])
  const har = (await call('GET', '/_sim/requests.har')).text
  const sent = JSON.stringify(events.events)
  expect(har + sent).not.toMatch(/hidden|Bearer/)
  for (const shown of ['"key"', '"other"', '"second"', 'secret', '"queried"']) expect(har).toContain(shown)
  for (const shown of ['secret', 'queried']) expect(sent).toContain(`"${shown}"`)
  expect(sent).not.toContain('x-api-key')
})

it('A token is not stored if its response never arrives', async () => {
  const [simulator, twin] = [await simulate({ seed: 1 }), await simulate({ seed: 1 })]
  for (const type of ['truncate', 'garbage', 'lost-reply']) {
    const { body: key } = await twin.call('POST', '/api_keys')
    await simulator.call('PUT', '/_sim/scenario', { rules: [{ fault: { type } }] })
    await simulator.call('POST', '/api_keys').catch(() => {})
    const journal = await simulator.call('GET', '/_sim/requests')
    expect(journal.body.requests[0].change.ops[0].id, type).toBe(key.id)
    expect(journal.text).not.toContain(key.token.split('_')[1].slice(0, 12))
  }
})
