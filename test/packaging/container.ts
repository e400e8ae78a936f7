import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, copyFileSync, existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { afterwards, folderWith, root, writeFiles } from '../support/afterwards.ts'
import { launch, run } from '../support/as-process.ts'
import { LONG } from '../support/long.ts'
import { childrenOf, nameOf } from '../support/namespaces.ts'

/** Runs images without an engine: in Linux namespaces, with a separate network and a read-only root. buildah builds them. */

const isThere = (program: string, ...args: string[]) => spawnSync(program, args).status === 0

/** Why images cannot be tested here, or undefined. */
export const impossible =
  process.platform !== 'linux' || process.getuid?.() !== 0
    ? 'that needs root on Linux'
    : !isThere('buildah', '--version') || !existsSync('/usr/bin/tini-static')
      ? 'buildah or tini is not installed'
      : !isThere('unshare', '--mount', '--pid', '--net', '--fork', 'ip', 'link', 'set', 'lo', 'up')
        ? 'namespaces are not allowed'
        : undefined
if (LONG && impossible) console.log(`The image was not tried: ${impossible}.`)

interface Config {
  User: string
  Env: string[]
  Entrypoint: string[]
  Cmd: string[] | null
  WorkingDir: string
  ExposedPorts: Record<string, object>
  Volumes: Record<string, object>
  Healthcheck: { Test: string[] }
}

/** The environment of an empty image store, removed after the test. */
export function emptyStore() {
  const store = folderWith({})
  writeFiles(store, {
    // Plain folders need no unmount.
    'storage.conf': `[storage]\ndriver = "vfs"\ngraphroot = "${store}/images"\nrunroot = "${store}/run"\n`,
  })
  return { CONTAINERS_STORAGE_CONF: join(store, 'storage.conf') }
}

export function openStore() {
  const env = emptyStore()
  const buildah = (...args: string[]) => run(['buildah'], args, root, env)

  /** A base image with only Node. */
  async function makeBase(): Promise<string> {
    const folder = folderWith({ 'tmp/.keep': '' })
    const libraries = (await run(['ldd'], [process.execPath], folder)).matchAll(/(\/\S+) \(0x/g)
    for (const [from, to] of [
      [process.execPath, '/usr/bin/node'],
      ...[...libraries].map(([, file]) => [file!, file!]),
    ]) {
      mkdirSync(dirname(join(folder, to!)), { recursive: true })
      copyFileSync(from!, join(folder, to!))
    }
    chmodSync(join(folder, 'tmp'), 0o1777)
    const container = (await buildah('from', 'scratch')).trim()
    await buildah('copy', container, folder, '/')
    await buildah('commit', '--rm', container, 'base')
    return 'localhost/base'
  }

  return {
    async build(target: 'executable' | 'package') {
      const base = target === 'package' ? ['--base', await makeBase()] : []
      const built = await run([process.execPath], ['scripts/build-image.js', '--tag', target, ...base], root, env)
      const size = await buildah('images', '--format', '{{.Size}}', `localhost/${target}`)
      console.log(`${built.trim()}, ${size.trim()}`)
      const { config } = JSON.parse(await buildah('inspect', '--type', 'image', target)).Docker as { config: Config }
      const files = (await buildah('mount', (await buildah('from', target)).trim())).trim()
      return new Image(config, files)
    },
  }
}

const ENTER = `set -e
ip link set lo up
mount --bind "$FILES" "$FILES"
mount -o remount,bind,ro "$FILES"
mount -t tmpfs -o mode=1777 tmpfs "$FILES/tmp"
mount --bind "$DATA" "$FILES/data"
mount -t proc proc "$FILES/proc"
mount --bind /dev "$FILES/dev"
exec env -i EDGESIM_STARTED_BY="$EDGESIM_STARTED_BY" "$@"`

export class Image {
  constructor(
    readonly config: Config,
    readonly files: string,
  ) {
    for (const folder of ['proc', 'dev']) mkdirSync(join(files, folder), { recursive: true })
  }

  /** The command without tini. */
  get program(): string[] {
    return this.config.Entrypoint.slice(2)
  }

  /** A folder for /data, owned by the image's user. */
  volume(): string {
    const { uid, gid } = statSync(join(this.files, 'data'))
    const folder = folderWith()
    chownSync(folder, uid, gid)
    return folder
  }

  run(args: string[], { env = {}, data = this.volume() }: { env?: Record<string, string>; data?: string } = {}) {
    const { User, Env, Entrypoint, Cmd, WorkingDir } = this.config
    const [uid, gid] = User.split(':') as [string, string]
    const variables = [...Env, ...Object.entries(env).map(([name, value]) => `${name}=${value}`)]
    const as = (way: string[]) => [...way, '--setuid', uid, '--setgid', gid]
    const inside = as(['/usr/bin/unshare', `--root=${this.files}`, `--wd=${WorkingDir}`])
    const process = launch([...variables, ...inside, ...Entrypoint, ...(args.length > 0 ? args : (Cmd ?? []))], {
      command: ['unshare', '--mount', '--pid', '--net', '--fork', '--kill-child', 'sh', '-c', ENTER, 'sh'],
      env: { FILES: this.files, DATA: data },
    })
    // It would not end with its parent: Linux clears that setting when the user of a process changes.
    afterwards(() => childrenOf(process.child.pid).forEach(pid => void global.process.kill(pid, 'SIGKILL')))
    /** Process 1 of the container. It handles signals after tini has started the command. */
    const first = async () => {
      await expect
        .poll(() => childrenOf(process.child.pid).map(pid => [nameOf(pid), childrenOf(pid).length]))
        .toEqual([['tini', 1]])
      return childrenOf(process.child.pid)[0]!
    }
    const enter = async (...how: string[]) => ['nsenter', '--target', String(await first()), ...how]
    return {
      ...process,
      first,
      async stop(signal: NodeJS.Signals = 'SIGTERM') {
        global.process.kill(await first(), signal)
        return process.ended
      },
      async exec(command: string[]) {
        const inside = as(await enter('--mount', '--pid', '--net', '--root', '--wd'))
        return launch([...variables, ...inside, ...command], { command: ['env', '-i'] })
      },
      async fetch(method: string, path: string, port = 4600): Promise<{ status: number; text: string }> {
        const headers = {
          authorization: 'Bearer sim_admin',
          'service-version': '2',
          'content-type': 'application/json',
        }
        const init = JSON.stringify({ method, headers, body: method === 'POST' ? '{}' : undefined })
        const code = `fetch('http://127.0.0.1:${port}${path}', ${init}).then(async res =>
          console.log(JSON.stringify({ status: res.status, text: await res.text() })))`
        return JSON.parse(await run(await enter('--net'), [global.process.execPath, '-e', code], root))
      },
    }
  }
}
