import Ajv2020 from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect } from 'vitest'
import { openapi } from '../../src/resources/openapi.ts'
import type { Answer } from './call.ts'

type Json = Record<string, unknown>
interface Described {
  responses: Record<string, { content?: { 'application/json': { schema: { $ref: string } } } }>
}

const document = openapi({ url: 'http://127.0.0.1', version: '0', vendor: 'service' }) as {
  paths: Record<string, Record<string, Described>>
}
const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats(ajv)
ajv.addSchema(document as Json, 'api')

const templates = Object.keys(document.paths).map(path => ({
  path,
  pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
}))

/** Every answer of the simulated API must be one its OpenAPI document describes. */
export function checkAnswer(method: string, target: string, answer: Answer) {
  const path = target.split('?')[0]!
  if (path.startsWith('/_sim')) return
  const template = templates.find(({ pattern }) => pattern.test(path))
  const operation = template && document.paths[template.path]![method.toLowerCase()]
  const described = operation?.responses[answer.status]
  if (answer.status < 400 && operation) expect(described, `${method} ${path} answered ${answer.status}`).toBeDefined()
  const schema =
    answer.status < 400 ? described?.content?.['application/json'].schema.$ref : '#/components/schemas/Error'
  if (!schema) return expect(answer.text).toBe('')
  const validate = ajv.getSchema(`api${schema}`)!
  expect(validate(answer.body), `${method} ${target}: ${ajv.errorsText(validate.errors)}`).toBe(true)
}
