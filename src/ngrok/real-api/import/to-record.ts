import { isObject } from '../../../basics/json.ts'
import { PRIVATE_KEY_MARK } from '../../../basics/problem.ts'
import { recordShapeOf } from '../../../engine/fixtures/index.ts'
import {
  asStored,
  type Collection,
  type Field,
  type Fields,
  isShown,
  isShownAsRef,
  toStoredTime,
} from '../../../engine/language/index.ts'
import { catalog, partsOf } from '../../resources/index.ts'
import { contentOf } from './content.ts'
import { noteDifferences } from './differences.ts'
import { dropUnfit } from './drop-unfit.ts'
import type { Report } from './report.ts'
import { bareUrl } from './url.ts'

type Json = Record<string, unknown>

declare const SAFE: unique symbol

/** A valid record without secrets. Only this file creates one from a response. */
export type SafeRecord = Readonly<Json & { id: string }> & { readonly [SAFE]: true }

export interface Copying {
  /** The URL of the account: some response values depend on it. */
  url: string
  vendor: string
  keepTexts: boolean
  report: Report
}

/** Replaces a required secret, or one that changes the meaning of a module. */
const PLACEHOLDER = 'sim_secret'

/**
 * Converts a response to a record and its nested parts. Returns an empty list if the response is invalid. Copies only
 * values with declared content, and reports all others by their place.
 */
export function toRecord(kind: Collection, response: unknown, copying: Copying): [table: string, SafeRecord][] {
  const { table, createdAs = 'created_at', fields, stored = {} } = kind
  const { report } = copying
  const id = isObject(response) ? own(response, 'id') : undefined
  if (!isObject(response) || typeof id !== 'string') {
    report.note('unfit', table, response)
    return []
  }
  const created = own(response, createdAs)
  const extra = Object.fromEntries(Object.entries(stored).filter(([, field]) => field.fromResponse))
  const record: Json = {
    id,
    ...(created != null && { created_at: created }),
    ...copyFields({ ...fields, ...extra }, response, table, copying),
  }
  noteUnknown(response, fieldNamesOf(kind), table, report)
  if (!dropUnfit(recordShapeOf(catalog, table), record, table, report)) return []
  if (created != null && record.created_at !== undefined && toStoredTime(String(created)) !== created)
    report.note('spelled', `${table}.${createdAs}`)
  noteDifferences(kind, record, response, copying)
  const parts = partsOf(table).filter(({ partOf }) => partOf!.shown)
  return [
    [table, record as SafeRecord],
    ...parts.flatMap(part => {
      const list = own(response, part.partOf!.list)
      if (!Array.isArray(list)) return []
      return list.flatMap(each => toRecord(part, isObject(each) ? { ...each, [part.partOf!.by]: id } : each, copying))
    }),
  ]
}

/** Checks a record from a progress file. */
export const isSafeRecord = (table: string, value: unknown): value is SafeRecord =>
  recordShapeOf(catalog, table).find(value) === undefined

const own = (values: Json, name: string) => (Object.hasOwn(values, name) ? values[name] : undefined)

function copyFields(fields: Fields, response: Json, at: string, copying: Copying): Json {
  const copied: Json = {}
  for (const [name, field] of Object.entries(fields)) {
    if (field.derived || field.writeOnly) continue
    const shown = field.shownAs ?? name
    const value = field.fromResponse ? field.fromResponse(response) : isShown(field) ? own(response, shown) : undefined
    const copy = copyValue(field, value, `${at}.${shown}`, copying)
    if (copy !== undefined) copied[name] = copy
  }
  return copied
}

function copyValue(field: Field, value: unknown, at: string, copying: Copying): unknown {
  if (value === undefined || value === null) return missingSecret(field, at, copying)
  if (field.group) return copyGroup(field.group, value, at, copying)
  const { report } = copying
  const bare = isShownAsRef(field) ? idsIn(value) : value
  const copy = bare === undefined ? undefined : copyLeaf(field, bare, at, copying)
  if (bare !== undefined && copy === undefined) return undefined
  if (bare === undefined || field.shape.find(copy)) {
    report.note('unfit', at, value)
    return undefined
  }
  if (copy === bare && JSON.stringify(asStored(field, copy)) !== JSON.stringify(copy)) report.note('spelled', at)
  return copy
}

function copyGroup(fields: Fields, value: unknown, at: string, copying: Copying): unknown {
  if (Array.isArray(value)) {
    const copies = value.map(each => copyGroup(fields, each, at, copying))
    return copies.filter(each => each !== undefined)
  }
  if (!isObject(value)) {
    copying.report.note('unfit', at, value)
    return undefined
  }
  noteUnknown(value, namesIn(fields), at, copying.report)
  return copyFields(fields, value, at, copying)
}

/** The value without secrets; undefined if nothing remains. */
function copyLeaf(field: Field, value: unknown, at: string, { keepTexts, report }: Copying): unknown {
  const holds = contentOf(field)
  if (holds === 'secret') {
    if (value === '') return value
    report.note('secret', at)
    return PLACEHOLDER
  }
  if (holds === undefined) {
    report.note('unclassified', at, value)
    return undefined
  }
  if (holds === 'text' && !keepTexts) {
    // Nearly all records have these two, so they are counted together.
    if (!isEmpty(value)) report.note('text', at.replace(/^.*\.(?=(description|metadata)$)/, ''))
    return undefined
  }
  if (JSON.stringify(value).includes(PRIVATE_KEY_MARK)) {
    report.note('secret', at)
    return undefined
  }
  if (holds !== 'url') return value
  const strip = (each: unknown) => (typeof each === 'string' ? bareUrl(each, keepTexts) : each)
  const stripped = Array.isArray(value) ? value.map(strip) : strip(value)
  if (JSON.stringify(stripped) !== JSON.stringify(value)) report.note('stripped', at)
  return stripped
}

const isEmpty = (value: unknown) => value === '' || (typeof value === 'object' && Object.keys(value!).length === 0)

/** The placeholder for a required secret that responses do not contain. */
function missingSecret(field: Field, at: string, { report }: Copying) {
  if (contentOf(field) !== 'secret' || !field.required || field.default !== undefined) return undefined
  report.note('secret', at)
  return PLACEHOLDER
}

/** The ids of references; undefined if the value is not a reference. */
function idsIn(value: unknown): unknown {
  if (Array.isArray(value)) {
    const ids = value.map(idsIn)
    return ids.includes(undefined) ? undefined : ids
  }
  const id = isObject(value) ? own(value, 'id') : undefined
  return typeof id === 'string' ? id : undefined
}

/** The response names of these fields. */
const namesIn = (fields: Fields) => new Set(Object.entries(fields).map(([name, { shownAs }]) => shownAs ?? name))

/** The field names of a response with this record. */
const fieldNamesOf = (kind: Collection) =>
  new Set([
    ...['id', 'uri', kind.createdAs ?? 'created_at'],
    ...namesIn(kind.fields),
    ...(kind.shownOnce ?? []),
    ...partsOf(kind.table).map(({ partOf }) => partOf!.list),
    ...(kind.partOf ? [kind.partOf.by] : []),
  ])

function noteUnknown(response: Json, known: ReadonlySet<string>, at: string, report: Report) {
  for (const [name, value] of Object.entries(response))
    if (!known.has(name) && value !== null) report.note('unknown', `${at}.${name}`, value)
}
