import type { Plugin } from 'vite'

/** The stub of a module that is imported but never called. A call throws an error with a fix. */
const unused = (name: string) =>
  `module.exports = () => { throw new Error('${name} is not bundled. Remove it from scripts/slim.ts.') }`

/**
 * Stubs for modules of packages, by path suffix. They replace code that a JSON and UTF-8 server does not need, so startup
 * does not load it. Only the router of Express remains.
 */
const STUBS: Record<string, string> = {
  '/debug/src/index.js': 'module.exports = () => Object.assign(() => {}, { enabled: false })',
  '/depd/index.js': `module.exports = () => Object.assign(() => {}, { function: given => given, property: () => {} })`,
  '/express/lib/application.js': unused('applications of express'),
  '/express/lib/request.js': unused('requests of express'),
  '/express/lib/response.js': unused('responses of express'),
  '/serve-static/index.js': unused('serve-static'),
  '/body-parser/index.js': unused('body-parser'),
  // yargs wraps its help with it. Support for emoji and colours takes 20 ms to load, and the help has neither.
  '/string-width/index.js': 'export default text => [...text].length',
  // prom-client needs these two only for exemplars and summaries, which are unused. They are half of its size.
  '/@opentelemetry/api/dist/index.cjs': unused('@opentelemetry/api'),
  '/tdigest/tdigest.js': unused('tdigest'),
  // The MCP server checks schemas with these three, but no schema needs them.
  '/@modelcontextprotocol/sdk/dist/esm/validation/ajv-provider.js': 'export class AjvJsonSchemaValidator {}',
  '/zod-to-json-schema/dist/esm/index.js': 'export const zodToJsonSchema = undefined',
  '/zod/v3/index.js': 'export const object = undefined',
}

const endingOf = (id: string) => Object.keys(STUBS).find(ending => id.replaceAll('\\', '/').endsWith(ending))

/** Whether a stub replaces the module in the bundle. */
export const isReplaced = (id: string) => endingOf(id) !== undefined

/** Replaces modules with stubs. Fails the build if a stub matches no module, because a package moved or dropped it. */
export function slim(): Plugin {
  const unmatched = new Set(Object.keys(STUBS))
  return {
    name: 'slim',
    apply: 'build',
    load(id) {
      const ending = endingOf(id)
      if (ending === undefined) return undefined
      unmatched.delete(ending)
      return STUBS[ending]
    },
    buildEnd(error) {
      if (!error && unmatched.size > 0)
        this.error(
          `Stubs that match no module: ${[...unmatched].join(', ')}. Correct or remove them in scripts/slim.ts.`,
        )
    },
  }
}
