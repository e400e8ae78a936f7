import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import { openapi } from '../../src/engine/describe/openapi.ts'
import { ngrok } from '../../src/ngrok/api.ts'
import { edgesimHere, simulate } from '../support/in-process.ts'
import { ALL } from '../support/long.ts'
import { tableIn } from '../support/tables.ts'

interface Operation {
  operationId: string
  'x-neighbour'?: boolean
  summary?: string
  security?: unknown[]
  parameters: { $ref?: string; name?: string; in?: string }[]
  responses: Record<string, { content?: { 'application/json': { schema: { $ref: string } } } }>
}

type Schema = { properties?: Record<string, Schema>; required?: string[]; default?: unknown; minItems?: number }

interface Document {
  servers: { url: string }[]
  security?: unknown[]
  paths: Record<string, Record<string, Operation>>
  components: { parameters: Record<string, { name: string }> }
}

const OPERATIONS: string[] = tableIn(import.meta.url, 'openapi-operations.yaml')

describe('The OpenAPI document', async () => {
  const { call, url } = await simulate({ vendor: 'ngrok' })
  const options = { url: 'http://127.0.0.1:4600', version: '1.2.3', vendor: 'service', assumed: {} }
  const document = openapi(ngrok, options) as unknown as Document
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), ...operation })),
  )

  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator()
    expect(await validator.validate(structuredClone(document) as unknown as Record<string, unknown>)).toEqual({
      valid: true,
    })
    expect(validator.version).toBe('3.1')
    expect(() => validator.resolveRefs()).not.toThrow()
  })

  it('marks all operations except sixteen as neighbours', () => {
    const own = operations.filter(each => !each['x-neighbour'])
    const found = own.map(({ operationId, method, path, responses }) => {
      const success = Object.keys(responses).filter(status => status.startsWith('2'))
      return `${operationId} ${method} ${path} ${success}`
    })
    expect(found.sort()).toEqual(OPERATIONS.sort())
  })

  it('describes the effect, permissions, success and errors of every operation', () => {
    const VERBS = 'create|get|list|update|replace|delete|restart|stop'
    for (const operation of operations) {
      const { operationId, method, path, parameters, responses } = operation
      expect(operationId).toMatch(new RegExp(`^(${VERBS})(_[a-z]+)+$`))
      expect(operation.summary, operationId).toMatch(new RegExp(`^(${VERBS}) [A-Z]`, 'i'))
      expect(operation.security ?? document.security, operationId).toEqual([{ bearer: [] }, { basic: [] }])
      expect(responses.default?.content?.['application/json'].schema.$ref).toBe('#/components/schemas/Error')
      expect(parameters, operationId).toContainEqual({ $ref: '#/components/parameters/version' })
      const inPath = parameters.filter(parameter => parameter.in === 'path').map(({ name }) => `{${name}}`)
      expect(inPath, operationId).toEqual(path.match(/\{\w+\}/g) ?? [])
      const [verb] = operationId.split('_')
      const isAction = method === 'POST' && verb !== 'create'
      const success = verb === 'create' ? '201' : verb === 'delete' || isAction ? '204' : '200'
      expect(Object.keys(responses), operationId).toEqual([success, 'default'])
    }
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length)
  })

  it('is served for one operation, with only its schemas', async () => {
    const verbs = new Map(operations.map(each => [each.operationId.split('_')[0], each]))
    for (const { method, path, ...described } of verbs.values()) {
      const { body } = await call('GET', `/_sim/openapi.json?operation=${described.operationId}`)
      expect(body.paths).toEqual({ [path]: { [method.toLowerCase()]: described } })
      const { securitySchemes, ...components } = body.components
      expect(Object.keys(securitySchemes)).toEqual(['bearer', 'basic'])
      const there = Object.entries<object>(components).flatMap(([kind, all]) =>
        Object.keys(all).map(name => `#/components/${kind}/${name}`),
      )
      const named = [...JSON.stringify(body).matchAll(/"\$ref":"([^"]+)"/g)].map(([, name]) => name!)
      expect(there.sort(), described.operationId).toEqual([...new Set(named)].sort())
    }
    const { body } = await call('GET', '/_sim/openapi.json?operation=create_https_edge')
    expect(await new Validator().validate(structuredClone(body))).toEqual({ valid: true })
  })

  it('is not served for an unknown operation', async () => {
    const response = await call('GET', '/_sim/openapi.json?operation=create_api_kee')
    expect(response).toMatchObject({
      status: 400,
      body: { msg: expect.stringContaining('Did you mean create_api_key?') },
    })
  })

  it('is served with the address of the request', async () => {
    const { status, body } = await call('GET', '/_sim/openapi.json', undefined, { token: null, version: null })
    expect(status).toBe(200)
    expect(body.servers).toEqual([{ url }])
    expect(body.components.parameters.version.name).toBe('Ngrok-Version')
    expect(Object.keys(body.paths)).toEqual(Object.keys(document.paths))
    const other = url.replace('127.0.0.1', 'localhost')
    expect((await (await fetch(`${other}/_sim/openapi.json`)).json()).servers).toEqual([{ url: other }])
  })

  describe('specifies whether ip_policy_ids is required', () => {
    /** Bodies with policies, and their list schemas. */
    const listsIn = ({ components: { schemas } }: { components: { schemas: Record<string, Schema> } }) =>
      Object.fromEntries(
        Object.entries(schemas)
          .map(([name, schema]) => [name, schema.properties?.ip_restriction ?? schema] as const)
          .filter(([, { properties }]) => properties?.ip_policy_ids)
          .map(([name, { properties, required = [] }]) => {
            const { default: fallback, minItems } = properties!.ip_policy_ids!
            return [name, { required: required.includes('ip_policy_ids'), fallback, minItems }]
          }),
      )
    const required = { required: true, fallback: undefined, minItems: 1 }
    const optional = { required: false, fallback: [], minItems: undefined }
    const unchanged = { ...optional, fallback: undefined }
    const modules = ['TcpEdge', 'TlsEdge', 'HttpsEdgeRoute'].flatMap(holder =>
      ['Create', 'Update', 'IpRestrictionModuleReplace'].map(use => holder + use),
    )
    const lists = (restriction: object, module: object) => ({
      ...{ IpRestrictionCreate: restriction, IpRestrictionUpdate: unchanged },
      ...Object.fromEntries(modules.map(name => [name, module])),
    })

    const rows: [assume: string[], wanted: object][] = [
      [['ngrok'], lists(required, required)],
      [['restriction_without_policies=reject'], lists(required, optional)],
      [['module_without_policies=reject'], lists(optional, required)],
      [['ngrok', 'restriction_without_policies=accept'], lists(optional, required)],
    ]
    it.each(ALL ? rows : rows.slice(0, 1))('under %j', async (assume, wanted) => {
      const { call } = await simulate({ assume })
      const { body } = await call('GET', '/_sim/openapi.json')
      expect(listsIn(body)).toEqual(wanted)
      expect(await new Validator().validate(structuredClone(body))).toMatchObject({ valid: true })
      const printed = await edgesimHere(['openapi', ...assume.flatMap(word => ['--assume', word])])
      expect(listsIn(JSON.parse(printed.out))).toEqual(wanted)
    })

    it('under the scenario of the sandbox', async () => {
      const { call } = await simulate()
      await call('PUT', '/_sim/sandboxes/strict', { scenario: { assume: 'ngrok' } })
      const { body: strict } = await call('GET', '/_sim/sandboxes/strict/openapi.json')
      expect(listsIn(strict)).toEqual(lists(required, required))
      const { body: usual } = await call('GET', '/_sim/openapi.json')
      expect(listsIn(usual)).toEqual(lists(optional, optional))
    })
  })

  it('names the base URL as its server', async () => {
    const { call } = await simulate({ baseUrl: 'https://api.example.test' })
    expect((await call('GET', '/_sim/openapi.json')).body.servers).toEqual([{ url: 'https://api.example.test' }])
  })
})
