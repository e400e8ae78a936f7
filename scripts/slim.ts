import type { Plugin } from 'vite'

/** Throws when it is called after all, and says what to do. */
const unused = (name: string) =>
  `module.exports = () => { throw new Error('${name} is not bundled: take it out of scripts/slim.ts') }`

/**
 * What packages bring along and a simulator that speaks JSON in UTF-8 does not need: every start would pay for it; of
 * Express it is half. What is here in full does the little that is asked of it.
 */
const SLIM: Record<string, string> = {
  '/mime-db/index.js': `module.exports = {
    'application/json': { charset: 'UTF-8', extensions: ['json'] },
    'text/html': { charset: 'UTF-8', extensions: ['html'] },
    'text/plain': { charset: 'UTF-8', extensions: ['txt'] },
  }`,
  '/debug/src/index.js': 'module.exports = () => Object.assign(() => {}, { enabled: false })',
  '/depd/index.js': `module.exports = () => Object.assign(() => {}, { function: given => given, property: () => {} })`,
  // Nobody is trusted: the source address is looked up by ourselves.
  '/proxy-addr/index.js': 'exports.compile = () => () => false',
  '/qs/lib/index.js': unused('qs'),
  '/send/index.js': unused('send'),
  '/serve-static/index.js': unused('serve-static'),
  '/accepts/index.js': unused('accepts'),
  '/content-disposition/dist/index.js': unused('content-disposition'),
  '/cookie/index.js': unused('cookie'),
  '/cookie-signature/index.js': unused('cookie-signature'),
  '/etag/index.js': unused('etag'),
  '/fresh/index.js': unused('fresh'),
  '/range-parser/index.js': unused('range-parser'),
  '/vary/index.js': unused('vary'),
  '/express/lib/view.js': unused('views of express'),
  '/body-parser/index.js': unused('body-parser'),
  // Where yargs breaks the lines of its help, which has neither emoji nor colours: to know of those takes 20 ms to load.
  '/string-width/index.js': 'export default text => [...text].length',
  // Half of what prom-client would take, for exemplars and summaries: there are none.
  '/@opentelemetry/api/dist/index.cjs': unused('@opentelemetry/api'),
  '/tdigest/tdigest.js': unused('tdigest'),
  // What the server of the Model Context Protocol would check schemas with that nobody gives it.
  '/@modelcontextprotocol/sdk/dist/esm/validation/ajv-provider.js': 'export class AjvJsonSchemaValidator {}',
  '/zod-to-json-schema/dist/esm/index.js': 'export const zodToJsonSchema = undefined',
  '/zod/v3/index.js': 'export const object = undefined',
}

/** Which of these a module is, by its ending. */
const endingOf = (id: string) => Object.keys(SLIM).find(ending => id.replaceAll('\\', '/').endsWith(ending))

/** Whether another module stands in its place, so that nothing of it is in the bundle. */
export const isReplaced = (id: string) => endingOf(id) !== undefined

/** Puts these in the place of the modules. */
export function slim(): Plugin {
  const left = new Set(Object.keys(SLIM))
  return {
    name: 'slim',
    apply: 'build',
    load(id) {
      const file = endingOf(id)
      if (file === undefined) return undefined
      left.delete(file)
      return SLIM[file]
    },
    buildEnd() {
      if (left.size > 0) this.warn(`not found, so not slimmed: ${[...left].join(', ')}`)
    },
  }
}
