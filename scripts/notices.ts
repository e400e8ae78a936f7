import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'
import { isReplaced } from './slim.ts'

/** Licences that only require a copy of their text. */
const PERMISSIVE = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT']

interface Package {
  name: string
  version: string
  license?: string
  folder: string
}

/** Writes the licences of all bundled packages to THIRD_PARTY_NOTICES.txt. Fails if one is not permissive. */
export function notices(): Plugin {
  return {
    name: 'third-party-notices',
    generateBundle(_options, bundle) {
      const packages = new Map<string, Package>()
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue
        for (const id of chunk.moduleIds) {
          const file = id.replace(/^\0/, '').split('?')[0]!
          const found = file.includes('node_modules') && !isReplaced(file) ? packageOf(file) : undefined
          if (found) packages.set(`${found.name}@${found.version}`, found)
        }
      }
      const sorted = [...packages.entries()].sort(([a], [b]) => (a < b ? -1 : 1))
      const notPermissive = sorted.filter(([, { license }]) => !PERMISSIVE.includes(license ?? ''))
      if (notPermissive.length > 0) {
        const found = notPermissive.map(([title, { license }]) => `${title} has ${JSON.stringify(license) ?? 'none'}`)
        this.error(
          `A bundled package has no permissive licence: ${found.join(', ')}. Allowed are ${PERMISSIVE.join(', ')}.`,
        )
      }
      const source = sorted.map(([title, found]) => `${title} (${found.license})\n\n${licenceOf(found)}`)
      this.emitFile({
        type: 'asset',
        fileName: 'THIRD_PARTY_NOTICES.txt',
        source: `${source.join(`\n\n${'-'.repeat(79)}\n\n`)}\n`,
      })
    },
  }
}

/** The package of a file, from the first parent package.json with a name and a version. */
function packageOf(file: string): Package | undefined {
  for (let folder = dirname(file); folder.includes('node_modules'); folder = dirname(folder)) {
    const path = join(folder, 'package.json')
    if (!existsSync(path)) continue
    const { name, version, license } = JSON.parse(readFileSync(path, 'utf8'))
    if (name && version) return { name, version, license, folder }
  }
  return undefined
}

function licenceOf({ folder }: Package): string {
  const file = readdirSync(folder).find(name => /^(licen[cs]e|copying)/i.test(name))
  return file ? readFileSync(join(folder, file), 'utf8').trim() : 'The package carries no licence file.'
}
