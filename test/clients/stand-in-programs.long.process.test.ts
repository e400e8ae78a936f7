import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, type TestContext } from 'vitest'
import { folderWith, root, writeFiles } from '../support/afterwards.ts'
import { bin, launch } from '../support/as-process.ts'
import { LONG, LONG_MS } from '../support/long.ts'
import { bunOf, clientPackage, denoOf, installClients, installed, nodeOf } from './programs/from-npm.ts'
import { DEBIAN, LOOKUP, others, type Program, UNTRUSTED, versionOf } from './programs/others.ts'
import { expectAllKeys, expectAllRead, type Found, HOST, NO_LOOKUP, readWithAll } from './programs/reading.ts'

const WALK = fileURLToPath(new URL('./programs/walk.js', import.meta.url))
const COMMAND = fileURLToPath(new URL('./programs/command.js', import.meta.url))

/** Runs a command with only a loopback network, so no connection leaves the machine. */
const SEALED = ['unshare', '--map-root-user', '--net', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh']
const canSeal = LONG && spawnSync(SEALED[0]!, [...SEALED.slice(1), 'true']).status === 0
if (LONG && !canSeal) console.log('Programs other than Node are not tried: they need unshare and ip of Linux')

function skipped({ skip }: TestContext, why: string): never {
  console.log(`skipped: ${why}`)
  return skip(why)
}

/** Reads keys with a command, which finds all of them or fails as expected. */
async function tryProgram(program: Program) {
  const read = typeof program.read === 'function' ? program.read() : program.read
  const { code, out, err } = await launch(['exec', '--as', HOST, '--', process.execPath, COMMAND, 'program', ...read], {
    command: [...SEALED, process.execPath, bin],
  }).ended
  expect({ code, err }).toEqual({ code: 0, err: '' })
  const found = JSON.parse(out)
  if (program.fails) return expect(found.error).toMatch(program.fails)
  expect(found.error).toBeUndefined()
  expectAllKeys(found)
}

async function tryDebian(program: Program, context: TestContext) {
  const version = versionOf(program)
  if (version === undefined) skipped(context, `${program.name} is not on this machine`)
  console.log(`${program.name}: ${version}`)
  await tryProgram(program)
}

describe.skipIf(!canSeal)('exec --as', { timeout: LONG_MS }, () => {
  it.for(DEBIAN.filter(({ fails }) => !fails))('serves $name', tryDebian)
  it.for(DEBIAN.filter(({ fails }) => fails === LOOKUP))('is not used by $name', tryDebian)
  it.for(DEBIAN.filter(({ fails }) => fails === UNTRUSTED))('is not trusted by $name', tryDebian)

  it.for([
    ['bun', '1.4.4', bunOf],
    ['deno', '2.9.5', denoOf],
  ] as const)('serves fetch of %s, and is not used by its node:https', async ([kind, version, find], context) => {
    const path = await find(version)
    if (path === undefined) skipped(context, `${kind} ${version} is not available for this machine`)
    for (const program of others(kind, path)) await tryProgram(program)
  })
})

/** A test file for Vitest and Jest. */
const TESTS = (name: string) => `
  const read = async get => {
    const ids = []
    for (let next = 'https://${HOST}/api_keys?limit=1'; next; ) {
      const page = await get(next, { authorization: 'Bearer ' + process.env.EDGESIM_TOKEN, 'ngrok-version': '2' })
      ids.push(...page.keys.map(({ id }) => id))
      next = page.next_page_uri
    }
    return ids
  }
  const byGet = (url, headers) => new Promise((resolve, reject) => https.get(url, { headers }, async res => {
    let text = ''
    for await (const part of res.setEncoding('utf8')) text += part
    resolve(JSON.parse(text))
  }).on('error', reject))
  for (const [what, get] of Object.entries({ fetch, nodeFetch })) test('${name}: ' + what, async () => {
    expect(await read(async (url, headers) => (await get(url, { headers })).json())).toHaveLength(3)
  })
  test('${name}: https.get', async () => {
    expect(await read(byGet)).toHaveLength(3)
  })`

/** A folder with links to installed packages. */
function linked(folder: string, packages: Record<string, string>) {
  mkdirSync(join(folder, 'node_modules'), { recursive: true })
  for (const [name, path] of Object.entries(packages)) symlinkSync(path, join(folder, 'node_modules', name), 'junction')
  return folder
}

const execIn = (cwd: string, command: string[]) =>
  launch(['exec', '--as', HOST, '--', process.execPath, ...command], { cwd, env: { NODE_OPTIONS: NO_LOOKUP } }).ended

describe.skipIf(!LONG)('exec --as, with a test runner,', { timeout: LONG_MS }, () => {
  it.each(['forks', 'threads', 'vmForks', 'vmThreads'])('serves tests in the pool %s of Vitest', async pool => {
    const top = `import https from 'node:https'; import nodeFetch from 'node-fetch-2'; import { expect, test } from 'vitest'`
    const files = { 'one.test.mjs': top + TESTS('one'), 'two.test.mjs': top + TESTS('two') }
    await installClients()
    const folder = linked(folderWith(files), {
      vitest: join(root, 'node_modules/vitest'),
      'node-fetch-2': clientPackage('node-fetch-2'),
    })
    const command = ['node_modules/vitest/vitest.mjs', 'run', '--no-color', '--pool', pool]
    const { code, out, err } = await execIn(folder, command)
    expect(code, out + err).toBe(0)
    expect(out).toMatch(/Tests\s+6 passed \(6\)/)
  })

  it('serves Jest tests in processes, in threads and in one process', async context => {
    const folder = await installed(['jest@30.5.2', 'node-fetch-2@npm:node-fetch@2.7.0'])
    if (folder === undefined) skipped(context, 'Jest could not be installed')
    const top = `const https = require('node:https'); const nodeFetch = require('node-fetch-2')`
    writeFiles(folder, { 'one.test.js': top + TESTS('one'), 'two.test.js': top + TESTS('two') })
    for (const how of [['--maxWorkers=2'], ['--maxWorkers=2', '--workerThreads'], ['--runInBand']]) {
      const { code, out, err } = await execIn(folder, ['node_modules/jest/bin/jest.js', '--no-watchman', ...how])
      expect(code, out + err).toBe(0)
      expect(err).toMatch(/Tests:\s+6 passed, 6 total/)
    }
  })
})

const NEWEST = `
  import got from 'got'
  import ky from 'ky'
  import { request } from 'undici'
  import { walk } from './walk.mjs'
  const clients = {
    'undici 8': async (url, headers) => (await request(url, { headers })).body.json(),
    'got 16': (url, headers) => got(url, { headers }).json(),
    'ky 2': (url, headers) => ky(url, { headers }).json(),
  }
  const found = {}
  for (const [index, [name, get]] of Object.entries(clients).entries()) found[name] = await walk('newest-' + index, get)
  console.log(JSON.stringify(found))`

describe.skipIf(!LONG)('exec --as', { timeout: LONG_MS }, () => {
  it.for([
    '20.19.0',
    '22',
    '24',
  ])('serves all clients on Node %s, even if Node uses proxies itself', async (version, context) => {
    const node = await nodeOf(version)
    if (node === undefined) skipped(context, `Node ${version} could not be installed`)
    for (const NODE_USE_ENV_PROXY of ['', '1']) {
      const read = await readWithAll({ node, command: [node, bin], env: { NODE_USE_ENV_PROXY } })
      expect(read.node).toMatch(new RegExp(`^v${version}(\\.|$)`))
      expectAllRead(read.served)
    }
  })

  it('serves clients that need a newer Node than edgesim', async context => {
    const node = await nodeOf('24')
    const folder = await installed(['undici@8.12.4', 'got@16.1.0', 'ky@2.1.0'])
    if (node === undefined || folder === undefined) skipped(context, 'Node 24 or the clients could not be installed')
    copyFileSync(WALK, join(folder, 'walk.mjs'))
    writeFiles(folder, { 'newest.mjs': NEWEST })
    const { code, out, err } = await launch(['exec', '--as', HOST, '--', node, 'newest.mjs'], {
      cwd: folder,
      env: { NODE_OPTIONS: NO_LOOKUP },
    }).ended
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const found: Record<string, Found> = JSON.parse(out)
    expect(Object.keys(found)).toEqual(['undici 8', 'got 16', 'ky 2'])
    for (const each of Object.values(found)) expectAllKeys(each)
  })
})
