import { once } from 'node:events'
import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderWith } from '../support/afterwards.ts'
import { launch, startEdgesim } from '../support/as-process.ts'
import { ask } from '../support/http.ts'
import { simulate } from '../support/in-process.ts'
import { ALL } from '../support/long.ts'

const auth = { authorization: 'Bearer sim_admin', 'service-version': '2' }

const get = (url: string, ca?: string) => ask(url, { ca, headers: auth })

describe.concurrent('edgesim --tls', () => {
  it('serves HTTPS, prints its certificate file, serves it, and removes it on exit', async () => {
    const { child, until, ended } = launch(['--tls', '--port', '0'])
    const said = await until(/curl .*\n/)
    const [, file, address] = /^certificate: (.*) \(also at (.*)\)$/m.exec(said)!
    expect(said).toContain(`curl --cacert "${file}" -H`)
    const ca = readFileSync(file!, 'utf8')
    const { origin } = new URL(address!)
    const url = `${origin}/api_keys`
    expect(await get(url, ca)).toMatchObject({ status: 200, body: { uri: url } })
    expect((await get(url)).error).toBe('DEPTH_ZERO_SELF_SIGNED_CERT')
    const headers = { 'content-type': 'application/x-pem-file' }
    expect(await ask(address!, { ca })).toMatchObject({ headers, text: ca })
    child.kill('SIGTERM')
    expect((await ended).code).toBe(0)
    expect(existsSync(dirname(file!))).toBe(false)
  })

  it.runIf(ALL)('serves no certificate without --tls', async () => {
    const { status, body } = await (await simulate()).call('GET', '/_sim/ca.pem')
    expect(status).toBe(404)
    expect(body.msg).toContain('The options --tls and --as create one')
  })
})

describe.concurrent('edgesim --base-url', () => {
  it.runIf(ALL)('is the prefix of uris in responses, not a listen address', async () => {
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

  it('requires the control token only on the control plane', async () => {
    const { ready, call } = await startEdgesim(['--host', '0.0.0.0', '--control-token', 'secret'])
    expect(ready.url).toMatch(/^http:\/\/127\.0\.0\.1:/)
    expect(JSON.stringify(ready)).not.toContain('secret')
    const { port } = new URL(ready.url)
    expect(ready.other_urls).toEqual(outside ? expect.arrayContaining([`http://${outside}:${port}`]) : [])
    expect((await call('GET', '/api_keys')).status).toBe(200)
    expect((await ask(`${ready.url}/_sim/state`)).status).toBe(401)
    expect((await ask(`${ready.url}/_sim/state`, { headers: { authorization: 'Bearer secret' } })).status).toBe(200)
    expect((await ask(`${ready.url}/_sim/health`)).status).toBe(200)
  })
})

describe.skipIf(process.platform === 'win32' || process.platform === 'darwin')('edgesim --open', () => {
  it.runIf(ALL)('opens the dashboard', async () => {
    const folder = folderWith({ 'xdg-open': '#!/bin/sh\nprintf %s "$1" > "$0.part"; mv "$0.part" "$0.opened"\n' })
    chmodSync(join(folder, 'xdg-open'), 0o755)
    const { ready } = await startEdgesim(['--open'], { env: { PATH: `${folder}:${process.env.PATH}` } })
    await expect.poll(() => readFileSync(join(folder, 'xdg-open.opened'), 'utf8')).toBe(`${ready.url}/_sim/`)
  })

  it.runIf(ALL)('prints the dashboard URL without a browser', async () => {
    const folder = folderWith()
    const { child, printed, until } = launch(['--open', '--port', '0'], { env: { PATH: folder } })
    await until(/curl .*\n/)
    while (!printed.err.includes('\n')) await once(child.stderr, 'data')
    expect(printed.err).toMatch(/Cannot open a browser\. The dashboard is at http:\/\/127\.0\.0\.1:\d+\/_sim\//)
  })
})
