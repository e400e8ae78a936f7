import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { devNull } from 'node:os'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { nginx, PATH } from '../simulator/scale/proxies.ts'
import { root } from '../support/afterwards.ts'
import { npm, projectWith, run, tarball } from '../support/as-process.ts'
import { LONG } from '../support/long.ts'

const folder = await projectWith(['vitest', '@playwright/test', '@ngrok/ngrok-api'])
mkdirSync(join(folder, 'node_modules/.bin'))
const bins = { edgesim: 'edgesim/bin/edgesim.js', vitest: 'vitest/vitest.mjs', playwright: '@playwright/test/cli.js' }
for (const [name, file] of Object.entries(bins)) symlinkSync(join('..', file), join(folder, 'node_modules/.bin', name))

// A clone: all tracked files, including the root configuration, with no packages installed.
const clone = join(folder, 'clone')
const LEFT_OUT = ['.git', 'node_modules', 'dist', 'build']
cpSync(root, clone, { recursive: true, filter: source => !LEFT_OUT.includes(basename(source)) })
/** git in this folder only, without hook variables or user settings. */
const gitEnv = {
  GIT_DIR: join(clone, '.git'),
  GIT_WORK_TREE: clone,
  GIT_INDEX_FILE: join(clone, '.git/index'),
  GIT_CONFIG_GLOBAL: devNull,
  GIT_CONFIG_NOSYSTEM: '1',
}
const git = (...args: string[]) => run(['git'], args, clone, gitEnv)
await git('init', '--quiet')
await git('add', '--all')
await git('-c', 'user.name=Somebody', '-c', 'user.email=somebody@example.com', 'commit', '--quiet', '--message', 'All')
await git('clean', '--quiet', '--force', '-dX')

const packed = await tarball()
copyFileSync(packed, join(clone, basename(packed)))

const passes = (name: string, env?: Record<string, string>) => run(npm, ['test'], join(clone, 'examples', name), env)

/** A port below the ephemeral range, which no other process gets at random. */
async function freePort(): Promise<string> {
  for (;;) {
    const port = randomInt(10_000, 30_000)
    const server = createServer().listen(port, '127.0.0.1')
    const free = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    await new Promise(resolve => server.close(resolve))
    if (free) return String(port)
  }
}

const hasShell = spawnSync('sh', ['-c', 'curl --fail-with-body --version']).status === 0

describe.skipIf(process.platform === 'win32').concurrent('The example for', () => {
  // test/cli/init.long.process.test.ts runs similar tests, written by `edgesim init`.
  it.runIf(LONG)('vitest passes', async () => {
    expect(await passes('vitest')).toMatch(/Tests.*3 passed/)
  })

  it.runIf(LONG)('Playwright passes three times, even after its server was killed', async () => {
    const PORT = await freePort()
    for (let i = 0; i < 3; i++) expect(await passes('playwright', { PORT })).toMatch(/3 passed/)
  })

  // pipelines.process.test.ts tests the folders without a package.json.
  it.each(
    readdirSync(join(root, 'examples'), { withFileTypes: true }).filter(each =>
      existsSync(join(root, 'examples', each.name, 'package.json')),
    ),
  )('$name installs edgesim from the checkout, and the locked versions of packages', ({ name }) => {
    const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'))
    const ours = read(join(root, 'package.json')).devDependencies
    const { dependencies, devDependencies } = read(join(root, 'examples', name, 'package.json'))
    const { edgesim, ...others } = { ...dependencies, ...devDependencies }
    expect(edgesim).toBe(`file:../../${basename(packed)}`)
    for (const [other, range] of Object.entries(others)) expect(range).toBe(`^${ours[other]}`)
  })

  it.runIf(LONG)('node:test installs and passes', async () => {
    const cwd = join(clone, 'examples/node-test')
    await run(npm, ['install', '--offline', '--no-audit', '--no-fund'], cwd)
    expect(existsSync(join(cwd, 'node_modules/edgesim/dist/index.js'))).toBe(true)
    expect(await passes('node-test')).toMatch(/pass 1/)
  })

  it.skipIf(!nginx)('a shared simulator passes', async () => {
    expect(await passes('scale-out', { PATH })).toMatch(/pass 1/)
  })

  it('the vendor’s SDK passes', async () => {
    expect(await passes('sdk')).toMatch(
      /created from the SDK, owned by usr_admin\nnow it is renamed\nak_nobody: 404\n$/,
    )
  })

  it.skipIf(!hasShell)('curl passes', async () => {
    expect(await passes('curl', { NO_PROXY: '*' })).toMatch(/"description":"from a shell"\nas expected\n$/)
  })
})

it.skipIf(process.platform === 'win32')('The examples leave no untracked files', async () => {
  expect(await git('status', '--porcelain')).toBe('')
})
