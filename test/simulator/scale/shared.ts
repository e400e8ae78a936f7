import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from '../../../src/index.ts'
import { afterwards, root } from '../../support/afterwards.ts'
import { launch } from '../../support/as-process.ts'
import { PATH } from './proxies.ts'

/** Contains a ~ like a sandbox token, which must not change the routing. */
export const CONTROL_TOKEN = 'steers~everything'

interface Options {
  simulators?: number
  proxy?: 'nginx' | 'haproxy'
  args?: string[]
}

export type Shared = Awaited<ReturnType<typeof startShared>>

/** A shared simulator, started by examples/scale-out and stopped after the test. */
export async function startShared({ simulators = 2, proxy = 'nginx', args = [] }: Options = {}) {
  const own = ['--simulators', String(simulators), '--port', '0', '--proxy', proxy]
  const started = launch([...own, '--', ...args, '--control-token', CONTROL_TOKEN], {
    command: [process.execPath, join(root, 'examples/scale-out/start.js')],
    env: { EDGESIM_BIN: join(root, 'bin/edgesim.js'), PATH },
  })
  const { child, printed, ended } = started
  async function stop(signal: NodeJS.Signals = 'SIGTERM') {
    child.kill(signal)
    return ended
  }
  // SIGTERM first, so it stops its processes.
  afterwards(() => stop())
  const out = await started.until(/listens on \S+\n/)
  const [, url] = /^edgesim listens on (\S+)$/m.exec(out)! as unknown as [string, string]
  const [, pid, file] = /\(process (\d+)\), configured by (.+)$/m.exec(out)! as unknown as [string, string, string]

  const processes = () =>
    new Map(
      [...printed.out.matchAll(/^simulator on port (\d+) \(process (\d+)\)$/gm)].map(([, port, pid]) => [
        Number(port),
        Number(pid),
      ]),
    )

  let changes = 0
  /**
   * Changes the nginx configuration. Old workers may still respond for a while. Responses of new workers have the
   * returned value in their header Configuration.
   */
  function reconfigure(change: (text: string) => string): string {
    const text = readFileSync(file, 'utf8').replace(/^ *add_header .*\n/gm, '')
    changes++
    writeFileSync(file, change(text).replace(/^( *)listen .*$/m, `$&\n$1add_header Configuration ${changes} always;`))
    process.kill(Number(pid), 'SIGHUP')
    return String(changes)
  }

  const port = Number(new URL(url).port)
  const connected = () => connect(url, { controlToken: CONTROL_TOKEN })
  return { ...started, url, port, file, processes, stop, reconfigure, connected }
}

const headers = { authorization: `Bearer ${CONTROL_TOKEN}`, connection: 'close' }

/** The instance and sandboxes of one simulator, without the proxy. */
export async function simulatorAt(port: number) {
  const response = await fetch(`http://127.0.0.1:${port}/_sim/sandboxes`, { headers })
  const { sandboxes } = (await response.json()) as { sandboxes: { name: string; requests: number }[] }
  return { port, instance: response.headers.get('edgesim-instance')!, sandboxes }
}
