import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { run } from './installed.js'

/**
 * npm run build:image [-- --base IMAGE --tag NAME --archive FILE]: builds the image of packaging/Containerfile with buildah
 * or docker. It contains this machine's executable, or with `--base` the npm package on that image. The build context is
 * build/image. `--archive` also saves the image.
 */
const { values } = parseArgs({
  options: { base: { type: 'string' }, tag: { type: 'string', default: 'edgesim' }, archive: { type: 'string' } },
})
const target = values.base === undefined ? 'executable' : 'package'
const folder = 'build/image'
const root = join(folder, 'root')
/** From Debian's tini package, without library dependencies. */
const TINI = '/usr/bin/tini-static'

if (process.platform !== 'linux')
  fail('An image can only be built on Linux, because it contains an executable for Linux.')
if (!existsSync(TINI)) fail(`${TINI} is missing: apt-get install tini.`)
const builder = ['buildah', 'docker'].find(name => !spawnSync(name, ['--version']).error)
if (!builder) fail('There is neither buildah nor docker here: apt-get install buildah.')

// Any user of the image must be able to read it.
process.umask(0o022)
rmSync(folder, { recursive: true, force: true })
mkdirSync(join(folder, 'data'), { recursive: true })
copy(TINI, 'usr/local/bin/tini')
copyLicence('tini')
if (target === 'executable') layExecutable()
else layPackage()
const started = performance.now()
run(builder, [
  ...(builder === 'buildah' ? ['build', '--isolation', 'chroot', '--format', 'docker'] : ['build']),
  ...['--file', 'packaging/Containerfile', '--target', target, '--tag', values.tag],
  ...(values.base === undefined ? [] : ['--build-arg', `BASE=${values.base}`]),
  folder,
])
if (values.archive !== undefined) {
  rmSync(values.archive, { force: true })
  run(
    builder,
    builder === 'buildah'
      ? ['push', values.tag, `docker-archive:${values.archive}:${values.tag}`]
      : ['save', '--output', values.archive, values.tag],
  )
}
console.log(`${values.tag} (${target}): built by ${builder} in ${((performance.now() - started) / 1000).toFixed(1)} s`)

/** The executable, its libraries, and a few files that processes expect. */
function layExecutable() {
  const file = 'build/edgesim'
  if (!existsSync(file)) fail(`${file} is missing: npm run build:binary.`)
  copy(file, 'usr/local/bin/edgesim')
  copy('build/THIRD_PARTY_NOTICES.txt', 'usr/local/share/doc/edgesim/THIRD_PARTY_NOTICES.txt')
  // Debian's licences of the libraries.
  for (const name of ['libc6', 'libstdc++6', 'libgcc-s1']) copyLicence(name)
  for (const [, library] of run('ldd', [file], { stdio: 'pipe' }).matchAll(/(\/\S+) \(0x/g)) copy(library, library)
  mkdirSync(join(root, 'etc'))
  writeFileSync(join(root, 'etc/passwd'), 'root:x:0:0::/:/\nedgesim:x:1000:1000::/data:/\n')
  writeFileSync(join(root, 'etc/group'), 'root:x:0:\nedgesim:x:1000:\n')
  mkdirSync(join(root, 'tmp'))
  chmodSync(join(root, 'tmp'), 0o1777)
}

function layPackage() {
  run('node', ['scripts/sbom.js'])
  const [{ filename }] = JSON.parse(
    run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], { stdio: 'pipe' }),
  )
  run('tar', ['-xzf', join(folder, filename), '-C', folder])
  cpSync(join(folder, 'package'), join(root, 'opt/edgesim'), { recursive: true })
  symlinkSync('/opt/edgesim/bin/edgesim.js', join(root, 'usr/local/bin/edgesim'))
}

/** Copies a file and its link target to a path in the image. */
function copy(from, to) {
  const at = join(root, to)
  mkdirSync(dirname(at), { recursive: true })
  copyFileSync(from, at)
}

function copyLicence(name) {
  const file = `/usr/share/doc/${name}/copyright`
  if (existsSync(file)) copy(file, file)
}

function fail(text) {
  console.error(text)
  process.exit(1)
}
