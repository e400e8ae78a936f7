import { createHash, createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { MAX_SIGNED_BYTES } from '../../../src/ngrok/edges/webhook-verification.ts'
import { ask } from '../../support/http.ts'
import { dial, talk } from '../../support/raw-http.ts'
import { withRoute } from './edges.ts'

const SECRET = "It's a Secret to Everybody"
const signed = (body: string | Uint8Array, secret = SECRET) =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

/** The upstream returns the framing and the hash of its request. */
const withWebhooks = () =>
  withRoute({ webhook_verification: { provider: 'github', secret: SECRET } }, async (req, res) => {
    const hash = createHash('sha256')
    let bytes = 0
    for await (const chunk of req) {
      hash.update(chunk)
      bytes += chunk.length
    }
    const { 'content-length': length, 'transfer-encoding': coding } = req.headers
    res.end(JSON.stringify({ bytes, hash: hash.digest('hex'), length, coding }))
  })

describe('Webhook verification on a route', () => {
  it("checks GitHub's published example", async () => {
    const { at, latest } = await withWebhooks()
    const signature = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17'
    const headers = { 'X-Hub-Signature-256': signature }
    expect((await ask(at, { method: 'POST', headers, body: 'Hello, World!' })).status).toBe(200)
    expect((await latest()).explanation.text).toContain('Its webhook signature is valid.')
  })

  it.each([
    ['none', undefined],
    ['from a different secret', signed('body', 'other')],
    ['of a different body', signed('other')],
    ['too short', signed('body').slice(0, -1)],
    ['too long', `${signed('body')}0`],
    ['without its prefix', signed('body').slice('sha256='.length)],
    ['not hexadecimal', `sha256=${'x'.repeat(64)}`],
    ['empty', ''],
    ['two', [signed('body'), signed('body')]],
  ])('rejects a signature: %s', async (_, signature) => {
    const { at, counted, latest, traffic } = await withWebhooks()
    const headers = signature === undefined ? {} : { 'X-Hub-Signature-256': signature }
    const { status, body } = await ask(at, { method: 'POST', headers, body: 'body' })
    expect({ status, code: body.error_code }).toEqual({ status: 403, code: 'ERR_SERVICE_3204' })
    expect(counted.requests).toBe(0)
    expect(await latest()).toMatchObject({ verdict: 'refuse', decided_by: 'webhook_verification', status: 403 })
    expect((await traffic()).listeners[0]).toMatchObject({ allowed: 0, refused: 1 })
    expect(JSON.stringify(await latest())).not.toContain(SECRET)
  })

  it('forwards the body byte for byte, with a length', async () => {
    const { at } = await withWebhooks()
    const body = Buffer.from(Array.from({ length: 300_000 }, (_, i) => (i * 7) % 256))
    const headers = { 'X-Hub-Signature-256': signed(body), 'Content-Length': body.length }
    const seen = await ask(at, { method: 'POST', headers, body })
    const hash = createHash('sha256').update(body).digest('hex')
    expect(seen.body).toEqual({ bytes: body.length, hash, length: String(body.length) })
  })

  it('forwards a chunked body in chunks', async () => {
    const { edgePort } = await withWebhooks()
    const head = `POST / HTTP/1.1\r\nHost: h\r\nX-Hub-Signature-256: ${signed('abcdef')}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`
    const { said } = await talk(edgePort, `${head}3\r\nabc\r\n1\r\nd\r\n2\r\nef\r\n0\r\n\r\n`, { end: false })
    const hash = createHash('sha256').update('abcdef').digest('hex')
    expect(said).toContain(JSON.stringify({ bytes: 6, hash, coding: 'chunked' }))
  })

  it('also checks WebSockets and requests without a body', async () => {
    const { at } = await withWebhooks()
    expect((await ask(at)).status).toBe(403)
    expect((await ask(at, { headers: { 'X-Hub-Signature-256': signed('') } })).status).toBe(200)
    expect((await ask(at, { headers: { Connection: 'Upgrade', Upgrade: 'websocket' } })).status).toBe(403)
  })

  it.each([true, false])('rejects a body over 1 MB (with a length: %s)', async withLength => {
    const { at, counted } = await withWebhooks()
    const most = Buffer.alloc(MAX_SIGNED_BYTES, 'x')
    const post = (body: Buffer) => {
      const framing = withLength ? { 'Content-Length': body.length } : { 'Transfer-Encoding': 'chunked' }
      return ask(at, { method: 'POST', headers: { 'X-Hub-Signature-256': signed(body), ...framing }, body })
    }
    expect((await post(most)).status).toBe(200)
    const { status, body } = await post(Buffer.alloc(MAX_SIGNED_BYTES + 1, 'x'))
    expect({ status, code: body.error_code }).toEqual({ status: 403, code: 'ERR_SERVICE_3204' })
    expect(body.msg).toContain('larger than 1 MB')
    expect(counted.requests).toBe(1)
  })

  it('reports a client that disconnects after half of a body', async () => {
    const { edgePort, latest, counted, notices } = await withWebhooks()
    const { socket } = dial(edgePort)
    const half = `POST / HTTP/1.1\r\nHost: h\r\nX-Hub-Signature-256: ${signed('ab')}\r\nContent-Length: 2\r\n\r\na`
    await new Promise(resolve => socket.write(half, resolve))
    socket.destroy()
    await expect.poll(async () => (await latest())?.explanation.text).toContain('The client disconnected')
    expect(counted.requests).toBe(0)
    expect(notices.filter(({ level }) => level === 'error')).toEqual([])
  })

  it('is not covered by a check', async () => {
    const { check } = await withWebhooks()
    const text = expect.stringContaining('Not checked: the body signature.')
    expect(await check({})).toMatchObject({ verdict: 'allow', explanation: { text } })
  })
})
