import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, posix, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isReplaced } from '../../scripts/slim.ts'
import { root } from '../support/afterwards.ts'
import { projectWith } from '../support/as-process.ts'

interface Component {
  'bom-ref': string
  licenses: { license: { id: string } }[]
  hashes: object[]
}

const installed = join(await projectWith(), 'node_modules/edgesim')
const files = readdirSync(installed, { recursive: true, encoding: 'utf8' })
  .map(file => file.replaceAll('\\', '/'))
  .filter(file => statSync(join(installed, file)).isFile())
const text = (file: string) => readFileSync(join(installed, file), 'utf8')

describe('The published package', () => {
  it('contains no path of the build machine', () => {
    // A Windows path may have slashes, backslashes or quoted backslashes.
    const slashes = (path: string) => path.replace(/\\+/g, '/')
    const paths = [slashes(resolve(root)), `${slashes(homedir())}/`]
    const found = files.filter(file => {
      const content = slashes(text(file))
      return paths.some(path => content.includes(path)) || /file:\/\/\/\w/.test(content)
    })
    expect(files.length).toBeGreaterThan(100)
    expect(found).toEqual([])
  })
})

it('Published documents link only to published files', () => {
  const links = files
    .filter(file => file.endsWith('.md'))
    .flatMap(file =>
      [...text(file).matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, to]) => posix.join(posix.dirname(file), to!)),
    )
  expect(links.length).toBeGreaterThan(50)
  expect(links.filter(link => !existsSync(join(installed, link)))).toEqual([])
})

describe('The SBOM', () => {
  const sbom = JSON.parse(text('dist/sbom.cdx.json'))
  const components: Component[] = sbom.components
  const refs = components.map(component => component['bom-ref'])

  it('lists exactly the bundled packages', () => {
    const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
    const maps = files.map(file => `${file}.map`).filter(map => existsSync(join(root, map)))
    expect(maps.length).toBeGreaterThan(10)
    const sources = maps.flatMap(map => {
      const { sources } = JSON.parse(readFileSync(join(root, map), 'utf8'))
      return sources.map((source: string) => posix.join(posix.dirname(map), source))
    })
    const titles = sources
      .filter((source: string) => !isReplaced(source))
      .flatMap((source: string) => /(node_modules\/.*)?node_modules\/(@[^/]+\/)?[^/]+/.exec(source)?.[0] ?? [])
      .map((path: string) => `${path.split('node_modules/').at(-1)}@${packages[path].version}`)
    // The dashboard has no source maps.
    const ofPage = [...text('dist/page/THIRD_PARTY_NOTICES.txt').matchAll(/^(\S+@\d\S+) \(/gm)].map(
      ([, title]) => title,
    )
    expect(ofPage.length).toBeGreaterThan(1)
    expect(refs.toSorted()).toEqual([...new Set([...titles, ...ofPage])].sort())
  })

  it('has the licence and the hash of each', () => {
    const said = text('dist/THIRD_PARTY_NOTICES.txt') + text('dist/page/THIRD_PARTY_NOTICES.txt')
    for (const { 'bom-ref': ref, licenses, hashes } of components) {
      expect(said).toContain(`${ref} (${licenses[0]!.license.id})\n`)
      expect(hashes).toHaveLength(1)
    }
  })

  it('lists the dependencies of each', () => {
    const known = [sbom.metadata.component['bom-ref'], ...refs]
    const edges: { ref: string; dependsOn: string[] }[] = sbom.dependencies
    expect(edges.map(({ ref }) => ref).sort()).toEqual(known.toSorted())
    expect(edges.flatMap(({ dependsOn }) => dependsOn).filter(ref => !known.includes(ref))).toEqual([])
    expect(edges.find(({ ref }) => ref.startsWith('express@'))?.dependsOn.join()).toContain('router@')
  })

  it('is reproducible in any folder, at any time and from any registry', () => {
    expect(sbom.metadata.component.name).toBe('edgesim')
    expect([sbom.serialNumber, sbom.metadata.timestamp]).toEqual([undefined, undefined])
    expect(components.filter(component => 'externalReferences' in component)).toEqual([])
  })
})
