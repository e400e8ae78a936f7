import type { Plugin } from 'vite'

/** Express knows every media type and every charset of Asia; we speak JSON in UTF-8, and every start would pay for them. */
const SLIM: Record<string, string> = {
  '/iconv-lite/encodings/dbcs-data.js': 'module.exports = {}',
  '/mime-db/index.js': `module.exports = {
    'application/json': { charset: 'UTF-8', extensions: ['json'] },
    'text/html': { charset: 'UTF-8', extensions: ['html'] },
    'text/plain': { charset: 'UTF-8', extensions: ['txt'] },
  }`,
}

/** Puts a few entries in the place of large tables. */
export function slim(): Plugin {
  const left = new Set(Object.keys(SLIM))
  return {
    name: 'slim',
    apply: 'build',
    load(id) {
      const file = Object.keys(SLIM).find(ending => id.replaceAll('\\', '/').endsWith(ending))
      if (file === undefined) return undefined
      left.delete(file)
      return SLIM[file]
    },
    buildEnd() {
      if (left.size > 0) this.warn(`not found, so not slimmed: ${[...left].join(', ')}`)
    },
  }
}
