import http, { type RequestListener, type ServerResponse } from 'node:http'
import { gunzipSync, inflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { codingFor } from '../../../src/ngrok/edges/compression.ts'
import { ask } from '../../support/http.ts'
import { tableIn } from '../../support/tables.ts'
import { withRoute } from './edges.ts'

const codings: [accepted: string, coding?: string][] = tableIn(import.meta.url, 'compression.yaml')

const TEXT = 'All work and no play makes Jack a dull boy. '.repeat(2_000)

const bytesOf = (url: string, headers: http.OutgoingHttpHeaders, method = 'GET') =>
  new Promise<{ status: number; headers: http.IncomingHttpHeaders; bytes: Buffer; whole: boolean }>(
    (resolve, reject) => {
      http
        .request(url, { headers, method, agent: false }, response => {
          const chunks: Buffer[] = []
          response.on('data', chunk => chunks.push(chunk)).on('error', () => {})
          response.once('close', () => {
            const { statusCode, headers, complete } = response
            resolve({ status: statusCode!, headers, bytes: Buffer.concat(chunks), whole: complete })
          })
        })
        .on('error', reject)
        .end()
    },
  )

const withCompression = (listener: RequestListener = (_req, res) => sendText(res), options = {}) =>
  withRoute({ compression: {} }, listener, options)
const sendText = (res: ServerResponse, headers: http.OutgoingHttpHeaders = {}, status = 200) =>
  res.writeHead(status, { 'Content-Type': 'text/plain', 'Content-Length': TEXT.length, ...headers }).end(TEXT)

describe('The response coding', () => {
  it.each(
    [[undefined], ...codings].map(([accepted, coding]) => [accepted, coding]),
  )('for %j is %j', (accepted, coding) => {
    expect(codingFor(accepted)).toBe(coding)
  })
})

describe('Compression on a route', () => {
  it.each([
    ['gzip', gunzipSync],
    ['deflate', inflateSync],
  ] as const)('sends %s to a client that accepts it', async (coding, decompress) => {
    const { at, latest } = await withCompression((_req, res) => sendText(res, { ETag: '"abc"', Vary: 'Origin' }))
    const { headers, bytes, whole } = await bytesOf(at, { 'Accept-Encoding': coding })
    expect(headers).toMatchObject({ 'content-encoding': coding, vary: 'Origin, Accept-Encoding', etag: 'W/"abc"' })
    expect(headers).not.toHaveProperty('content-length')
    expect(whole).toBe(true)
    expect(bytes.length).toBeLessThan(TEXT.length / 10)
    expect(decompress(bytes).toString()).toBe(TEXT)
    expect((await latest()).explanation.text).toContain(`The response was compressed with ${coding}.`)
  })

  it.each<[string, RequestListener, http.OutgoingHttpHeaders?, string?]>([
    ['for a client that does not accept it', (_, res) => sendText(res), { 'Accept-Encoding': 'br' }],
    ['for a client without Accept-Encoding', (_, res) => sendText(res), {}],
    ['that the upstream compressed', (_, res) => sendText(res, { 'Content-Encoding': 'br' })],
    ['with no-transform', (_, res) => sendText(res, { 'Cache-Control': 'public, no-transform' })],
    ['with a range', (_, res) => sendText(res, { 'Content-Range': `bytes 0-${TEXT.length - 1}/*` }, 206)],
    ['to HEAD', (_, res) => sendText(res), undefined, 'HEAD'],
    ['without a body', (_, res) => res.writeHead(200, { 'Content-Length': 0 }).end()],
    ['204', (_, res) => res.writeHead(204).end()],
    ['304', (_, res) => res.writeHead(304, { ETag: '"abc"' }).end()],
  ])('does not change a response %s', async (_, listener, headers = { 'Accept-Encoding': 'gzip' }, method) => {
    const { at } = await withCompression(listener)
    const plain = await withRoute({}, listener)
    const [seen, expected] = [await bytesOf(at, headers, method), await bytesOf(plain.at, headers, method)]
    for (const { headers } of [seen, expected]) delete headers.date
    const comparable = ({ bytes, ...rest }: typeof seen) => ({ ...rest, text: bytes.toString('latin1') })
    expect(comparable(seen)).toEqual(comparable(expected))
  })

  it('names Accept-Encoding in Vary once', async () => {
    const { at } = await withCompression((_req, res) => sendText(res, { Vary: 'accept-encoding, Origin' }))
    expect((await bytesOf(at, { 'Accept-Encoding': 'gzip' })).headers.vary).toBe('accept-encoding, Origin')
  })

  it('delays no event in a stream', async () => {
    let stream: ServerResponse | undefined
    const { at } = await withCompression((_req, res) => {
      stream = res.writeHead(200, { 'Content-Type': 'text/event-stream' })
      res.write('data: 1\n\n')
    })
    const response = await fetch(at, { headers: { 'Accept-Encoding': 'gzip' } })
    expect(response.headers.get('content-encoding')).toBe('gzip')
    const reader = response.body!.getReader()
    const next = async () => Buffer.from((await reader.read()).value!).toString()
    expect(await next()).toBe('data: 1\n\n')
    stream!.write('data: 2\n\n')
    expect(await next()).toBe('data: 2\n\n')
    stream!.end()
    expect((await reader.read()).done).toBe(true)
  })

  it('ends when the upstream disconnects, and then is not complete', async () => {
    let upstream: ServerResponse | undefined
    const { at } = await withCompression((_req, res) => {
      upstream = res
      res.writeHead(200).write(TEXT)
    })
    const cut = () => upstream!.socket!.resetAndDestroy()
    expect((await ask(at, { headers: { 'Accept-Encoding': 'gzip' }, onHead: cut })).error).toBe('ECONNRESET')
  })

  it('closes the upstream request when the client disconnects', async () => {
    let isClosed = false
    const { at } = await withCompression((_req, res) => {
      res.once('close', () => {
        isClosed = true
      })
      const more = () => {
        while (!res.destroyed && res.write(TEXT));
        res.once('drain', more)
      }
      more()
    })
    const leave = new AbortController()
    await ask(at, { headers: { 'Accept-Encoding': 'gzip' }, leave: leave.signal, onHead: () => leave.abort() })
    await expect.poll(() => isClosed).toBe(true)
  })

  it.each([{ type: 'truncate', after: 20 }, { type: 'truncate' }])('can be truncated by the fault %j', async fault => {
    const scenario = { name: 's', rules: [{ when: { edge: 'edghts_a' }, fault }] }
    const { at } = await withCompression(undefined, { scenario })
    const { whole, bytes, headers } = await bytesOf(at, { 'Accept-Encoding': 'gzip' })
    expect({ whole, coding: headers['content-encoding'] }).toEqual({ whole: false, coding: 'gzip' })
    if ('after' in fault) expect(bytes.length).toBe(20)
  })

  it('is complete under slow-body', async () => {
    const fault = { type: 'slow-body', bytes_per_second: 20_000 }
    const scenario = { name: 's', rules: [{ when: { edge: 'edghts_a' }, fault }] }
    const { at } = await withCompression(undefined, { scenario })
    const { whole, bytes } = await bytesOf(at, { 'Accept-Encoding': 'gzip' })
    expect(whole).toBe(true)
    expect(gunzipSync(bytes).toString()).toBe(TEXT)
  })

  it('runs after the response headers module, which cannot remove its header', async () => {
    const response_headers = { add: { vary: 'X-A' }, remove: ['vary', 'content-encoding'] }
    const { at } = await withRoute({ compression: {}, response_headers }, (_req, res) => sendText(res))
    const { headers } = await bytesOf(at, { 'Accept-Encoding': 'gzip' })
    expect(headers).toMatchObject({ vary: 'X-A, Accept-Encoding', 'content-encoding': 'gzip' })
  })
})
