import type { Plugin } from 'vite'

/** Source maps hold our own sources; those of packages can be had from the packages, and would double the tarball. */
export function ownSources(): Plugin {
  return {
    name: 'own-sources',
    apply: 'build',
    generateBundle(_options, bundle) {
      for (const [name, file] of Object.entries(bundle)) {
        if (file.type !== 'asset' || !name.endsWith('.map')) continue
        const map = JSON.parse(String(file.source))
        map.sourcesContent = map.sources.map((source: string, i: number) =>
          source.includes('node_modules') ? null : map.sourcesContent[i],
        )
        file.source = JSON.stringify(map)
      }
    },
  }
}
