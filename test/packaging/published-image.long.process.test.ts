import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderWith, root, writeFiles } from '../support/afterwards.ts'
import { edgesim, launch, run } from '../support/as-process.ts'
import { ask } from '../support/http.ts'
import { LONG } from '../support/long.ts'
import { runStep, workflow } from '../support/workflows.ts'
import { emptyStore, impossible } from './container.ts'

const possible =
  !impossible &&
  existsSync(join(root, 'build/edgesim')) &&
  spawnSync('docker-registry', ['--version']).error === undefined
if (LONG && !possible)
  console.log('The published image was not tried: it needs build/edgesim, buildah and docker-registry.')

const TYPE = 'application/vnd.docker.distribution.manifest'

describe.skipIf(!LONG || !possible)('release.yml', () => {
  it('pushes one image for two architectures, with its health check', async () => {
    const at = folderWith({ 'bin/sudo': '#!/bin/sh\nexec "$@"\n' })
    chmodSync(join(at, 'bin/sudo'), 0o755)
    const store = emptyStore()
    const buildah = (...args: string[]) => run(['buildah'], args, root, store)
    await run([process.execPath], ['scripts/build-image.js', '--archive', join(at, 'image-amd64.tar')], root, store)
    // Only the configuration differs: this machine has no program for the other architecture.
    const other = ['--arch', process.arch === 'x64' ? 'arm64' : 'amd64', '--file', 'packaging/Containerfile']
    const context = ['--target', 'executable', '--tag', 'other', 'build/image']
    await buildah('build', '--isolation', 'chroot', '--format', 'docker', ...other, ...context)
    await buildah('push', 'other', `docker-archive:${join(at, 'image-arm64.tar')}:other`)

    const { url, ca } = await startRegistry()
    const { code, out, err } = await runStep(workflow('release').jobs.image!, 'buildah manifest', at, {
      ...emptyStore(),
      ...{ REGISTRY: new URL(url).host, TOKEN: 'secret', REGISTRY_AUTH_FILE: join(at, 'auth.json'), SSL_CERT_FILE: ca },
      ...{ GITHUB_ACTOR: 'somebody', GITHUB_REPOSITORY: 'Someone/Sim', GITHUB_REF_NAME: 'v9.8.7' },
    })
    expect(code, out + err).toBe(0)

    const get = async (path: string, accept = '*/*') =>
      (await ask(`${url}/v2/someone/sim/${path}`, { ca: readFileSync(ca, 'utf8'), headers: { accept } })).body
    expect((await get('tags/list')).tags.sort()).toEqual(['9.8.7', 'latest'])
    const { manifests } = await get('manifests/9.8.7', `${TYPE}.list.v2+json`)
    expect((await get('manifests/latest', `${TYPE}.list.v2+json`)).manifests).toEqual(manifests)
    const platforms = manifests.map(({ platform }: { platform: { architecture: string } }) => platform.architecture)
    expect(platforms.sort()).toEqual(['amd64', 'arm64'])
    for (const { digest } of manifests) {
      const { config } = await get(`manifests/${digest}`, `${TYPE}.v2+json`)
      const image = await get(`blobs/${config.digest}`)
      expect(image.config.Healthcheck.Test).toEqual(['CMD', '/usr/local/bin/edgesim', 'health'])
    }
  })
})

/** Debian's docker-registry, over HTTPS. */
async function startRegistry() {
  const at = folderWith()
  expect((await edgesim(['exec', '--tls-dir', join(at, 'tls'), '--', 'true'])).code).toBe(0)
  const [certificate, key] = [join(at, 'tls/ca.pem'), join(at, 'tls/key.pem')]
  writeFiles(at, {
    'config.yml': {
      version: '0.1',
      storage: { filesystem: { rootdirectory: join(at, 'data') } },
      http: { addr: '127.0.0.1:0', tls: { certificate, key } },
    },
  })
  const registry = launch(['-c', 'exec docker-registry serve config.yml 2>&1'], { command: ['sh'], cwd: at })
  const [, address] = /listening on ([\d.:]+)/.exec(await registry.until(/listening on .*\n/))!
  return { url: `https://${address}`, ca: certificate }
}
