import { anyOf, capital, pluralOf } from '../src/basics/text.ts'
import type { ErrorKind } from '../src/engine/error.ts'
import {
  acceptsInput,
  type Collection,
  type Entries,
  type Field,
  type Fields,
  isShownAsRef,
  type Module,
  unsetOf,
} from '../src/engine/language/index.ts'
import { codeOf } from '../src/ngrok/codes.ts'
import { errors } from '../src/ngrok/errors.ts'
import { kindOf, modules, operations, partsOf } from '../src/ngrok/resources/index.ts'
import { code, codes, table } from './generate-docs.ts'

/** The field tables of the API reference, from the declarations. */

type Json = Record<string, unknown>
export type Resource = Collection | Module | Entries

export const operationsOf = (resource: Resource) => operations.filter(each => each.resource === resource)
export const pathTo = (resource: Resource) => operationsOf(resource)[0]!.path

/** A row of a field table. */
type FieldRow = [names: string, type: string, description: string]

export function fieldTable(resource: Resource): string {
  const { shownOnce = [], alwaysNull = [], stored = {}, createdAs, table: own } = resource as Partial<Collection>
  const parts = own ? partsOf(own).filter(({ partOf }) => partOf?.shown) : []
  const inPath = Object.keys(resource.fields).filter(name => pathTo(resource).includes(`{${name}}`))
  const isModule = (name: string) => modules.some(({ of }) => of.table === own && of.key === name)
  const fields = Object.fromEntries(Object.entries(resource.fields as Fields).filter(([name]) => !isModule(name)))
  const ownModules = Object.keys(resource.fields).filter(isModule)
  const rows: FieldRow[] = [
    ...(createdAs ? [[code(createdAs), 'time, read-only', 'Instead of `created_at`'] as FieldRow] : []),
    ...rowsOf(fields, { resource, inPath, at: '', seen: new Map() }),
    ...(ownModules.length > 0 ? [[codes(ownModules), 'object', 'Modules, null if unset'] as FieldRow] : []),
    ...shownOnce.map(
      (name): FieldRow => [code(name), 'string or null, read-only', 'Only in the create response, then null'],
    ),
    ...parts.map(
      ({ partOf, label }): FieldRow => [code(partOf!.list), 'list of objects, read-only', capital(pluralOf(label))],
    ),
    ...(alwaysNull.length > 0 ? [[codes(alwaysNull), 'null', 'Always null'] as FieldRow] : []),
    ...rowsOf(stored, { resource, inPath, at: '', seen: new Map(), isFixture: true }),
  ]
  return table(['Field', 'Type', 'Description'], withoutRepetition(rows))
}

/** Joins neighbouring rows that differ only in their names. */
function withoutRepetition(rows: FieldRow[]): FieldRow[] {
  const joined: FieldRow[] = []
  for (const [names, type, description] of rows) {
    const last = joined.at(-1)
    if (last?.[1] === type && last[2] === description) last[0] += `, ${names}`
    else joined.push([names, type, description])
  }
  return joined
}

interface Around {
  resource: Resource
  inPath: string[]
  /** The path to the group, with a period at the end. */
  at: string
  /** Where a field was described before. */
  seen: Map<Field, string>
  isReadOnly?: boolean
  isFixture?: true
}

function rowsOf(fields: Fields, around: Around): FieldRow[] {
  const { at, seen } = around
  const { description, metadata } = fields
  const rows: FieldRow[] = []
  for (const [name, field] of Object.entries(fields)) {
    if (name === 'description' && metadata && at === '') {
      const limits = [description!, metadata].map(each => limitsOf(each)[0]!.replace('up to ', ''))
      rows.push([codes(['description', 'metadata']), 'string', `Up to ${limits.join(' and ')}`])
      continue
    }
    if (name === 'metadata' && description && at === '') continue
    const place = `${at}${name}`
    const twins = Object.keys(fields).filter(each => fields[each] === field)
    if (twins[0] !== name) continue
    const inner = field.group && Object.values(field.group)
    const known = inner?.every(each => seen.has(each)) ? seen.get(inner[0]!)!.replace(/\.[^.]*$/, '') : undefined
    const like = known && `Fields as in ${code(known)}: ${codes(Object.keys(field.group!))}`
    const facts = [field.describe, ...[...describe(name, field, around), like ?? ''].map(capital)].filter(Boolean)
    const type = [typeOf(field), ...flagsOf(name, field, around)].join(', ')
    if (facts.length > 0 || type !== 'object')
      rows.push([codes(twins.map(each => `${at}${each}`)), type, facts.join('. ') || '–'])
    seen.set(field, place)
    if (field.group && !known)
      rows.push(
        ...rowsOf(field.group, { ...around, at: `${place}.`, isReadOnly: around.isReadOnly || !acceptsInput(field) }),
      )
  }
  return rows
}

function typeOf(field: Field): string {
  const { shape, refersTo } = field
  const isList = shape.json.type === 'array'
  if (refersTo && !acceptsInput(field)) return isList ? 'list of references' : 'reference'
  return innerOf(field).join() === 'id,uri' ? 'reference' : typeOfJson(shape.json)
}

/** Fields of an object without a group. */
const innerOf = ({ group, shape }: Field) =>
  group ? [] : Object.keys((shape.json.properties as Json | undefined) ?? {})

function typeOfJson({ type, format, items, additionalProperties, properties }: Json): string {
  if (format === 'date-time') return 'time'
  if (type === 'array') return `list of ${pluralOf(typeOfJson(items as Json))}`
  if (type === 'object' && typeof additionalProperties === 'object' && !properties)
    return `map of ${pluralOf(typeOfJson(additionalProperties as Json))}`
  return String(type)
}

function flagsOf(name: string, field: Field, { resource, inPath, at, isReadOnly, isFixture }: Around): string[] {
  const has = (kind: string) => operationsOf(resource).some(each => each.kind.startsWith(kind))
  const { required, unlessGiven, createOnly, writeOnly, notShown } = field
  if (isFixture) return ['fixtures only']
  if (isReadOnly || (inPath.includes(name) && at === '')) return ['read-only']
  const isWritten = has('create') || has('replace')
  if (!acceptsInput(field) || !isWritten) return isWritten ? ['read-only'] : []
  const unless = unlessGiven ? ` unless ${code(unlessGiven)} is set` : ''
  return [
    ...(required ? [`required${unless}${inBrackets(required)}`] : []),
    ...(createOnly && has('update') ? ['create only'] : []),
    ...(writeOnly || notShown ? ['write-only'] : []),
  ]
}

/** Facts about a field from its declaration, in fragments. */
function describe(name: string, field: Field, { resource, isFixture }: Around): string[] {
  const { refersTo, shownAs, default: fallback, group, oneOf, notEmpty, document, patterns } = field
  const { unique } = resource as Partial<Collection>
  const isList = field.shape.json.type === 'array'
  const unset = isFixture || field.writeOnly || field.notShown || field.omittedWhenEmpty ? undefined : unsetOf(field)
  const facts = [
    ...enumOf(field),
    typeOf(field) === 'object' && innerOf(field).length > 0 && `fields: ${codes(innerOf(field))}`,
    refersTo && acceptsInput(field) && referenceOf(refersTo, isList),
    ...limitsOf(field),
    document && `other values are rejected${inBrackets(document)}`,
    patterns && `other values are rejected${inBrackets(patterns.error)}`,
    oneOf && `exactly one field is required${inBrackets(oneOf.none, oneOf.several)}`,
    unique?.field === name && `unique${unique.within ? ` per ${code(unique.within)}` : ''}${inBrackets(unique.error)}`,
    notEmpty && `required with ${code(`${notEmpty.under.name}=reject`)}${inBrackets(notEmpty.error)}`,
    fallback !== undefined && !group && !field.required && `default: ${code(JSON.stringify(fallback))}`,
    shownAs &&
      `returned as ${code(shownAs)}${isShownAsRef(field) ? (isList ? ', a list of references' : ', a reference') : ''}`,
    unset === 'null' && 'null if unset',
    unset === 'omit' && 'omitted if unset',
  ]
  return facts.filter((fact): fact is string => typeof fact === 'string' && fact !== '')
}

const MAX_ENUM_LENGTH = 200

function enumOf({ shape }: Field): string[] {
  const { enum: own, items } = shape.json as { enum?: unknown[]; items?: Json }
  const values = own ?? (items?.enum as unknown[] | undefined)
  const text = anyOf((values ?? []).filter(value => value !== '').map(code))
  if (!values || text.length > MAX_ENUM_LENGTH) return []
  const wrong = typeof values[0] === 'number' ? -1 : '\u0000'
  return [`${text}${inBrackets(errorFor({ shape } as Field, own ? wrong : [wrong]))}`]
}

function referenceOf(
  { tables, missing, malformed, excluded }: NonNullable<Field['refersTo']>,
  isList: boolean,
): string {
  if (tables.length === 0) return ''
  const labels = anyOf(tables.map(table => kindOf(table).label))
  const others = [
    malformed && `${numberOf(malformed.error)} if malformed`,
    excluded && `${numberOf(excluded.error)} for other backends`,
  ]
  const known = [`${numberOf(missing)} if unknown`, ...others.filter(Boolean)].join(', ')
  return `${labels} ${isList ? 'IDs' : 'ID'} (${known})`
}

/** Size limits, each with its error. */
function limitsOf(field: Field): string[] {
  const { maxLength, maxItems, maxProperties, minimum, maximum } = field.shape.json as Record<
    string,
    number | undefined
  >
  const upTo = (limit: number, unit: string, sample: unknown) =>
    `up to ${limit} ${unit}${inBrackets(errorFor(field, sample))}`
  const { examples: [example] = ['x'] } = (field.shape.json.items ?? {}) as { examples?: unknown[] }
  const many = (count: number) => Array.from({ length: count }, (_, i) => i)
  return [
    ...(maxLength === undefined ? [] : [upTo(maxLength, 'bytes', 'x'.repeat(maxLength + 1))]),
    ...(maxItems === undefined
      ? []
      : [
          upTo(
            maxItems,
            'entries',
            many(maxItems + 1).map(() => example),
          ),
        ]),
    ...(maxProperties === undefined
      ? []
      : [upTo(maxProperties, 'entries', Object.fromEntries(many(maxProperties + 1).map(i => [`x${i}`, 'x'])))]),
    ...(minimum === undefined || maximum === undefined ? [] : [rangeOf(field, minimum, maximum)]),
  ]
}

/** The vendor's clients use this type for numbers without a limit. */
const UINT32 = 2 ** 32 - 1

function rangeOf(field: Field, minimum: number, maximum: number): string {
  const numbers = inBrackets(errorFor(field, minimum - 1), maximum < UINT32 ? errorFor(field, maximum + 1) : undefined)
  return maximum < UINT32 ? `${minimum} to ${maximum}${numbers}` : `${minimum} or more${numbers}`
}

/** The declared error for a value. */
const errorFor = ({ shape }: Field, value: unknown) => shape.find(value)?.[0]?.error

const numberOf = (kind: ErrorKind): unknown => codeOf(kind).code ?? `status ${kind.status}`

/** Error numbers. Only docs/api.md lists 215, for any wrong value. */
function inBrackets(...kinds: (ErrorKind | undefined)[]): string {
  const numbers = kinds.flatMap(kind => (kind && kind !== errors.invalid_value ? [numberOf(kind)] : []))
  return numbers.length > 0 ? ` (${[...new Set(numbers)].join(', ')})` : ''
}
