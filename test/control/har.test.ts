import { describe, expect, it } from 'vitest'
import { expectHar, linesOf } from '../support/har.ts'
import { operationOf } from '../support/http.ts'
import { simulate } from '../support/in-process.ts'
import { ALL } from '../support/long.ts'
import { bytesOf, dial, forEach, pooledClient, rawClient } from '../support/raw-http.ts'

const { call, as, port, url } = await simulate()
const harOf = async (sandbox: string, query = '') =>
  expectHar((await call('GET', `/_sim/sandboxes/${sandbox}/requests.har${query}`)).body)
const pair = (name: string, value: unknown) => expect.arrayContaining([{ name, value }])

/** A sandbox with these rules. */
async function under(name: string, rules: object[]) {
  await call('PUT', `/_sim/sandboxes/${name}`)
  await call('PUT', `/_sim/sandboxes/${name}/scenario`, { rules })
  return as(`sim_admin~${name}`)
}

describe('A request as HAR', () => {
  it('contains all parts of a plain request', async () => {
    await call('PUT', '/_sim/sandboxes/plain')
    await call('PUT', '/_sim/sandboxes/plain/clock', { now: '2026-02-03T04:05:06.789Z', frozen: true })
    const response = await as('sim_admin~plain')('GET', '/api_keys?limit=2&x=a%20b&x=2')
    const { pages, entries, comment } = await harOf('plain')
    const startedDateTime = '2026-02-03T04:05:06.789Z'
    expect(comment).toBeUndefined()
    expect(pages).toEqual([{ id: 'plain', title: 'plain', startedDateTime, pageTimings: {} }])
    expect(entries).toHaveLength(1)
    const { time, ...entry } = entries[0]!
    expect(time).toBeGreaterThan(0)
    const size = Buffer.byteLength(response.text)
    expect(entry).toEqual({
      pageref: 'plain',
      startedDateTime,
      request: {
        method: 'GET',
        url: `${url}/api_keys?limit=2&x=a%20b&x=2`,
        httpVersion: 'HTTP/1.1',
        cookies: [],
        headers: pair('service-version', '2'),
        queryString: [
          { name: 'limit', value: '2' },
          { name: 'x', value: 'a b' },
          { name: 'x', value: '2' },
        ],
        headersSize: -1,
        bodySize: 0,
      },
      response: {
        status: 200,
        statusText: 'OK',
        httpVersion: 'HTTP/1.1',
        cookies: [],
        headers: pair('edgesim-operation-id', operationOf(response)),
        content: { size, mimeType: 'application/json', text: response.text },
        redirectURL: '',
        headersSize: -1,
        bodySize: size,
        _transferSize: size,
      },
      cache: {},
      timings: { send: 0, wait: time, receive: 0 },
      _resourceType: 'fetch',
      _operationId: operationOf(response),
      _operation: 'list_api_keys',
      _sandbox: 'plain',
      _explanation: expect.stringMatching(/\w/),
    })
  })

  it('contains the sent body, and no body for a 204', async () => {
    const sandbox = as('sim_admin~bodies')
    const body = { description: 'né', metadata: '"quoted"' }
    await sandbox('PATCH', '/api_keys/ak_ci', body)
    await sandbox('DELETE', '/api_keys/ak_ci')
    const [patched, deleted] = (await harOf('bodies')).entries
    const text = JSON.stringify(body)
    expect(patched!.request).toMatchObject({
      postData: { mimeType: 'application/json', text },
      bodySize: Buffer.byteLength(text),
    })
    expect(deleted!.request).not.toHaveProperty('postData')
    expect(deleted!.response).toMatchObject({ status: 204, statusText: 'No Content', bodySize: 0 })
    expect(deleted!.response.content).toEqual({ size: 0, mimeType: 'x-unknown' })
  })

  it.each([
    ['text', '{"desc:', { text: '{"desc:' }],
    ['bytes', new Uint8Array([0x22, 0xff, 0x22]), { text: 'Iv8i', encoding: 'base64' }],
  ])('contains a non-JSON body unchanged, as %s', async (_, raw, expected) => {
    await call('DELETE', '/_sim/requests')
    await call('POST', '/api_keys', undefined, { raw, headers: { 'content-type': 'text/plain' } })
    const [entry] = (await harOf('default')).entries
    expect(entry!.request.postData).toEqual({ mimeType: 'text/plain', ...expected })
    expect(entry!.request.bodySize).toBe(raw.length)
  })

  it.each([
    ['announced', ['Content-Length: 70000']],
    ['chunked', ['Transfer-Encoding: chunked']],
  ])('has an unknown size for an unread body that is %s', async (_, headers) => {
    await call('DELETE', '/_sim/requests')
    const body = `${(70_000).toString(16)}\r\n${'x'.repeat(70_000)}\r\n0\r\n\r\n`
    const { status } = await rawClient(port).request({ method: 'POST', headers, body })
    expect(status).toBe(413)
    const [entry] = (await harOf('default')).entries
    expect(entry!.request.bodySize).toBe(-1)
    expect(entry!.request).not.toHaveProperty('postData')
  })

  it('contains the reason for an error', async () => {
    await as('sim_admin~refused')('GET', '/api_keys/ak_nobody')
    await as('sim_admin~refused')('GET', '/nowhere')
    const [unknown, nowhere] = (await harOf('refused')).entries
    expect(unknown!.response).toMatchObject({ status: 404, statusText: 'Not Found' })
    expect(unknown!._explanation).toMatch(/ak_nobody/)
    expect(unknown).not.toHaveProperty('_rules')
    expect(nowhere).toMatchObject({ _operation: null, _explanation: expect.stringMatching(/nowhere/) })
  })

  it('has status 0 and the reason if no response was sent', async () => {
    const sandbox = await under('unanswered', [{ name: 'lose it', fault: { type: 'lost-reply' } }])
    await expect(sandbox('GET', '/api_keys')).rejects.toThrow()
    const [entry] = (await harOf('unanswered')).entries
    expect(entry!.response).toMatchObject({
      status: 0,
      statusText: '',
      headers: [],
      content: { size: 0, mimeType: 'x-unknown' },
      bodySize: -1,
      _error: expect.stringMatching(/"lose it"/),
    })
    expect(entry!._rules).toEqual([{ name: 'lose it', fired: true, effect: expect.stringContaining('reset') }])
    expect(entry!._explanation).toBe(entry!.response._error)
  })

  it('is included before its response', async () => {
    await under('hanging', [{ fault: { type: 'hang' } }])
    dial(port).socket.write(bytesOf(port, { path: '/api_keys', token: 'sim_admin~hanging' }))
    await expect.poll(async () => (await harOf('hanging')).entries.length).toBe(1)
    const [entry] = (await harOf('hanging')).entries
    expect(entry).toMatchObject({ time: 0, response: { status: 0, _error: 'No response was sent yet.' } })
  })

  it('has a valid URL for any target', async () => {
    await call('DELETE', '/_sim/requests')
    await rawClient(port).request({
      target: '/api_keys/"a"<b>%zz#x?a[]=|&b=%41^',
      headers: ['Set-Cookie: a', 'Set-Cookie: b'],
    })
    const [entry] = (await harOf('default')).entries
    expect(entry!.request.url).toBe(`${url}/api_keys/%22a%22%3Cb%3E%25zz%23x?a%5B%5D=%7C&b=%41%5E`)
    expect(entry!.request.headers.filter(({ name }) => name === 'set-cookie').map(({ value }) => value)).toEqual([
      'a',
      'b',
    ])
  })
})

describe('The journal as HAR', async () => {
  const sandbox = as('sim_admin~kept')
  await sandbox('POST', '/api_keys', { description: 'a' })
  await sandbox('GET', '/api_keys')
  await sandbox('GET', '/api_keys/ak_nobody')

  it('is a file named after its sandbox, the oldest request first', async () => {
    const { headers, body } = await call('GET', '/_sim/sandboxes/kept/requests.har')
    expect(headers.get('content-type')).toBe('application/json')
    expect(headers.get('content-disposition')).toBe('attachment; filename="edgesim-kept.har"')
    expect(linesOf(expectHar(body))).toEqual(['POST /api_keys 201', 'GET /api_keys 200', 'GET /api_keys/ak_nobody 404'])
    const usual = await call('GET', '/_sim/requests.har')
    expect(usual.headers.get('content-disposition')).toBe('attachment; filename="edgesim-default.har"')
    for (const { _sandbox } of expectHar(usual.body).entries) expect(_sandbox).toBe('default')
  })

  it.each([
    ['status=4xx', ['GET /api_keys/ak_nobody 404']],
    ['limit=2', ['GET /api_keys 200', 'GET /api_keys/ak_nobody 404']],
  ])('is filtered by %s', async (query, expected) => {
    expect(linesOf(await harOf('kept', `?${query}`))).toEqual(expected)
  })

  it('contains the base URL', async () => {
    const proxied = await simulate({ baseUrl: 'https://api.example.test/v2' })
    await proxied.call('GET', '/api_keys')
    const { body } = await proxied.call('GET', '/_sim/requests.har')
    expect(expectHar(body).entries[0]!.request.url).toBe('https://api.example.test/v2/api_keys')
  })

  it.runIf(ALL)('contains all entries of a full journal, and the number of dropped ones', async () => {
    const client = pooledClient(port)
    await forEach(Array(1_100).keys(), 16, async n => {
      const body = { text: 'é"'.repeat(n) }
      await client.send({ method: 'PATCH', path: '/api_keys/ak_ci', token: 'sim_admin~full', body })
    })
    client.close()
    const [{ headers, text, body }, journal] = await Promise.all([
      call('GET', '/_sim/sandboxes/full/requests.har'),
      call('GET', '/_sim/sandboxes/full/requests?limit=1000'),
    ])
    const log = expectHar(body)
    expect(Number(headers.get('content-length'))).toBe(Buffer.byteLength(text))
    // Written in slices, it equals JSON.stringify.
    expect(text).toBe(JSON.stringify(body))
    expect(text.length).toBeGreaterThan(2_000_000)
    expect(log.comment).toBe('Older requests dropped from the journal: 100')
    expect(log.entries.map(({ _operationId }) => _operationId)).toEqual(
      journal.body.requests.map(({ id }: { id: string }) => id).reverse(),
    )
  })

  it('can be empty', async () => {
    await call('PUT', '/_sim/sandboxes/unused')
    expect(await harOf('unused')).toMatchObject({ pages: [], entries: [] })
  })
})
