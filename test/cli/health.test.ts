import { createServer, type RequestListener } from 'node:http'
import { networkInterfaces } from 'node:os'
import { describe, expect, it } from 'vitest'
import { version } from '../../src/engine/files/package.ts'
import { folderWith } from '../support/afterwards.ts'
import { listening, switching } from '../support/http.ts'
import { edgesimHere, simulate } from '../support/in-process.ts'
import { ALL } from '../support/long.ts'

const health = (args: string[], env?: Record<string, string>) => edgesimHere(['health', ...args], { env })
const portOf = (url: string) => new URL(url).port
const elsewhere = Object.values(networkInterfaces())
  .flatMap(list => list ?? [])
  .find(({ internal, family }) => !internal && family === 'IPv4')

const serve = async (response: RequestListener) => `http://127.0.0.1:${await listening(createServer(response))}`

describe.each(['health', 'env', 'mcp'])('edgesim %s', command => {
  const ask = (url: string) => edgesimHere([command, '--url', url], { cwd: folderWith() })

  it('returns 1 and prints one line if another server responds', async () => {
    const texts = ['{"up": true}', '<html>', 'null', '', '[]', '"ok"', '7', 'true', '{}', '{"status":["ok"]}', '\0']
    // Each mcp in this process adds listeners to its streams.
    for (const text of command === 'mcp' ? texts.slice(0, 2) : texts)
      for (const status of [200, 404]) {
        const url = await serve((_, res) => void res.writeHead(status).end(text))
        const { code, out, err } = await ask(url)
        expect({ code, out }, text).toEqual({ code: 1, out: '' })
        expect(err, text).toMatch(/^edgesim: [^\n]+\n$/)
        if (status === 200) expect(err, text).toContain('not edgesim')
      }
  })

  it('returns 1 if the server switches protocols', async () => {
    const { code, err } = await ask(await switching())
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('it returned status 101') })
  })
})

describe('edgesim health', () => {
  it('returns 0 if the simulator is ready at --url, EDGESIM_URL or --port', async () => {
    const { url } = await simulate({ controlToken: 'secret' })
    const healthy = { code: 0, out: `ok: edgesim ${version} at ${url}\n`, err: '' }
    expect(await health(['--url', url], { EDGESIM_URL: 'http://127.0.0.1:1' })).toEqual(healthy)
    expect(await health([], { EDGESIM_URL: url })).toEqual(healthy)
    expect(await health([], { EDGESIM_PORT: portOf(url) })).toEqual(healthy)
    expect(await health(['--port', portOf(url)], { EDGESIM_URL: 'http://127.0.0.1:1' })).toEqual(healthy)
  })

  it('accepts the self-signed certificate of a local simulator', async () => {
    const { url } = await simulate({ tls: true })
    expect(await health([], { EDGESIM_PORT: portOf(url), EDGESIM_TLS: 'true' })).toMatchObject({ code: 0, err: '' })
    expect(await health(['--url', url])).toMatchObject({ code: 0, err: '' })
  })

  it.skipIf(!elsewhere)('rejects unknown certificates of other machines', async () => {
    const { url } = await simulate({ tls: true, host: '0.0.0.0', controlToken: 'secret' })
    const { code, err } = await health(['--url', `https://${elsewhere!.address}:${portOf(url)}`])
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('self-signed certificate') })
  })

  it('returns 1 and a suggestion if nothing is running', async () => {
    const { code, out, err } = await health(['--port', '1'])
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toMatch(
      /^edgesim: GET http:\/\/127\.0\.0\.1:1\/_sim\/health failed\. .*ECONNREFUSED.*\. Start it with npx edgesim, or set --url/,
    )
  })

  it('names the source of an invalid address', async () => {
    const error = (says: RegExp) => ({ code: 2, err: expect.stringMatching(says) })
    expect(await health(['--url', 'here'])).toMatchObject(error(/^edgesim: --url: /))
    expect(await health([], { EDGESIM_URL: 'here' })).toMatchObject(error(/^edgesim: EDGESIM_URL: /))
  })

  it.runIf(ALL)('returns 1 after 3 seconds without a response', async () => {
    const url = await serve((_, res) => void res.write('{'))
    const { code, err } = await health(['--url', url])
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('within 3 s') })
  })
})
