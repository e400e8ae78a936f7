// node scripts/sbom.js, before packing: writes `npm sbom` for the bundled packages to dist/sbom.cdx.json. For npm, all
// packages are development dependencies. THIRD_PARTY_NOTICES.txt lists the bundled packages.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

const { name, version } = JSON.parse(readFileSync('package.json', 'utf8'))
const bundled = ['dist', 'dist/page'].flatMap(folder =>
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
writeFileSync('dist/sbom.cdx.json', `${JSON.stringify(bom, null, 2)}\n`)
