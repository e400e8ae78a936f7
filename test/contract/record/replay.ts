import { expect } from 'vitest'
import { operationOf, type Pair, type Shape } from '../../../scripts/record.ts'
import { collections, kindOf } from '../../../src/resources/index.ts'
import type { Collection, Field, Fields } from '../../../src/schema/index.ts'
import type { Answer } from '../../support/http.ts'

type Send = (method: string, path: string, body?: unknown) => Promise<Answer>
type Members = Record<string, Shape>

/** The pair with our own kinds where the record has one that is not simulated. */
export function withOurs({ ours = {}, ...pair }: Pair): Pair {
  let text = JSON.stringify(pair)
  for (const [theirs, own] of Object.entries(ours)) text = text.replaceAll(`"${theirs}"`, `"${own}"`)
  return JSON.parse(text)
}

/** Sends a recorded request with values of our own, after creating what it needs so that it looks as recorded. */
export async function replay(pair: Pair, send: Send): Promise<Answer> {
  const [method, template] = pair.request.split(' ') as [string, string]
  const operation = operationOf(pair.request)!
  const { kind, resource } = operation
  let path = ''
  for (const [i, part] of template.split('/').slice(1).entries()) {
    const prefix = /^\{(\w+)\}$/.exec(part)?.[1]
    const isTarget = i === template.split('/').length - 2
    path += `/${prefix ? await create(send, prefix, path, isTarget ? membersOf(pair.answer) : {}) : part}`
  }
  if (kind === 'list') {
    const [item] = membersOf(pair.answer)[resource.listAs!] as Shape[]
    await create(send, resource.prefix, path, membersOf(item))
  }
  if (kind === 'get_module' || kind === 'delete_module')
    await succeed(send, 'PUT', path, await bodyLike(send, resource.fields, membersOf(pair.answer)))
  return send(method, path, pair.body && (await fill(send, resource.fields, pair.body)))
}

const isMembers = (shape: Shape | undefined): shape is Members =>
  typeof shape === 'object' && shape !== null && !Array.isArray(shape)
const membersOf = (shape: Shape | undefined): Members => (isMembers(shape) ? shape : {})

async function succeed(send: Send, method: string, path: string, body: unknown) {
  const answer = await send(method, path, body)
  expect(answer.status, `before the pair, ${method} ${path} ${JSON.stringify(body)}: ${answer.text}`).toBeLessThan(300)
  return answer.body
}

/** The id of a new record that looks like that. */
async function create(send: Send, prefix: string, path: string, like: Members): Promise<string> {
  const kind = collections.find(each => each.prefix === prefix)
  if (!kind) throw new Error(`Nothing that is simulated has ids with ${prefix}_`)
  const { fields, path: template } = kind
  const own = Object.fromEntries(Object.entries(fields).filter(([name]) => !template.includes(`{${name}}`)))
  return (await succeed(send, 'POST', path, await bodyLike(send, own, like))).id
}

/** A request for something that looks like that: with what is shown, what is required, and what it refers to. */
async function bodyLike(send: Send, fields: Fields, like: Members): Promise<Record<string, unknown>> {
  const body: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(fields)) {
    const shape = like[field.shownAs ?? name]
    const isShown = Array.isArray(shape) ? shape.length > 0 : (shape ?? null) !== null
    if (field.refersTo ? refersToCollection(field) : isShown || field.required)
      body[name] = field.group
        ? await bodyLike(send, field.group, membersOf(shape))
        : await ownValue(send, field, shape)
  }
  return body
}

/** Users are in the fixture: no request creates one. */
const refersToCollection = ({ refersTo }: Field) => refersTo!.tables.every(table => 'path' in kindOf(table))

/** A recorded body with values of our own. */
async function fill(send: Send, fields: Fields, body: Members): Promise<Record<string, unknown>> {
  const filled: Record<string, unknown> = {}
  for (const [name, shape] of Object.entries(body)) filled[name] = await ownValue(send, fields[name], shape)
  return filled
}

async function ownValue(send: Send, field: Field | undefined, shape: Shape | undefined): Promise<unknown> {
  if (shape === null) return null
  const json = (field?.shape.json ?? {}) as { type?: string; items?: object }
  if (field?.refersTo) {
    const id = await referredTo(send, field.refersTo.tables[0]!, shape)
    return json.type === 'array' ? [id] : id
  }
  if (isMembers(shape)) return fill(send, field?.group ?? {}, shape)
  return json.type === 'array' ? [sampleOf(json.items!)] : sampleOf(json)
}

/** Of the recorded kind: the record has the id itself, or the reference that is shown. */
function referredTo(send: Send, table: string, shape: Shape | undefined) {
  const recorded = /"([a-z0-9]+)_"/.exec(JSON.stringify(shape ?? null))?.[1]
  const kind = collections.find(({ prefix }) => prefix === recorded) ?? (kindOf(table) as Collection)
  return create(send, kind.prefix, kind.path, {})
}

function sampleOf(json: { type?: string; enum?: unknown[]; examples?: unknown[] }): unknown {
  return json.enum?.[0] ?? json.examples?.[0] ?? { boolean: true, number: 1, integer: 1 }[json.type ?? ''] ?? 'text'
}
