import { describe, expect, it } from 'vitest'
import type { Method } from '../../../src/engine/language/index.ts'
import { Connection, LostResponse, MAX_TRIES } from '../../../src/ngrok/real-api/connection.ts'
import { serve, timeOf } from './fake.ts'

const connect = <M extends Method = 'GET'>(url: string, methods = ['GET'] as M[], options = {}) =>
  new Connection({ url, key: 'secret', vendor: 'ngrok' }, methods, { time: timeOf(), ...options })

describe('The connection to the real API', () => {
  it('sends the key and version, and only the allowed methods', async () => {
    const seen: unknown[] = []
    const url = await serve(({ method, url, headers }, res) => {
      seen.push([method, url, headers.authorization, headers['ngrok-version'], headers['user-agent']])
      res.end('{"keys":[]}')
    })
    const connection = connect(url)
    expect(await connection.send('GET', '/api_keys')).toMatchObject({ status: 200, body: { keys: [] } })
    for (const method of ['POST', 'PATCH', 'PUT', 'DELETE'])
      await expect(connection.send(method as 'GET', '/api_keys')).rejects.toThrow(
        `${method} /api_keys is not allowed: only GET`,
      )
    expect(seen).toEqual([['GET', '/api_keys', 'Bearer secret', '2', expect.stringMatching(/^edgesim\//)]])
  })

  it('sends up to 60 requests per minute by default', async () => {
    const url = await serve((_, res) => res.end('{}'))
    const waits: number[] = []
    const time = timeOf(waits)
    const connection = connect(url, ['GET'], { time })
    for (let i = 0; i < 3; i++) await connection.send('GET', '/')
    expect(waits).toEqual([1000, 1000])
    const faster = connect(url, ['GET'], { time: timeOf(waits), pace: 120 })
    for (let i = 0; i < 2; i++) await faster.send('GET', '/')
    expect(waits.at(-1)).toBe(500)
  })

  it('waits for Retry-After, and backs off without it', async () => {
    const responses = [
      [429, { 'retry-after': '7' }],
      [503, { 'retry-after': new Date(Date.now() + 5500).toUTCString() }],
      [429, {}],
      [200, {}],
    ] as [number, object][]
    const url = await serve(
      (_, res) => void res.writeHead(...(responses.shift() as [number, Record<string, string>])).end('{}'),
    )
    const waits: unknown[] = []
    const connection = connect(url, ['GET'], { onWait: (seconds: number, why: string) => waits.push([seconds, why]) })
    expect((await connection.send('GET', '/')).status).toBe(200)
    expect(waits).toEqual([
      [7, 'status 429'],
      [expect.toBeOneOf([4, 5, 6]), 'status 503'],
      [4, 'status 429'],
    ])
  })

  it('stops instead of waiting for hours', async () => {
    const url = await serve((_, res) => void res.writeHead(429, { 'retry-after': '7200' }).end())
    await expect(connect(url).send('GET', '/')).rejects.toThrow('Run the command again after 7200 s (Retry-After).')
  })

  it('gives up after 7 attempts without a response', async () => {
    let count = 0
    const url = await serve((_, res) => {
      count++
      res.destroy()
    })
    await expect(connect(url).send('GET', '/x')).rejects.toThrow(
      /GET \/x failed at .*: .*\. Gave up after 7 attempts\./,
    )
    expect(count).toBe(MAX_TRIES)
  })

  it('does not retry a request that may have had an effect', async () => {
    let count = 0
    const url = await serve((_, res) => {
      count++
      res.writeHead(503).end()
    })
    const connection = connect(url, ['POST', 'DELETE'] as Method[])
    await expect(connection.send('POST', '/x', { body: {} })).rejects.toThrow(LostResponse)
    expect(count).toBe(1)
    await expect(connection.send('DELETE', '/x', { repeatable: true })).rejects.toThrow('Gave up after 7 attempts')
    expect(count).toBe(1 + MAX_TRIES)
  })

  it('retries a POST request after status 429', async () => {
    const statuses = [429, 201]
    const url = await serve((_, res) => void res.writeHead(statuses.shift()!).end('{"id":"x"}'))
    const response = await connect(url, ['POST'] as Method[]).send('POST', '/x', { body: {} })
    expect(response).toMatchObject({ status: 201, body: { id: 'x' } })
  })

  it('follows next pages only at the same address, and no redirects', async () => {
    const next: Record<string, string> = {}
    const url = await serve((req, res) => {
      if (req.url === '/moved') return void res.writeHead(302, { location: 'http://127.0.0.1:9/' }).end()
      res.end(JSON.stringify({ next_page_uri: next[req.url!] ?? null }))
    })
    const pathsFrom = async (path: string) => {
      const paths: unknown[] = []
      for await (const { next } of connect(url).pages(path)) paths.push(next)
      return paths
    }
    next['/a'] = `${url}/a?before_id=1`
    expect(await pathsFrom('/a')).toEqual(['/a?before_id=1', undefined])
    for (const other of [
      'http://evil.example/a',
      `${url.replace('127.0.0.1', 'localhost')}/a`,
      '//evil.example/',
      'x:y',
    ]) {
      next['/b'] = other
      await expect(pathsFrom('/b')).rejects.toThrow('links to a next page at another address')
    }
    next['/c'] = `${url}/c`
    await expect(pathsFrom('/c')).rejects.toThrow('form a loop')
    expect((await connect(url).send('GET', '/moved')).status).toBe(302)
  })

  it('stops after the maximum number of pages', async () => {
    let count = 0
    const url = await serve((_, res) => void res.end(JSON.stringify({ next_page_uri: `/a?before_id=${++count}` })))
    const readAll = async () => {
      for await (const _page of connect(url, ['GET'], { maxPages: 3 }).pages('/a'));
    }
    await expect(readAll()).rejects.toThrow('/a has more than 3 pages')
    expect(count).toBe(3)
  })

  it('rejects a URL that would expose the key', () => {
    expect(() => connect('http://api.example.com')).toThrow('must use HTTPS, because the API key is sent there')
    expect(() => connect('https://me:pw@api.example.com')).toThrow('must not contain a user name or password')
    for (const url of ['https://api.example.com', 'http://localhost:1', 'http://[::1]:1', 'http://127.0.0.1:1'])
      expect(() => connect(url)).not.toThrow()
  })

  it('stops waiting when aborted', async () => {
    const url = await serve((_, res) => void res.writeHead(429, { 'retry-after': '600' }).end())
    const stop = new AbortController()
    const connection = connect(url, ['GET'], { time: undefined, onWait: () => stop.abort() })
    await expect(connection.send('GET', '/', { signal: stop.signal })).rejects.toThrow('aborted')
  })
})
