import { once } from 'node:events'
import { chmodSync, existsSync, readFileSync } from 'node:fs'
import * as http from 'node:http'
import * as https from 'node:https'
import { networkInterfaces } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderWith } from '../support/afterwards.ts'
import { edgesim, launch, startEdgesim } from '../support/as-process.ts'
import { ALL } from '../support/long.ts'

const auth = { authorization: 'Bearer sim_admin', 'service-version': '2' }

async function get(url: string, headers: Record<string, string>, options: https.RequestOptions = {}) {
  const { request } = url.startsWith('https:') ? https : http
  const req = request(url, { headers, agent: false, ...options }).end()
  const [res] = (await once(req, 'response')) as [http.IncomingMessage]
  let text = ''
  for await (const chunk of res) text += chunk
  return { status: res.statusCode, headers: res.headers, body: text ? JSON.parse(text) : undefined }
}

async function text(url: string, options: https.RequestOptions) {
  const [res] = (await once(https.get(url, { agent: false, ...options }), 'response')) as [http.IncomingMessage]
  expect(res.headers['content-type']).toBe('application/x-pem-file')
  return Buffer.concat(await res.toArray()).toString()
}

describe.concurrent('edgesim --cors', () => {
  it.runIf(ALL)('opens the API, but not the control plane, to pages of that origin only', async () => {
    const { ready } = await startEdgesim(['--cors', 'http://app.test'])
    const ask = (path: string, origin: string) => get(ready.url + path, { ...auth, origin })
    expect((await ask('/api_keys', 'http://app.test')).headers['access-control-allow-origin']).toBe('http://app.test')
    expect((await ask('/api_keys', 'http://other.test')).headers).not.toHaveProperty('access-control-allow-origin')
    expect((await ask('/_sim/state', 'http://app.test')).status).toBe(403)
  })

  it.runIf(ALL)('answers a preflight', async () => {
    const { ready } = await startEdgesim(['--cors', 'http://app.test'])
    const preflight = await fetch(`${ready.url}/api_keys`, {
      method: 'OPTIONS',
      headers: {
        origin: 'http://app.test',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization, service-version',
      },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-headers')).toBe('authorization, service-version')
  })
})

describe.concurrent('edgesim --tls', () => {
  it('serves HTTPS, and has https in the uris of answers', async () => {
    const { ready } = await startEdgesim(['--tls'])
    expect(ready.url).toMatch(/^https:/)
    const { status, body } = await get(`${ready.url}/api_keys`, auth, { rejectUnauthorized: false })
    expect(status).toBe(200)
    expect(body.uri).toBe(`${ready.url}/api_keys`)
    await expect(get(`${ready.url}/api_keys`, auth)).rejects.toThrow(/self-signed certificate/)
  })

  it.runIf(ALL)('prints the file of its certificate, serves it too, and removes it at the end', async () => {
    const { child, until, ended } = launch(['--tls', '--port', '0'])
    const said = await until(/curl .*\n/)
    const [, file, address] = /^certificate: (.*), and at (.*)$/m.exec(said)!
    expect(said).toContain(`curl --cacert "${file}" -H`)
    const ca = readFileSync(file!, 'utf8')
    const { origin } = new URL(address!)
    expect((await get(`${origin}/api_keys`, auth, { ca })).status).toBe(200)
    expect(await text(address!, { rejectUnauthorized: false })).toBe(ca)
    child.kill('SIGTERM')
    expect((await ended).code).toBe(0)
    expect(existsSync(dirname(file!))).toBe(false)
  })

  it.runIf(ALL)('serves no certificate without --tls', async () => {
    const { call } = await startEdgesim()
    expect(await call('GET', '/_sim/ca.pem')).toMatchObject({
      status: 404,
      body: { msg: expect.stringContaining('The options --tls and --as make one') },
    })
  })
})

describe.concurrent('edgesim --base-url', () => {
  it.runIf(ALL)('is the beginning of uris in answers, and does not change where the simulator listens', async () => {
    const { ready, call } = await startEdgesim(['--base-url', 'https://api.example.test/v2/'])
    expect(ready.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect((await call('GET', '/api_keys')).body.uri).toBe('https://api.example.test/v2/api_keys')
    const out = await launch(['--port', '0', '--base-url', 'https://api.example.test']).until(/curl .*\n/)
    expect(out).toMatch(/curl .* "http:\/\/127\.0\.0\.1:\d+\/api_keys"/)
  })
})

describe.concurrent('edgesim --host', () => {
  const others = Object.values(networkInterfaces()).flatMap(list => list ?? [])
  const outside = others.find(({ family, internal }) => family === 'IPv4' && !internal)?.address

  it.runIf(ALL).each(['0.0.0.0', '::', '192.0.2.7'])(
    'refuses %s without a control token, since other machines can reach it',
    async host => {
      const { code, err } = await edgesim(['--port', '0', '--host', host])
      expect(code).toBe(2)
      expect(err).toMatch(/^edgesim: --host .* can be reached from other machines.*--control-token/)
    },
  )

  it('requires the control token on the control plane, but not on the API', async () => {
    const { ready, call } = await startEdgesim(['--host', '0.0.0.0', '--control-token', 'secret'])
    expect(ready.url).toMatch(/^http:\/\/127\.0\.0\.1:/)
    expect(JSON.stringify(ready)).not.toContain('secret')
    const { port } = new URL(ready.url)
    expect(ready.other_urls).toEqual(outside ? expect.arrayContaining([`http://${outside}:${port}`]) : [])
    expect((await call('GET', '/api_keys')).status).toBe(200)
    expect((await get(`${ready.url}/_sim/state`, {})).status).toBe(401)
    expect((await get(`${ready.url}/_sim/state`, { authorization: 'Bearer secret' })).status).toBe(200)
    expect((await get(`${ready.url}/_sim/health`, {})).status).toBe(200)
  })

  it.skipIf(!ALL || !outside)('makes the simulator reachable from other addresses', async () => {
    const { ready } = await startEdgesim(['--host', '0.0.0.0', '--control-token', 'secret'])
    const { port } = new URL(ready.url)
    expect((await get(`http://${outside}:${port}/api_keys`, auth)).status).toBe(200)
  })

  it.skipIf(!ALL || !outside)('is needed to be reachable from other machines', async () => {
    const { ready } = await startEdgesim()
    expect(ready).not.toHaveProperty('other_urls')
    const { port } = new URL(ready.url)
    await expect(get(`http://${outside}:${port}/api_keys`, auth)).rejects.toThrow(/ECONNREFUSED/)
  })
})

describe.skipIf(process.platform === 'win32' || process.platform === 'darwin').concurrent('edgesim --open', () => {
  it.runIf(ALL)('opens the page', async () => {
    const folder = folderWith({ 'xdg-open': '#!/bin/sh\nprintf %s "$1" > "$0.part"; mv "$0.part" "$0.opened"\n' })
    chmodSync(join(folder, 'xdg-open'), 0o755)
    const { ready } = await startEdgesim(['--open'], { env: { PATH: `${folder}:${process.env.PATH}` } })
    await expect.poll(() => readFileSync(join(folder, 'xdg-open.opened'), 'utf8')).toBe(`${ready.url}/_sim/`)
  })

  it.runIf(ALL)('says where the page is if there is no browser', async () => {
    const folder = folderWith()
    const { child, printed, until } = launch(['--open', '--port', '0'], { env: { PATH: folder } })
    await until(/curl .*\n/)
    while (!printed.err.includes('\n')) await once(child.stderr, 'data')
    expect(printed.err).toMatch(/cannot open a browser\. The page is at http:\/\/127\.0\.0\.1:\d+\/_sim\//)
  })
})
