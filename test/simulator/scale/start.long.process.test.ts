import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { folderWith, root } from '../../support/afterwards.ts'
import { launch, run } from '../../support/as-process.ts'
import { LONG_MS } from '../../support/long.ts'
import { haproxy, nginx } from './proxies.ts'
import { startShared } from './shared.ts'

const folder = join(root, 'examples/scale-out')

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe.skipIf(!nginx)('The example scale-out', { timeout: LONG_MS }, () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('ends its processes after %s', async signal => {
    const { processes, file, stop, printed } = await startShared()
    const [, proxy] = /^nginx on port \d+ \(process (\d+)\)/m.exec(printed.out)!
    const pids = [...processes().values(), Number(proxy)]
    expect(pids.filter(isAlive)).toEqual(pids)
    expect((await stop(signal)).code).toBe(0)
    expect(pids.filter(isAlive)).toEqual([])
    expect(existsSync(dirname(file))).toBe(false)
  })

  it('ends if edgesim rejects its options, and shows the error', async () => {
    const env = { EDGESIM_BIN: join(root, 'bin/edgesim.js') }
    const command = [process.execPath, join(folder, 'start.js')]
    const { code, err } = await launch(['--port', '0', '--', '--sandboxes', '7'], { command, env }).ended
    expect(code).toBe(1)
    expect(err).toMatch(/Unknown option --sandboxes/)
    expect(err).toMatch(/^The simulator on port \d+ did not start\.$/m)
  })

  it('has valid configurations, including for Kubernetes', async () => {
    const manifests = parseAllDocuments(readFileSync(join(folder, 'kubernetes.yaml'), 'utf8'))
    const text: string = manifests.map(each => each.toJS()).find(({ kind }) => kind === 'ConfigMap').data['nginx.conf']
    const here = text.replace(/server edgesim-\d/g, 'server 127.0.0.1')
    for (const content of [here, readFileSync(join(folder, 'nginx.conf'), 'utf8')]) {
      const prefix = folderWith({ 'nginx.conf': content })
      await run([nginx!], ['-t', '-p', prefix, '-c', 'nginx.conf', '-e', 'stderr'], prefix)
    }
    if (haproxy) await run([haproxy], ['-c', '-f', 'haproxy.cfg'], folder)
  })
})
