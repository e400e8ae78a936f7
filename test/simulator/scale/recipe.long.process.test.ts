import { writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { generate } from 'selfsigned'
import { describe, expect, it } from 'vitest'
import { startSimulator } from '../../../src/index.ts'
import { folderWith } from '../../support/afterwards.ts'
import { launch } from '../../support/as-process.ts'
import { LONG_MS } from '../../support/long.ts'
import { blocksOf } from '../../support/markdown.ts'
import { nginx } from './proxies.ts'

const NAME = 'edgesim.example.test'
const configuration = blocksOf('docs/deployment.md').find(({ language }) => language === 'nginx')!.text

/** nginx with this configuration, but with a socket in its own folder. */
async function startNginx(url: string) {
  const { cert, private: key } = await generate([{ name: 'commonName', value: NAME }], { keyType: 'ec' })
  const folder = folderWith({ 'edgesim.pem': cert, 'edgesim.key': key })
  const socketPath = join(folder, 'nginx.sock')
  const server = configuration
    .replace('listen 443 ssl', `listen unix:${socketPath} ssl`)
    .replace('http://127.0.0.1:4600', url)
  const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(name => `${name}_temp_path ${name};`).join(' ')
  writeFileSync(join(folder, 'nginx.conf'), `pid nginx.pid; events {} http { access_log off; ${temp} ${server} }`)
  launch(['-p', folder, '-c', 'nginx.conf', '-e', 'stderr', '-g', 'daemon off; master_process off;'], {
    command: [nginx!],
  })

  return (method: string, path: string, headers: Record<string, string> = {}) =>
    new Promise<{ status?: number; text: string }>((resolve, reject) => {
      const asked = { method, path, socketPath, servername: NAME, ca: cert, agent: false as const }
      const host = { host: NAME, 'service-version': '2', ...headers }
      request({ ...asked, headers: host, checkServerIdentity: () => undefined }, async res => {
        resolve({ status: res.statusCode, text: Buffer.concat(await res.toArray()).toString() })
      })
        .on('error', reject)
        .end()
    })
}

describe.skipIf(!nginx)('The nginx configuration of docs/deployment.md', { timeout: LONG_MS }, () => {
  it('serves the API, the dashboard and the control plane at the name in --base-url', async () => {
    await using sim = await startSimulator({ baseUrl: `https://${NAME}`, trustProxy: true })
    const ask = await startNginx(sim.url)
    await expect.poll(() => ask('GET', '/_sim/health')).toMatchObject({ status: 200 })
    const authorization = 'Bearer sim_admin'
    const key = await ask('GET', '/api_keys/ak_ci', { authorization, 'x-forwarded-for': '203.0.113.9' })
    expect(JSON.parse(key.text).uri).toBe(`https://${NAME}/api_keys/ak_ci`)
    // nginx sets the source address, not the client.
    expect((await sim.default.requests())[0]!.source_ip).not.toBe('203.0.113.9')
    expect((await ask('PUT', '/_sim/snapshots/here', { origin: `https://${NAME}` })).status).toBe(201)
    expect((await ask('GET', '/_sim/state', { origin: 'https://evil.test' })).status).toBe(403)
    expect((await ask('GET', '/api_keys', { host: 'evil.test', authorization })).status).toBe(403)
  })
})
