import { expect } from 'vitest'
import { operationOf, type Pair, readPairs, type Shape } from '../../../scripts/record.ts'
import { acceptsInput, type Collection, type Field, type Fields } from '../../../src/engine/language/index.ts'
import { errors } from '../../../src/ngrok/errors.ts'
import { collections, kindOf } from '../../../src/ngrok/resources/index.ts'
import type { TestResponse } from '../../support/http.ts'

type Send = (method: string, path: string, body?: unknown) => Promise<TestResponse>
type Members = Record<string, Shape>

/**
 * Sends a recorded request with new values, after creating the records it needs. Braces in a path contain an ID prefix.
 * Records that no request creates are in the fixture.
 */
export async function replay(pair: Pair, send: Send): Promise<TestResponse & { sent: unknown }> {
  const [method, template] = pair.request.split(' ') as [string, string]
  const operation = operationOf(pair.request)!
  const { kind, resource } = operation
  const [, ...steps] = template.split('/')
  let path = ''
  for (const [i, part] of steps.entries()) {
    const prefix = /^\{(\w+)\}$/.exec(part)?.[1]
    const like = i === steps.length - 1 ? membersOf(pair.answer) : {}
    if (!prefix && 'by' in resource && i === steps.length - 1 && part !== resource.of.key)
      await succeed(send, 'POST', path, { [resource.by]: part })
    path += `/${prefix ? await create(send, prefix, path, like) : part}`
  }
  if (kind === 'list') {
    const [item] = membersOf(pair.answer)[resource.listAs!] as Shape[]
    await create(send, resource.prefix, resource.path, membersOf(item))
  }
  if (kind === 'list_entries') await succeed(send, 'POST', path, await bodyLike(send, resource.fields, {}))
  if (kind === 'get_module')
    await succeed(send, 'PUT', path, await bodyLike(send, resource.fields, membersOf(pair.answer)))
  if (kind === 'delete_module') {
    const replaced = Object.values(readPairs()).find(({ request }) => request === `PUT ${template}`)
    await succeed(send, 'PUT', path, await fill(send, resource.fields, replaced?.body ?? {}))
  }
  if (kind === 'create') await prepare(send, resource.prefix)
  const sent = pair.body && (await fill(send, resource.fields, pair.body))
  return { ...(await send(method, path, sent)), sent }
}

/** Records required before a record can be created, in addition to its references. */
const BEFORE: Record<string, [path: string, body: object]> = {
  ep: ['/reserved_domains', { domain: 'www.example.com' }],
  edghts: ['/reserved_domains', { domain: 'example.com' }],
  edgtls: ['/reserved_domains', { domain: 'example.com' }],
}

/** Strings that are empty in the record, because other fields exclude them. */
const EMPTY = ['idp_metadata_url']

async function prepare(send: Send, prefix: string) {
  const before = BEFORE[prefix]
  if (before) await succeed(send, 'POST', ...before)
}

const isMembers = (shape: Shape | undefined): shape is Members =>
  typeof shape === 'object' && shape !== null && !Array.isArray(shape)
const membersOf = (shape: Shape | undefined): Members => (isMembers(shape) ? shape : {})

async function succeed(send: Send, method: string, path: string, body: unknown) {
  const response = await send(method, path, body)
  expect(response.status, `before the pair, ${method} ${path} ${JSON.stringify(body)}: ${response.text}`).toBeLessThan(
    300,
  )
  return response.body
}

/** The ID of a new record of this form, or of the fixture's record. */
async function create(send: Send, prefix: string, path: string, like: Members): Promise<string> {
  const kind = collections.find(each => each.prefix === prefix)
  if (!kind) throw new Error(`Nothing that is simulated has ids with ${prefix}_`)
  const { fields, path: template, only } = kind
  if (only && !only.includes('create')) return `${prefix}_fixture`
  await prepare(send, prefix)
  const own = Object.fromEntries(Object.entries(fields).filter(([name]) => !template.includes(`{${name}}`)))
  return (await succeed(send, 'POST', path, await bodyLike(send, own, like))).id
}

/** A create request with the shown fields, required fields and references. */
async function bodyLike(send: Send, fields: Fields, like: Members): Promise<Record<string, unknown>> {
  const body: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(fields)) {
    const shape = like[field.shownAs ?? name]
    const isShown = Array.isArray(shape) ? shape.length > 0 : (shape ?? null) !== null
    const isWanted = field.refersTo?.tables.length ? refersToCollection(field, shape) : isShown || field.required
    if (acceptsInput(field) && isWanted && !EMPTY.includes(name)) body[name] = await valueLike(send, field, shape)
  }
  return body
}

async function valueLike(send: Send, field: Field, shape: Shape | undefined): Promise<unknown> {
  const { group, oneOf } = field
  if (!group) return ownValue(send, field, shape)
  if (Array.isArray(shape)) return [await bodyLike(send, group, membersOf(shape[0]))]
  const shown = Object.keys(membersOf(shape)).find(name => membersOf(shape)[name] !== null) ?? Object.keys(group)[0]!
  return bodyLike(
    send,
    oneOf ? { [shown]: { ...group[shown]!, required: errors.invalid_value } } : group,
    membersOf(shape),
  )
}

/** Users are in the fixture, because no request creates one. Fields with null in responses are omitted. */
const refersToCollection = ({ refersTo, required, shownAs }: Field, shape: Shape | undefined) =>
  refersTo!.tables.every(table => 'path' in kindOf(table)) && (required || !shownAs || shape !== null)

async function fill(send: Send, fields: Fields, body: Members): Promise<Record<string, unknown>> {
  const filled: Record<string, unknown> = {}
  for (const [name, shape] of Object.entries(body)) filled[name] = await ownValue(send, fields[name], shape)
  return filled
}

async function ownValue(send: Send, field: Field | undefined, shape: Shape | undefined): Promise<unknown> {
  if (shape === null) return null
  const json = (field?.shape.json ?? {}) as { type?: string; items?: object }
  if (field?.refersTo?.tables.length === 0) return `${/"([a-z0-9]+_)"/.exec(JSON.stringify(shape))![1]}1`
  if (field?.refersTo) {
    const id = await referredTo(send, field.refersTo.tables[0]!, shape)
    if (json.type === 'object') return { [id]: 1 }
    return json.type === 'array' ? [id] : id
  }
  if (isMembers(shape)) return fill(send, field?.group ?? {}, shape)
  if (field?.group && Array.isArray(shape)) return [await fill(send, field.group, membersOf(shape[0]))]
  return json.type === 'array' ? [sampleOf(json.items!)] : sampleOf(json)
}

/** Of the recorded kind. The record contains the ID or the reference. */
function referredTo(send: Send, table: string, shape: Shape | undefined) {
  const recorded = /"([a-z0-9]+)_"/.exec(JSON.stringify(shape ?? null))?.[1]
  const kind = collections.find(({ prefix }) => prefix === recorded) ?? (kindOf(table) as Collection)
  return create(send, kind.prefix, kind.path, {})
}

function sampleOf(json: { type?: string; enum?: unknown[]; examples?: unknown[]; minimum?: number }): unknown {
  const { type = '', minimum = 1 } = json
  return json.enum?.[0] ?? json.examples?.[0] ?? { boolean: true, number: minimum, integer: minimum }[type] ?? 'text'
}
