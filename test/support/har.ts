import { createRequire } from 'node:module'
import { Ajv } from 'ajv'
import draft06 from 'ajv/dist/refs/json-schema-draft-06.json' with { type: 'json' }
import addFormats from 'ajv-formats'
import { expect } from 'vitest'
import type { Har } from '../../src/contract/har.ts'

const require = createRequire(import.meta.url)
const schemas: Record<string, object> = require('har-schema')

const ajv = new Ajv({ strict: false, allErrors: true })
addFormats(ajv)
ajv.addMetaSchema(draft06)
ajv.addSchema(Object.values(schemas))
const validate = ajv.getSchema('har.json#')!

/** Checks that a value is valid HAR 1.2. */
export function expectHar(value: unknown): Har['log'] {
  expect(validate(value), ajv.errorsText(validate.errors)).toBe(true)
  const { log } = value as Har
  expect(log).toMatchObject({ version: '1.2', creator: { name: 'edgesim', version: expect.stringMatching(/^\d/) } })
  const names = log.pages.map(({ id }) => id)
  expect([...new Set(names)]).toEqual(names)
  for (const { pageref } of log.entries) expect(names).toContain(pageref)
  return log
}

/** Lines such as `GET /api_keys 200`. */
export const linesOf = ({ entries }: Har['log']) =>
  entries.map(({ request, response }) => `${request.method} ${new URL(request.url).pathname} ${response.status}`)
