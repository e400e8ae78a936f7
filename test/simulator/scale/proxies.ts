import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
// @ts-expect-error: an example in plain JavaScript
import { find } from '../../../examples/scale-out/proxies.js'
import { LONG } from '../../support/long.ts'

const installed: (name: string) => string | undefined = find

const run = (command: string, args: string[], cwd?: string) =>
  spawnSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'], timeout: 300_000 }).status === 0

/**
 * nginx from Debian's package, unpacked into a temporary folder, because installing it would start a service.
 * Nearly every machine has its libraries.
 */
function fromDebian(): string | undefined {
  if (!existsSync('/etc/debian_version') || process.getuid?.() !== 0) return undefined
  const folder = join(tmpdir(), 'nginx-from-debian')
  const program = join(folder, 'usr/sbin/nginx')
  if (existsSync(program)) return program
  mkdirSync(folder, { recursive: true })
  const done =
    run('apt-get', ['update', '-q']) &&
    run('sh', ['-c', 'apt-get download -q nginx && dpkg -x nginx_*.deb .'], folder) &&
    run(program, ['-v'])
  return done ? program : undefined
}

function findNginx(): string | undefined {
  const ways: [what: string, path: string | undefined][] = [['installed', installed('nginx')]]
  if (LONG && !ways[0]![1]) ways.push(['from Debian', fromDebian()])
  const [what, path] = ways.at(-1)!
  if (!path) console.log('nginx was not found: the tests of a shared simulator are skipped.')
  else if (LONG) console.log(`nginx of the shared simulator: ${path} (${what})`)
  return path
}

/** Undefined if the tests that need nginx are skipped. */
export const nginx = process.platform === 'win32' ? undefined : findNginx()

export const PATH = [process.env.PATH, nginx ? dirname(nginx) : []].flat().join(delimiter)

export const haproxy = process.platform === 'win32' ? undefined : installed('haproxy')

/** The long run also uses HAProxy if it is installed. */
export const PROXIES = [
  { proxy: 'nginx' as const, is: nginx !== undefined },
  { proxy: 'haproxy' as const, is: haproxy !== undefined && LONG },
]
