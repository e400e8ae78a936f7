// node scripts/sbom.js, before packing: dist/sbom.cdx.json, what `npm sbom` says of the packages that were bundled. For
// npm all of them are needed only for development; which of them are in the bundles, their notices tell.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

const { name, version } = JSON.parse(readFileSync('package.json', 'utf8'))
const bundled = ['dist', 'dist/page'].flatMap(folder =>
  readFileSync(`${folder}/THIRD_PARTY_NOTICES.txt`, 'utf8')
    .split(`\n\n${'-'.repeat(79)}\n\n`)
    .map(notice => notice.slice(0, notice.indexOf(' ('))),
)
const kept = new Set([`${name}@${version}`, ...bundled])

const said = execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--include', 'dev'], {
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
  stdio: ['ignore', 'pipe', 'inherit'],
  shell: process.platform === 'win32',
})
const { serialNumber: _, ...bom } = JSON.parse(said)
// The same sources make the same file, wherever and whenever: npm would name the folder and the time.
delete bom.metadata.timestamp
bom.metadata.component.name = name
bom.components = bom.components
  .filter(component => kept.has(component['bom-ref']))
  // Where each comes from its purl says; npm would name the registry it happened to ask, and call it a development one.
  .map(({ externalReferences, properties, ...component }) => component)
bom.dependencies = bom.dependencies
  .filter(({ ref }) => kept.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(other => kept.has(other)) }))

const listed = new Set(bom.components.map(component => component['bom-ref']))
const missing = bundled.filter(title => !listed.has(title))
if (missing.length > 0) throw new Error(`npm sbom does not know what was bundled: ${missing.join(', ')}`)
writeFileSync('dist/sbom.cdx.json', `${JSON.stringify(bom, null, 2)}\n`)
