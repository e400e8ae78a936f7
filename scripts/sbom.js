// node scripts/sbom.js, before packing: writes `npm sbom` for the bundled packages to dist/sbom.cdx.json. For npm, all
// packages are development dependencies. THIRD_PARTY_NOTICES.txt lists the bundled packages.
// node scripts/sbom.js --executable VERSION: writes build/sbom.cdx.json for the executable, which also contains that Node.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

const { name, version } = JSON.parse(readFileSync('package.json', 'utf8'))
const node = process.argv[2] === '--executable' ? process.argv[3] : undefined
const bundled = [node ? 'build/program' : 'dist', 'dist/page'].flatMap(folder =>
  readFileSync(`${folder}/THIRD_PARTY_NOTICES.txt`, 'utf8')
    .split(`\n\n${'-'.repeat(79)}\n\n`)
    .map(notice => notice.slice(0, notice.indexOf(' ('))),
)
const kept = new Set([`${name}@${version}`, ...bundled])

const output = execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--include', 'dev'], {
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
  stdio: ['ignore', 'pipe', 'inherit'],
  shell: process.platform === 'win32',
})
const { serialNumber: _, ...bom } = JSON.parse(output)
// For reproducible output, remove the time, and the name that npm takes from the folder.
delete bom.metadata.timestamp
bom.metadata.component.name = name
bom.components = bom.components
  .filter(component => kept.has(component['bom-ref']))
  // Remove the registry that npm happened to use and the mark "development"; the purl says where a package is from.
  .map(({ externalReferences, properties, ...component }) => component)
bom.dependencies = bom.dependencies
  .filter(({ ref }) => kept.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(other => kept.has(other)) }))

const listed = new Set(bom.components.map(component => component['bom-ref']))
const missing = bundled.filter(title => !listed.has(title))
if (missing.length > 0)
  throw new Error(
    `npm sbom does not list these bundled packages: ${missing.join(', ')}. Run npm ci, then npm run build.`,
  )
if (node) {
  const ref = `node@${node}`
  const licenses = [{ license: { id: 'MIT' } }]
  bom.components.push({
    'bom-ref': ref,
    type: 'platform',
    name: 'node',
    version: node,
    purl: `pkg:generic/${ref}`,
    licenses,
  })
  bom.dependencies.push({ ref, dependsOn: [] })
}
writeFileSync(`${node ? 'build' : 'dist'}/sbom.cdx.json`, `${JSON.stringify(bom)}\n`)
