import { copyFileSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderWith, root } from '../support/afterwards.ts'
import { QUIET, run, tarball } from '../support/as-process.ts'
import { ALL } from '../support/long.ts'
import { blocksOf } from '../support/markdown.ts'

describe('The package', async () => {
  const packed = await tarball()
  // The README command runs in a folder with only the tarball. After the first release, it names the registry's package.
  const folder = folderWith()
  copyFileSync(packed, join(folder, basename(packed)))
  const install = blocksOf('README.md').find(({ note }) => note === 'in an empty folder')!
  await run(['sh'], ['-c', install.text.replace(/ edgesim$/m, ` ./${basename(packed)}`)], folder, QUIET)
  const installed = join(folder, 'node_modules/edgesim')
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  const text = (file: string) => readFileSync(join(installed, file), 'utf8')

  // The editor of the dashboard and its schema are 170 KB of it, and 560 KB unpacked.
  it('is up to 940 KB, and 3.1 MB unpacked', () => {
    expect(statSync(packed).size).toBeLessThanOrEqual(940 * 1024)
    const all = readdirSync(installed, { recursive: true, encoding: 'utf8' })
    const files = all.map(file => statSync(join(installed, file))).filter(each => each.isFile())
    expect(files.reduce((sum, { size }) => sum + size, 0)).toBeLessThanOrEqual(3.1 * 1024 * 1024)
  })

  it('has no dependencies and runs nothing when installed', () => {
    expect(readdirSync(join(folder, 'node_modules')).filter(name => !name.startsWith('.'))).toEqual(['edgesim'])
    for (const kind of ['dependencies', 'optionalDependencies']) expect(manifest[kind] ?? {}).toEqual({})
    const peers = Object.keys(manifest.peerDependencies)
    expect(peers.filter(name => !manifest.peerDependenciesMeta[name]?.optional)).toEqual([])
    for (const script of ['preinstall', 'install', 'postinstall', 'prepare'])
      expect(manifest.scripts ?? {}).not.toHaveProperty(script)
  })

  it('contains the files for users, without sources', () => {
    const missing = (paths: string) => paths.split(' ').filter(path => !existsSync(join(installed, path)))
    const program = 'bin/edgesim.js bin/stand-in.cjs dist/program/main.cjs dist/page/index.html'
    expect(missing(`${program} fixtures/default.json docs/cli.md LICENSE`)).toEqual([])
    expect(missing('src test scripts examples node_modules')).toHaveLength(5)
  })

  it('has class names, but no source maps or references to them', async () => {
    const bundles = readdirSync(join(installed, 'dist'), { recursive: true, encoding: 'utf8' })
    expect(bundles.filter(file => file.endsWith('.map'))).toEqual([])
    for (const file of bundles.filter(file => /\.c?js$/.test(file)))
      expect(text(join('dist', file)).includes('sourceMappingURL'), file).toBe(false)
    const script = `import('edgesim').then(({ startSimulator }) => startSimulator({ fixture: 'x.json' })).catch(error => console.log(error.constructor.name, error.message))`
    expect(await run([process.execPath], ['-e', script], folder)).toMatch(/^FileError x\.json:1:1: /)
  })

  it('has every file in its exports, types first', () => {
    const schemas = 'config report fixtures/fixture scenarios/scenario'.split(' ').map(name => `./${name}.schema.json`)
    expect(Object.keys(manifest.exports)).toEqual(['.', './vitest', './playwright', ...schemas, './package.json'])
    for (const target of Object.values<string | Record<string, string>>(manifest.exports)) {
      if (typeof target !== 'string') expect(Object.keys(target)).toEqual(['types', 'default'])
      for (const file of typeof target === 'string' ? [target] : Object.values(target))
        expect(existsSync(join(installed, file)), file).toBe(true)
    }
  })

  it('contains the licences of all bundled packages, including the dashboard', () => {
    const bundled = ['express', 'lowdb', 'nanoid', 'yaml', 'yargs', 'zod', 'json-server', 'cross-spawn']
    for (const name of bundled) expect(text('dist/THIRD_PARTY_NOTICES.txt')).toMatch(new RegExp(`^${name}@\\d`, 'm'))
    for (const name of ['preact', '@preact/signals'])
      expect(text('dist/page/THIRD_PARTY_NOTICES.txt')).toMatch(new RegExp(`^${name}@\\d`, 'm'))
  })

  it('loads only the modules for a plain start', () => {
    const loaded = new Set<string>()
    const follow = (file: string) => {
      if (loaded.has(file)) return
      loaded.add(file)
      for (const [, from] of text(file).matchAll(/[\w$]+=require\(["'`](\.[^"'`]+)["'`]\)/g))
        follow(join(dirname(file), from!))
    }
    follow('dist/program/main.cjs')
    const files = readdirSync(join(installed, 'dist/program'))
    follow(`dist/program/${files.find(name => name.startsWith('start-'))}`)
    const start = [...loaded].map(text).join('\n')
    const all = files.map(name => text(`dist/program/${name}`)).join('\n')
    expect(start).toContain('PORT_IN_USE')
    const marks = {
      yaml: 'tag:yaml.org,2002',
      'the stored certificate': 'subjectAltName',
      'the stand-in': 'Connection established',
      'json-server': '_embed',
      yargs: 'camel-case-expansion',
      zod: '$ZodType',
      'the control API': 'Stream server-sent events',
      'prom-client': 'nodejs_eventloop_lag',
    }
    for (const [name, mark] of Object.entries(marks)) {
      expect(all.includes(mark), `${name} is bundled`).toBe(true)
      expect(start.includes(mark), `${name} is loaded`).toBe(false)
    }
  })

  it.runIf(ALL)('passes the smoke test (npm run test:nodes: on every Node)', async () => {
    expect(await run([process.execPath], [join(root, 'scripts/smoke.js'), installed], folder)).toMatch(/fine\n$/)
  })
})
