import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { describe, expect, it } from 'vitest'
import { notices } from '../../scripts/notices.ts'
import { slim } from '../../scripts/slim.ts'
import { folderWith, root } from '../support/afterwards.ts'

interface Locked {
  version: string
  resolved?: string
  integrity?: string
  optional?: boolean
  hasInstallScript?: boolean
  optionalDependencies?: Record<string, string>
}

type Tree = { [name: string]: string | Tree }

const read = (...path: string[]) => JSON.parse(readFileSync(join(root, ...path), 'utf8'))
const packagesOf = (folder: string) =>
  Object.entries<Locked>(read(folder, 'package-lock.json').packages).filter(([path]) => path !== '')
const pathsOf = (found: [string, Locked][]) => found.map(([path]) => path)

/** A version, or an alias with a version. */
const EXACT = /^(npm:.+@)?\d+\.\d+\.\d+(-[\w.]+)?$/
const leaves = (tree: Tree): string[] =>
  Object.values(tree).flatMap(value => (typeof value === 'string' ? value : leaves(value)))

/** Scripts that npm runs on install. */
function scriptsOf(folder: string, [path, { hasInstallScript }]: [string, Locked]): boolean {
  const at = join(folder, path)
  if (hasInstallScript || !existsSync(join(root, at, 'package.json'))) return hasInstallScript ?? false
  const scripts = read(at, 'package.json').scripts ?? {}
  const named = ['preinstall', 'install', 'postinstall'].some(name => name in scripts)
  return named || existsSync(join(root, at, 'binding.gyp'))
}

describe.each(['.', 'test/bench', 'test/clients', 'test/mutation'])('The packages of %s', folder => {
  const locked = packagesOf(folder)

  it('have exact versions', () => {
    const { dependencies, devDependencies, overrides } = read(folder, 'package.json')
    const versions = leaves({ ...dependencies, ...devDependencies, ...overrides })
    expect(versions.length).toBeGreaterThan(1)
    expect(versions.filter(version => !EXACT.test(version))).toEqual([])
  })

  it('are locked with hashes and without a registry', () => {
    expect(read(folder, 'package-lock.json').lockfileVersion).toBe(3)
    expect(pathsOf(locked.filter(([, { integrity }]) => !integrity))).toEqual([])
    expect(pathsOf(locked.filter(([, { resolved }]) => resolved?.includes('://')))).toEqual([])
  })

  it('need no install script', () => {
    expect(pathsOf(locked.filter(each => !each[1].optional && scriptsOf(folder, each)))).toEqual([])
  })
})

describe('Packages with binaries', () => {
  const locked = packagesOf('.')
  const native = locked.filter(([, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).some(name => /-linux-/.test(name)),
  )

  it('are listed here', () => {
    expect(pathsOf(native)).toEqual(expect.arrayContaining(['node_modules/@biomejs/biome', 'node_modules/rolldown']))
  })

  it.each(native)('are locked for every system: %s', (_, { optionalDependencies = {} }) => {
    const has = (name: string, version: string) =>
      locked.some(([path, found]) => path.endsWith(`node_modules/${name}`) && found.version === version)
    const missing = Object.entries(optionalDependencies).filter(([name, version]) => !has(name, version))
    expect(missing).toEqual([])
    for (const system of ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64'])
      expect(Object.keys(optionalDependencies).join(' ')).toContain(`-${system}`)
  })
})

it('The instructions for an executable name the Node of packaging/.node-version', () => {
  const node = readFileSync(join(root, 'packaging/.node-version'), 'utf8').trim()
  const text = readFileSync(join(root, 'docs/deployment.md'), 'utf8')
  const named = [...text.matchAll(/node-v([\d.]+)-win|build with Node ([\d.]+\d)/g)].map(([, a, b]) => a ?? b)
  expect(named).toEqual([node, node])
})

describe('A build', () => {
  const buildWith = (license?: string, plugins = [notices()]) => {
    const folder = folderWith({
      'entry.js': "import 'thing'",
      'node_modules/thing/package.json': { name: 'thing', version: '1.2.3', main: 'index.js', license },
      'node_modules/thing/index.js': 'console.log("thing")',
      'node_modules/thing/LICENSE': 'Do as you like.',
    })
    const output = { write: false, rollupOptions: { input: join(folder, 'entry.js') } }
    return build({ root: folder, configFile: false, logLevel: 'silent', plugins, build: output })
  }

  it('lists the licences of bundled packages', async () => {
    const notices = { fileName: 'THIRD_PARTY_NOTICES.txt', source: 'thing@1.2.3 (MIT)\n\nDo as you like.\n' }
    const output = expect.arrayContaining([expect.objectContaining(notices)])
    expect(await buildWith('MIT')).toMatchObject({ output })
  })

  it.each([
    ['GPL-3.0-only', 'thing@1.2.3 has "GPL-3.0-only"'],
    [undefined, 'thing@1.2.3 has none'],
  ])('fails if a licence is %s', async (license, message) => {
    await expect(buildWith(license)).rejects.toThrow(message)
  })

  it('fails if a module that scripts/slim.ts replaces is no longer imported', async () => {
    await expect(buildWith('MIT', [slim()])).rejects.toThrow(/Stubs that match no module: .*\/body-parser\/index\.js/)
  })
})
