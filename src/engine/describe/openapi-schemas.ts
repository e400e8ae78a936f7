import type { Api } from '../api.ts'
import {
  acceptsInput,
  type Catalog,
  type Collection,
  type Entries,
  type Field,
  type Fields,
  isShown,
  isShownAsRef,
  type Module,
  unsetOf,
} from '../language/index.ts'
import { type Assumed, answerTo } from '../question.ts'

export type Json = Record<string, unknown>

export const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
export const titled = (name: string) => name.replace(/(^|_)([a-z])/g, (_, __, letter: string) => letter.toUpperCase())
const orNull = (schema: Json) =>
  schema.type === undefined || schema.enum
    ? { anyOf: [schema, { type: 'null' }] }
    : { ...schema, type: [...new Set([schema.type, 'null'])] }

const descriptionOf = ({ describe }: Field): Json => (describe === undefined ? {} : { description: describe })

function requestSchema(fields: Fields, update: boolean, assumed: Assumed): Json {
  const names = Object.keys(fields).filter(name => acceptsInput(fields[name]!) && !(update && fields[name]!.createOnly))
  const isNotEmpty = ({ notEmpty }: Field) =>
    !update && notEmpty !== undefined && answerTo(notEmpty.under, assumed) === 'reject'
  const isRequired = ({ required, unlessGiven }: Field) => required !== undefined && unlessGiven === undefined
  const required = update ? [] : names.filter(name => isRequired(fields[name]!) || isNotEmpty(fields[name]!))
  const property = (field: Field) => {
    const { group, shape, default: fallback, required, oneOf, merged } = field
    if (isNotEmpty(field)) return { ...shape.json, minItems: 1, ...descriptionOf(field) }
    const inside = group && {
      ...requestSchema(group, update && merged === true, assumed),
      ...(oneOf && { minProperties: 1, maxProperties: 1 }),
    }
    return {
      ...(inside && shape.json.type === 'array' ? { type: 'array', items: inside } : (inside ?? shape.json)),
      ...(fallback === undefined || required || update ? {} : { default: fallback }),
      ...descriptionOf(field),
    }
  }
  return {
    type: 'object',
    properties: Object.fromEntries(names.map(name => [name, property(fields[name]!)])),
    ...(required.length ? { required } : {}),
    additionalProperties: false,
  }
}

function responseFields(fields: Fields): { properties: Json; required: string[] } {
  const properties: Json = {}
  const required: string[] = []
  for (const [name, field] of Object.entries(fields)) {
    if (!isShown(field)) continue
    const shown = field.shownAs ?? name
    properties[shown] = shownSchema(field)
    if (unsetOf(field) !== 'omit') required.push(shown)
  }
  return { properties, required }
}

function shownSchema(field: Field): Json {
  const { shape, group } = field
  const object = group && { type: 'object', ...responseFields(group), additionalProperties: false }
  const inside = isShownAsRef(field) ? ref('Ref') : object
  const schema: Json = inside && shape.json.type === 'array' ? { type: 'array', items: inside } : (inside ?? shape.json)
  return { ...(unsetOf(field) === 'null' ? orNull(schema) : schema), ...descriptionOf(field) }
}

/** Response properties without a field: always null, and lists of parts. */
const otherMembers = (catalog: Catalog, resource: Collection): Json => ({
  ...Object.fromEntries((resource.alwaysNull ?? []).map(name => [name, { type: 'null' }])),
  ...Object.fromEntries(
    catalog
      .partsOf(resource.table)
      .filter(({ partOf }) => partOf!.shown)
      .map(({ partOf, name }) => [partOf!.list, { type: 'array', items: ref(titled(name)) }]),
  ),
})

export function collectionSchemas({ catalog, pages }: Api, resource: Collection, assumed: Assumed): Json {
  const name = titled(resource.name)
  const { properties, required } = responseFields(resource.fields)
  const others = otherMembers(catalog, resource)
  const once = resource.shownOnce ?? []
  const { createdAs = 'created_at', withoutCreatedAt, withoutUri } = resource
  const own = [...(withoutUri ? [] : ['uri']), ...(withoutCreatedAt ? [] : [createdAs])]
  const shown = (value: Json) => Object.fromEntries(once.map(field => [field, value]))
  const item = (onceSchema: Json) => ({
    type: 'object',
    properties: {
      id: catalog.ids.shape(resource).json,
      ...(withoutUri ? {} : { uri: { type: 'string', format: 'uri' } }),
      ...(!withoutCreatedAt && { [createdAs]: { type: 'string', format: 'date-time' } }),
      ...properties,
      ...shown(onceSchema),
      ...others,
    },
    required: ['id', ...own, ...required, ...once, ...Object.keys(others)],
    additionalProperties: false,
  })
  return {
    [name]: item({ type: 'null' }),
    ...(once.length ? { [`${name}Created`]: item({ type: 'string' }) } : {}),
    ...(has(resource, 'create') ? { [`${name}Create`]: requestSchema(bodyFields(resource), false, assumed) } : {}),
    ...(has(resource, 'update') ? { [`${name}Update`]: requestSchema(bodyFields(resource), true, assumed) } : {}),
    ...(resource.listAs ? { [`${name}List`]: pages.schema(resource.listAs, ref(name)) } : {}),
  }
}

const has = ({ only }: Collection, kind: 'create' | 'update') => only === undefined || only.includes(kind)

/** The fields that are not in the path. */
const bodyFields = ({ path, fields }: Collection): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !path.includes(`{${name}}`)))

export function moduleSchemas(resource: Module, assumed: Assumed): Json {
  const name = titled(resource.name)
  return {
    [name]: { type: 'object', ...responseFields(resource.fields), additionalProperties: false },
    [`${name}Replace`]: requestSchema(resource.fields, false, assumed),
  }
}

export function entrySchemas(resource: Entries, assumed: Assumed): Json {
  const name = titled(resource.name)
  const list = { [resource.of.key]: { type: 'array', items: ref(name) }, uri: { type: 'string', format: 'uri' } }
  return {
    [name]: { type: 'object', ...responseFields(resource.fields), additionalProperties: false },
    [`${name}List`]: { type: 'object', properties: list, required: Object.keys(list), additionalProperties: false },
    [`${name}Create`]: requestSchema(resource.fields, false, assumed),
    [`${name}Update`]: requestSchema(resource.fields, true, assumed),
  }
}
