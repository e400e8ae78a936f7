import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { root } from '../../support/afterwards.ts'
import { launch } from '../../support/as-process.ts'

/** A separate network namespace with socket buffers of a few KB. */
const SMALL = 'ip link set lo up && for kind in rmem wmem; do echo 4096 8192 8192 > /proc/sys/net/ipv4/tcp_$kind; done'
const alone = (command: string) => ['unshare', '--net', 'sh', '-c', `${SMALL} && ${command}`, 'sh']
const [unshare, ...args] = alone('true')
const possible = process.platform === 'linux' && spawnSync(unshare!, args).status === 0
if (!possible) console.log('small-buffers: skipped, since this machine allows no network namespaces')

describe.skipIf(!possible)('A TCP edge with small socket buffers', () => {
  it('forwards everything, including over TLS and to a half-closed client', async () => {
    const script = [fileURLToPath(new URL('small-buffers.js', import.meta.url)), join(root, 'dist/index.js'), '8']
    const { code, out, err } = await launch(script, { command: [...alone('exec "$@"'), process.execPath] }).ended
    expect({ code, err, lost: JSON.parse(out) }).toEqual({
      code: 0,
      err: '',
      lost: { plain: 0, 'half-closed': 0, tls: 0 },
    })
  })
})
