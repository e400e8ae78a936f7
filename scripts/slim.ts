import type { Plugin } from 'vite'

/** The stub of a module that is imported but never called. If it is called, the error says what to do. */
const unused = (name: string) =>
  `module.exports = () => { throw new Error('${name} is not bundled. Remove it from scripts/slim.ts.') }`

/**
 * Stubs for modules of packages, by the end of their path. They replace what a simulator that speaks JSON in UTF-8 does
 * not need: without them every start would load it. Of Express they leave the router.
 */
const STUBS: Record<string, string> = {
  '/debug/src/index.js': 'module.exports = () => Object.assign(() => {}, { enabled: false })',
  '/depd/index.js': `module.exports = () => Object.assign(() => {}, { function: given => given, property: () => {} })`,
  '/express/lib/application.js': unused('applications of express'),
  '/express/lib/request.js': unused('requests of express'),
  '/express/lib/response.js': unused('responses of express'),
  '/serve-static/index.js': unused('serve-static'),
  '/body-parser/index.js': unused('body-parser'),
  // yargs breaks the lines of its help with it. The help has no emoji and no colours; support for them takes 20 ms to load.
  '/string-width/index.js': 'export default text => [...text].length',
  // prom-client needs these two for exemplars and summaries, which no metric here has. They are half of its size.
  '/@opentelemetry/api/dist/index.cjs': unused('@opentelemetry/api'),
  '/tdigest/tdigest.js': unused('tdigest'),
  // The server of the Model Context Protocol checks schemas with these three, and is given no schema that needs them.
  '/@modelcontextprotocol/sdk/dist/esm/validation/ajv-provider.js': 'export class AjvJsonSchemaValidator {}',
  '/zod-to-json-schema/dist/esm/index.js': 'export const zodToJsonSchema = undefined',
  '/zod/v3/index.js': 'export const object = undefined',
}

const endingOf = (id: string) => Object.keys(STUBS).find(ending => id.replaceAll('\\', '/').endsWith(ending))

/** Whether a stub replaces the module, so that nothing of it is in the bundle. */
export const isReplaced = (id: string) => endingOf(id) !== undefined

/** Replaces modules by their stubs. Fails the build if a stub matched no module: a package has moved or dropped it. */
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
