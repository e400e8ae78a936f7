import { describe, expect, it } from 'vitest'
import type { ErrorKind } from '../../src/engine/error.ts'
import {
  acceptsInput,
  type Collection,
  type Field,
  type Fields,
  type Operation,
  type Row,
} from '../../src/engine/language/index.ts'
import { codeOf } from '../../src/ngrok/codes.ts'
import { errors } from '../../src/ngrok/errors.ts'
import { familyOf, holderOf, kindOf, kinds, operations } from '../../src/ngrok/resources/index.ts'
import { type CallOptions, expectError } from '../support/http.ts'
import { simulate } from '../support/in-process.ts'
import { ALL } from '../support/long.ts'

/** Tests one operation of each kind per family, or all declared operations in `npm run test:all`. */

interface Case {
  what: string
  path?: Record<string, string>
  body?: Record<string, unknown>
  how?: CallOptions
  error: ErrorKind
}

const simulator = await simulate()
const state: Record<string, Row[]> = (await simulator.call('GET', '/_sim/state')).body

it('The default fixture has a record of every kind', () => {
  expect(kinds.filter(({ table }) => rowsOf(table).length === 0).map(({ label }) => label)).toEqual([])
})

const firsts = new Map(operations.toReversed().map(each => [`${each.kind} ${familyOf(collectionOf(each))}`, each]))
const tried = ALL ? operations : operations.filter(each => [...firsts.values()].includes(each))

describe.each(tried)('$id', operation => {
  const { method } = operation

  /** Existing IDs for path parameters. A case may replace them. */
  const pathTo = (ids: Record<string, string> = {}) =>
    operation.path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? existingId(operation, name))

  it('succeeds with a valid request', async () => {
    const token = `${simulator.token}~${operation.id}`
    // The fixture does not contain every module.
    const replacing = operations.find(each => each.kind === 'replace_module' && each.path === operation.path)
    if (operation.kind === 'get_module') await simulator.call('PUT', pathTo(), goodBody(replacing!), { token })
    const response = await simulator.call(method, pathTo(), goodBody(operation), { token })
    const none = ['delete', 'delete_module', 'delete_entry', 'action'].includes(operation.kind)
    const status = none ? 204 : operation.kind.startsWith('create') ? 201 : 200
    expect(response.status).toBe(status)
  })

  it('rejects invalid requests, and explains why in the journal', async () => {
    const cases = refusals(operation)
    const responses = await Promise.all(
      cases.map(({ path, body, how }) => simulator.call(method, pathTo(path), body ?? goodBody(operation), how)),
    )
    const ids = responses.map((response, i) => {
      const { error } = cases[i]!
      // The 404 of an unknown ID may have no code.
      const expected = error === errors.not_found ? '' : codeOf(error).code
      return expectError(response, error.status, expected).details.operation_id
    })
    const { requests } = (await simulator.call('GET', `/_sim/requests?limit=${cases.length}`)).body
    for (const [i, { what, error }] of cases.entries()) {
      const { status, name: decided_by } = error
      const { section } = codeOf(error)
      const entry = requests.find(({ id }: { id: string }) => id === ids[i])
      expect(entry, what).toMatchObject({ operation: operation.id, status, change: null })
      expect(entry.explanation, what).toMatchObject({ decided_by, section })
    }
  })

  const longest = limitedTexts(operation).map(({ name, bytes }) => [name, textOf(bytes)])
  it.each(
    longest.length > 0 ? [Object.fromEntries(longest)] : [],
  )('accepts strings of the maximum length', async texts => {
    const token = `${simulator.token}~${operation.id}-texts`
    const response = await simulator.call(method, pathTo(), { ...goodBody(operation), ...texts }, { token })
    expect(response.status, response.text).toBeLessThan(300)
    expect(response.body).toMatchObject(texts)
  })
})

describe('Every operation', () => {
  it('has a unique method and path, and a section of docs/api.md', () => {
    const places = operations.map(({ method, path }) => `${method} ${path}`)
    expect(places.filter((place, i) => places.indexOf(place) !== i)).toEqual([])
    const isRight = ({ undocumented, resource }: Operation) =>
      (undocumented ? /^10\.\d+$/ : /^4\.\d$/).test(resource.section)
    expect(operations.filter(each => !isRight(each)).map(({ id }) => id)).toEqual([])
  })

  const METHODS = ['GET', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']
  const allowed = (headers: Headers) => headers.get('allow')?.split(', ').toSorted()
  const paths = [...new Set(operations.map(({ path }) => path))].map(path => ({
    anywhere: path.replace(/\{\w+\}/g, 'x'),
    taken: operations.flatMap(each => (each.path === path ? [each.method as string] : [])).toSorted(),
  }))

  it('has a path that rejects other methods with 405 and Allow', async () => {
    for (const { anywhere, taken } of paths)
      for (const method of METHODS.filter(each => !taken.includes(each))) {
        const response = await simulator.call(method, anywhere, undefined, { token: null })
        expectError(response, 405, 405)
        expect(allowed(response.headers), `${method} ${anywhere}`).toEqual(taken)
      }
  })

  it('has a path that rejects HEAD without a body', async () => {
    for (const { anywhere, taken } of paths) {
      const response = await fetch(simulator.url + anywhere, { method: 'HEAD' })
      expect(response.status, anywhere).toBe(405)
      expect(allowed(response.headers), anywhere).toEqual(taken)
      expect(await response.text()).toBe('')
    }
  })
})

function refusals(operation: Operation): Case[] {
  return [
    { what: 'no token', how: { token: null }, error: errors.no_authorization },
    { what: 'an unknown token', how: { token: 'nobody' }, error: errors.unknown_token },
    { what: 'no version', how: { version: null }, error: errors.missing_version },
    { what: 'another version', how: { version: '1' }, error: errors.wrong_version },
    ...badIds(operation),
    ...(operation.takesBody ? badBodies(operation) : unexpectedBody(operation)),
  ]
}

function badIds(operation: Operation): Case[] {
  const cases: Case[] = []
  for (const [, name] of operation.path.matchAll(/\{(\w+)\}/g)) {
    if ('by' in operation.resource && name === operation.resource.by) {
      cases.push({ what: `an unknown ${name}`, path: { [name]: 'unknown' }, error: operation.resource.missing })
      continue
    }
    const { prefix, unknown, otherPrefix, noId } = identityOf(operation, name!)
    cases.push(
      { what: `an unknown ${name}`, path: { [name!]: `${prefix}_unknown` }, error: unknown },
      { what: `${name} with the prefix of something else`, path: { [name!]: 'zz_1' }, error: otherPrefix },
      { what: `${name} that is no identifier`, path: { [name!]: '1' }, error: noId },
      { what: `${name} that is too long`, path: { [name!]: `${prefix}_${'x'.repeat(65)}` }, error: noId },
    )
  }
  return cases
}

function badBodies(operation: Operation): Case[] {
  const body = goodBody(operation)!
  const cases: Case[] = [{ what: 'an unknown field', body: { ...body, no_such_field: 1 }, error: errors.unknown_field }]
  for (const [name, field] of fieldsOf(operation)) {
    cases.push({
      what: `${name} of a wrong type`,
      body: { ...body, [name]: wrongType(field) },
      error: errors.invalid_value,
    })
  }
  for (const { name, bytes, field } of limitedTexts(operation)) {
    const tooLong = textOf(bytes + 1)
    const error = (field.shape.find(tooLong)?.[0]?.error ?? errors.invalid_value) as ErrorKind
    cases.push({ what: `${name} of ${bytes + 1} bytes`, body: { ...body, [name]: tooLong }, error })
  }
  return cases
}

/** fetch sends no body with GET, but test/server/api/bad-input.test.ts does. */
const unexpectedBody = ({ method }: Operation): Case[] =>
  method === 'GET' ? [] : [{ what: 'a body', body: {}, error: errors.body_not_expected }]

function collectionOf({ resource }: Operation): Collection {
  return 'of' in resource ? holderOf(resource) : resource
}

/** The ID prefix of a path parameter, and the errors for other values. */
function identityOf(operation: Operation, name: string) {
  const own = collectionOf(operation)
  const { prefix, errors: specific } = name === own.partOf?.by ? (kindOf(own.partOf.table) as Collection) : own
  return {
    prefix,
    unknown: specific?.missing ?? errors.not_found,
    otherPrefix: specific?.badId ?? specific?.otherKind ?? errors.wrong_prefix,
    noId: specific?.badId ?? errors.bad_identifier,
  }
}

/** The ID of a record without references, which can be deleted. */
function existingId(operation: Operation, name: string): string {
  const { table, partOf } = collectionOf(operation)
  const written = JSON.stringify(state)
  const { resource } = operation
  const row = rowsOf(table).find(({ id }) => written.split(`"${id}"`).length === 2)!
  if ('by' in resource && name === resource.by) return (row[resource.of.key] as Row[])[0]![name] as string
  return name === partOf?.by ? (row[partOf.by] as string) : row.id
}

/** Parts are stored inside their records. */
function rowsOf(table: string): Row[] {
  const { partOf } = kindOf(table) as Partial<Collection>
  if (!partOf) return state[table]!
  return state[partOf.table]!.flatMap(row =>
    (row[partOf.list] as Row[]).map(part => ({ ...part, [partOf.by]: row.id })),
  )
}

function fieldsOf({ kind, path, resource }: Operation): [string, Field][] {
  const isUpdate = kind === 'update' || kind === 'update_entry'
  const fields = Object.entries(kind === 'action' ? {} : (resource.fields as Fields))
  return fields.filter(
    ([name, field]) => acceptsInput(field) && !(isUpdate && field.createOnly) && !path.includes(`{${name}}`),
  )
}

/** Only required fields, and module fields with an example. An update that requires a value sets a description. */
function goodBody(operation: Operation): Record<string, unknown> | undefined {
  if (!operation.takesBody) return undefined
  if (operation.kind === 'update' && operation.resource.errors?.noValues) return { description: 'x' }
  const isModule = operation.kind === 'replace_module'
  const isWanted = ({ required, shape }: Field) => required || (isModule && shape.json.examples)
  const wanted = isModule || operation.kind.startsWith('create') ? fieldsOf(operation) : []
  const given = wanted.filter(([, field]) => isWanted(field))
  return Object.fromEntries(given.map(([name, field]) => [name, sampleOf(field)]))
}

function sampleOf({ shape, refersTo, group, oneOf }: Field): unknown {
  if (refersTo) return rowsOf(refersTo.tables[0]!)[0]!.id
  if (group && shape.json.type === 'object') {
    const inside = Object.entries(group)
    const given = oneOf ? inside.slice(0, 1) : inside.filter(([, field]) => field.required)
    return Object.fromEntries(given.map(([name, field]) => [name, sampleOf(field)]))
  }
  const { enum: values, examples, type } = shape.json as { enum?: unknown[]; examples?: unknown[]; type: string }
  return (
    values?.[0] ?? examples?.[0] ?? { string: 'x', boolean: true, array: [], object: {}, integer: 1, number: 1 }[type]
  )
}

function wrongType({ shape }: Field): unknown {
  const { type } = shape.json as { type: string }
  return { string: 7, object: [{}], array: {} }[type] ?? 'not a thing of that type'
}

/** Only free-text fields, because a long string is not a valid certificate. */
function limitedTexts(operation: Operation) {
  if (!operation.takesBody) return []
  return fieldsOf(operation).flatMap(([name, field]) => {
    const bytes = field.shape.json['x-max-bytes'] as number | undefined
    return bytes === undefined || !field.omittedWhenEmpty ? [] : [{ name, bytes, field }]
  })
}

/** A string of that many bytes in UTF-8, with fewer characters. */
const textOf = (bytes: number) => 'x'.repeat(bytes % 2) + 'é'.repeat(bytes / 2)
