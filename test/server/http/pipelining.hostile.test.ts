import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { simulate } from '../../support/in-process.ts'
import { bytesOf, dial } from '../../support/raw-http.ts'

const { port, call, sandboxes } = await simulate()
const host = `Host: 127.0.0.1:${port}\r\n`
const json = '{"description":"was made"}'
const health = `GET /_sim/health HTTP/1.1\r\n${host}\r\n`
const create = bytesOf(port, { method: 'POST', path: '/api_keys', body: json }).toString()

/** Response statuses until the connection closes, up to the wanted number. */
async function statuses(sent: string, wanted: number): Promise<number[]> {
  const { socket, said, closed } = dial(port)
  socket.write(sent)
  const seen = () => [...said().matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status))
  socket.on('data', () => seen().length >= wanted && socket.destroy())
  await closed
  return seen()
}

describe('After a valid request in the same packet,', () => {
  it.each([
    ['invalid HTTP', 'x\r\n\r\n', 400],
    ['a broken request line', 'GET /\r\n\r\n', 400],
    ['a CONNECT', `CONNECT x:1 HTTP/1.1\r\n${host}\r\n`, 405],
    ['an unknown Expect', `GET /_sim/health HTTP/1.1\r\n${host}Expect: x\r\n\r\n`, 417],
  ])('%s gets the next response', async (_, behind, status) => {
    expect(await statuses(create + behind, 2)).toEqual([201, status])
    expect(await statuses(create + create + behind, 3)).toEqual([201, 201, status])
  })

  it('an upgrade ends the connection, so no later request is lost silently', async () => {
    const upgrade = health.replace('\r\n', '\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n')
    expect(await statuses(upgrade + health, 2)).toEqual([200])
  })

  it('a malformed body does not affect earlier responses', async () => {
    const broken = `POST /api_keys HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`
    expect((await statuses(create + broken, 2))[0]).toBe(201)
    expect((await statuses(`${create}${create}${broken}`, 3)).slice(0, 2)).toEqual([201, 201])
  })

  it('malformed bytes of that request get the only response', async () => {
    const chunked = create.replace(/Content-Length: \d+/, 'Transfer-Encoding: chunked').replace(json, 'zzz\r\n\r\n')
    const countKeys = async () => (await call('GET', '/api_keys')).body.keys.length
    const before = await countKeys()
    expect(await statuses(chunked, 1)).toEqual([400])
    expect(await countKeys()).toBe(before)
  })
})

const requestIn = (sandbox: string, path: string) => bytesOf(port, { path, token: `sim_admin~${sandbox}` }).toString()

/** A connection with a hanging request, and other bytes pipelined after it. */
async function stuck(sandbox: string, behind: string) {
  const rules = [{ when: { path: '/api_keys' }, fault: { type: 'hang' } }]
  await call('PUT', `/_sim/sandboxes/${sandbox}`, { scenario: { rules } })
  const { socket, said } = dial(port)
  socket.write(requestIn(sandbox, '/api_keys') + behind)
  const underWay = () => sandboxes.useOf(sandboxes.get(sandbox)!).activeRequests
  await expect.poll(underWay).toBeGreaterThan(0)
  // After this response, the server has also read the pipelined bytes.
  await call('GET', '/_sim/health')
  return { socket, underWay, said, release: () => call('POST', `/_sim/sandboxes/${sandbox}/reset`) }
}

describe('Pipelined requests on a connection', () => {
  it('are served one at a time, in order', async () => {
    const paths = Array.from({ length: 20 }, (_, i) => `/api_keys/ak_${i}`)
    const behind = paths.map(path => requestIn('in-turn', path)).join('')
    const { underWay, release, said } = await stuck('in-turn', behind)
    expect(underWay()).toBe(1)
    const seen = async () => (await call('GET', '/_sim/sandboxes/in-turn/requests')).body.requests
    expect(await seen()).toHaveLength(1)
    await release()
    await expect.poll(() => said().match(/HTTP\/1\.1 404/g)).toHaveLength(20)
    expect((await seen()).map((entry: { path: string }) => entry.path)).toEqual(paths.toReversed())
  })

  it('are limited to 1,000: the next is rejected in turn, and ends the connection', async () => {
    const { socket, release, said } = await stuck('too-many', health.repeat(1_200))
    await release()
    await once(socket, 'close')
    const responses = said().match(/HTTP\/1\.1 \d+/g)!
    expect(responses).toHaveLength(1_002)
    expect(responses.slice(1, -1).every(status => status === 'HTTP/1.1 200')).toBe(true)
    expect(said()).toMatch(/HTTP\/1\.1 503 [^{]*connection: close[^{]*\{.*More than 1000 requests[^{]*\{\}\}$/i)
  })

  it.each([
    ['1,200 requests', health.repeat(1_200)],
    ['invalid HTTP', 'x\r\n\r\n'],
    ['a request and invalid HTTP', `${health}x\r\n\r\n`],
    ['a CONNECT', `CONNECT x:1 HTTP/1.1\r\n${host}\r\n`],
    ['a request without its body', `POST /api_keys HTTP/1.1\r\n${host}Content-Length: 9\r\n\r\n{`],
  ])('end when the client disconnects from a hanging one, with %s after it', async (_, behind) => {
    for (const leave of ['destroy', 'resetAndDestroy', 'end'] as const) {
      const { socket, underWay } = await stuck('left', behind)
      socket[leave]()
      await expect.poll(underWay).toBe(0)
    }
  })
})
