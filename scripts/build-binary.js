import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import spawn from 'cross-spawn'
import { build } from 'vite'
import { run } from './installed.js'

/**
 * npm run build:binary [-- --node FILE --out FILE]: builds the executable build/edgesim with the Node version in
 * packaging/.node-version. `--node` is a Node binary of this version for another system, `--out` the output file. The first
 * build needs a registry.
 */
const NODE = readFileSync('packaging/.node-version', 'utf8').trim()
/** Marks the place for the program in every Node binary. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

const SEPARATOR = `\n${'-'.repeat(79)}\n\n`
const isWindows = process.platform === 'win32'
const { values } = parseArgs({
  options: { node: { type: 'string' }, out: { type: 'string', default: `build/edgesim${isWindows ? '.exe' : ''}` } },
})
const own = nodeOfThisSystem()
const given = values.node === undefined ? own : resolve(values.node)
if (!readFileSync(given).includes(`v${NODE}`))
  fail(`${given} is not Node ${NODE}. Pass a Node binary of that version to --node.`)

await build({ configFile: 'vite.executable.config.ts', logLevel: 'warn' })
writeFileSync('build/program/sea.json', JSON.stringify(configuration(), null, 2))
run(own, ['--experimental-sea-config', 'sea.json'], { cwd: 'build/program' })
rmSync(values.out, { force: true })
copyFileSync(given, values.out)
chmodSync(values.out, 0o755)
const isForMac = readFileSync(values.out).readUInt32LE() === 0xfeedfacf
const isSigned = isForMac && process.platform === 'darwin'
if (given === own && process.platform === 'linux') strip()
// A change invalidates the signature, and a Mac runs only signed programs.
if (isSigned) run('codesign', ['--remove-signature', values.out])
// postject warns about unreadable section names that it does not need.
console.warn = () => {}
const { inject } = await import('postject')
await inject(values.out, 'NODE_SEA_BLOB', readFileSync('build/program/program.blob'), {
  sentinelFuse: FUSE,
  machoSegmentName: isForMac ? 'NODE_SEA' : undefined,
})
if (isSigned) run('codesign', ['--sign', '-', values.out])
// The licences of embedded code must be included.
const licences = [
  'build/program/THIRD_PARTY_NOTICES.txt',
  'dist/page/THIRD_PARTY_NOTICES.txt',
  // On Windows, the binary of an installed Node is not in bin.
  ...['../LICENSE', '../../LICENSE'].map(file => join(own, file)),
]
writeFileSync(
  'build/THIRD_PARTY_NOTICES.txt',
  licences
    .filter(existsSync)
    .map(file => readFileSync(file, 'utf8'))
    .join(SEPARATOR),
)
run('node', ['scripts/sbom.js', '--executable', NODE])
console.log(`${values.out}: ${Math.round(statSync(values.out).size / 1e6)} MB, Node ${NODE}`)
if (isForMac && !isSigned) console.log(`Sign it on a Mac before it can run there: codesign --sign - ${values.out}`)

/** Node for this system: the current Node if the version matches, or a cached copy from npm. */
function nodeOfThisSystem() {
  if (process.version === `v${NODE}`) return process.execPath
  const name = `node-${isWindows ? 'win' : process.platform}-${process.arch}`
  const folder = resolve('build', `node-${NODE}`)
  const file = join(folder, 'node_modules', name, 'bin', isWindows ? 'node.exe' : 'node')
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true })
    const { status } = spawn.sync('npm', ['install', '--prefix', folder, '--no-save', `${name}@${NODE}`])
    if (status !== 0) fail(`npm has no ${name}@${NODE} here. Run this with Node ${NODE} itself, which it then takes.`)
  }
  return file
}

/** The content that Node embeds. Paths are relative, because stack traces show them. */
function configuration() {
  const folders = [
    'dist/page',
    'dist/page/assets',
    'fixtures',
    'scenarios',
    'docs',
    'docs/api',
    'docs/contributing',
    'docs/contributing/decisions',
    'docs/images',
  ]
  const files = folders.flatMap(folder =>
    readdirSync(folder, { withFileTypes: true }).flatMap(each =>
      each.isFile() && !each.name.endsWith('.webp') ? `${folder}/${each.name}` : [],
    ),
  )
  const assets = [...files, 'config.schema.json', 'bin/stand-in.cjs']
  return {
    main: 'edgesim.cjs',
    output: 'program.blob',
    disableExperimentalSEAWarning: true,
    // Compiled code does not run on other systems.
    useCodeCache: given === own,
    // The user's NODE_OPTIONS are for the user's commands, and must not break edgesim.
    execArgvExtension: 'none',
    assets: Object.fromEntries(assets.map(path => [path, resolve(path)])),
  }
}

/** A third of the binary is debug symbols. */
function strip() {
  const { error } = spawn.sync('strip', [values.out])
  if (error) console.log(`${values.out} is larger than necessary, because the command strip is not installed.`)
}

function fail(text) {
  console.error(text)
  process.exit(1)
}
