import { matchesWhere } from 'json-server/lib/matches-where.js'
import { paginate } from 'json-server/lib/paginate.js'
import { parseWhere } from 'json-server/lib/parse-where.js'
import { whyTooLong } from '../../basics/comparisons.ts'
import { isObject } from '../../basics/json.ts'
import type { Row } from '../../engine/language/index.ts'
import { quoted, reject, rejectUnknown } from '../route.ts'

const OPERATORS = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'in', 'contains', 'startsWith', 'endsWith']
/** `_embed` has no effect, because json-server looks for fields like userId. */
const RESERVED = new Set(['_sort', '_page', '_per_page', '_where', '_embed'])

type Where = Record<string, unknown>

/**
 * Searches rows with json-server's query language. Its server is not used, because it serves files of the working
 * directory, accepts any origin and does not check records. Its search accepts anything, so the query is checked here.
 */
export function findRecords(rows: readonly Row[], query: URLSearchParams, fields: string[]): unknown {
  const why = whyTooLong(query.toString(), rows.length, 'record')
  if (why) reject(`The query would take too long: ${why}`)
  const where = readWhere(query.get('_where'), fields) ?? readFilters(query, rows, fields)
  const sort = readSort(query.get('_sort'), fields)
  const page = readNumber('_page', query.get('_page'))
  const perPage = readNumber('_per_page', query.get('_per_page'))
  const found = rows.filter(row => matchesWhere(withEmptyObjects(row, where), where))
  // Times have whole seconds, and records of the same second must also be newest first.
  if (sort.includes('-created_at')) found.reverse()
  const sorted = sort.length > 0 ? sortBy(sort, found) : found
  return page === undefined ? sorted : paginate(sorted, page, perPage ?? DEFAULT_PER_PAGE)
}

const DEFAULT_PER_PAGE = 10
const collator = new Intl.Collator()

/** Sorts like json-server, but reads the values once. Empty values are last, strings in dictionary order. */
function sortBy(names: string[], rows: Row[]): Row[] {
  const keys = names.map(name => ({ path: name.replace(/^-/, '').split('.'), sign: name.startsWith('-') ? -1 : 1 }))
  const compare = (a: unknown[], b: unknown[]) => {
    for (let i = 0; i < keys.length; i++) {
      const order = compareValues(a[i], b[i])
      if (order !== 0) return keys[i]!.sign * order
    }
    return 0
  }
  const withValues = rows.map(row => ({ row, values: keys.map(({ path }) => valueAt(row, path)) }))
  return withValues.sort((a, b) => compare(a.values, b.values)).map(({ row }) => row)
}

function compareValues(x: unknown, y: unknown): number {
  if (x === y) return 0
  if (y !== 0 && !y) return x !== 0 && !x ? 0 : -1
  if (x !== 0 && !x) return 1
  if (typeof x === 'string' && typeof y === 'string') return collator.compare(x, y)
  return x < y ? -1 : 1
}

const valueAt = (row: Row, path: string[]) =>
  path.reduce<unknown>((value, step) => (isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined), row)

/** Adds empty objects for missing fields with conditions inside them, which json-server would treat as true. */
function withEmptyObjects(value: Where, where: Where): Where {
  let whole = value
  for (const [name, condition] of Object.entries(where)) {
    if (name === 'or') for (const each of condition as Where[]) whole = withEmptyObjects(whole, each)
    else if (isObject(condition) && Object.values(condition).some(isObject)) {
      const inner = isObject(whole[name]) ? whole[name] : {}
      whole = { ...whole, [name]: withEmptyObjects(inner, condition) }
    }
  }
  return whole
}

/** Reads `admin=true`, `created_at:gt=2026`, `name_ne=x`: a field or nested field, and an operator. */
function readFilters(query: URLSearchParams, rows: readonly Row[], fields: string[]): Where {
  const filters = [...query].filter(([key]) => !RESERVED.has(key)).map(([key, text]) => ({ ...splitKey(key), text }))
  for (const { path } of filters) checkField(path, fields)
  const keys = filters.map(({ path, operator, text }) => [`${path}:${operator}`, text])
  const where = parseWhere(new URLSearchParams(keys).toString()) as Record<string, Where>
  // In a field of strings, json-server would read "123" as a number.
  const strings = new Set([...new Set(filters.map(({ path }) => path))].filter(path => holdsStrings(rows, path)))
  for (const { path, operator, text } of filters)
    if (strings.has(path)) where[path]![operator] = operator === 'in' ? text.split(',').map(part => part.trim()) : text
  return where
}

const holdsStrings = (rows: readonly Row[], field: string) =>
  typeof rows.find(row => row[field] !== undefined)?.[field] === 'string'

function splitKey(key: string): { path: string; operator: string } {
  const colon = key.lastIndexOf(':')
  if (colon >= 0) {
    const operator = key.slice(colon + 1)
    if (!OPERATORS.includes(operator)) rejectUnknown('operator', operator, OPERATORS)
    return { path: key.slice(0, colon), operator }
  }
  const old = /^(.+)_([a-z]+)$/.exec(key)
  return old && OPERATORS.includes(old[2]!) ? { path: old[1]!, operator: old[2]! } : { path: key, operator: 'eq' }
}

const checkField = (path: string, fields: string[]) => {
  const [field, ...rest] = path.split('.') as [string, ...string[]]
  if (!fields.includes(field)) rejectUnknown('field', field, fields)
  if (!rest.every(step => /^\w+$/.test(step) && !OPERATORS.includes(step))) reject(`${quoted(path)} is not a field`)
}

function readWhere(text: string | null, fields: string[]): Where | undefined {
  if (text === null) return undefined
  let where: unknown
  try {
    where = JSON.parse(text)
  } catch (error) {
    reject(`"_where" is invalid JSON: ${(error as Error).message.slice(0, 120)}`)
  }
  if (!isObject(where)) reject('"_where" must be an object like {"name": {"eq": "Ada"}}')
  checkWhere(where, fields)
  return where
}

const isPlain = (value: unknown) => value === null || ['string', 'number', 'boolean'].includes(typeof value)

/** Checks fields with operators or nested fields. `fields` is undefined below the first level. */
function checkWhere(where: Where, fields: string[] | undefined) {
  for (const [name, value] of Object.entries(where)) {
    if (name === 'or') {
      if (!Array.isArray(value) || !value.every(isObject)) reject('"or" in "_where" must be a list of objects')
      for (const each of value as Where[]) checkWhere(each, fields)
      continue
    }
    if (fields && !fields.includes(name)) rejectUnknown('field', name, fields)
    if (!isObject(value)) reject(`"${name.slice(0, 80)}" in "_where" must be an object like {"eq": …}`)
    for (const [operator, operand] of Object.entries(value)) {
      // json-server reads a field with the name of an operator as the operator.
      if (isObject(operand) && !OPERATORS.includes(operator)) checkWhere({ [operator]: operand }, undefined)
      else checkOperator(operator, operand)
    }
  }
}

function checkOperator(operator: string, operand: unknown) {
  if (!OPERATORS.includes(operator)) rejectUnknown('operator', operator, OPERATORS)
  const isValid = operator === 'in' ? [operand].flat().every(isPlain) : isPlain(operand)
  if (!isValid) reject(`"${operator}" in "_where" must be a string, a number, true, false or null`)
}

function readSort(text: string | null, fields: string[]): string[] {
  const names = text?.split(',').map(name => name.trim()) ?? []
  for (const name of names) checkField(name.replace(/^-/, ''), fields)
  return names
}

function readNumber(name: string, text: string | null): number | undefined {
  if (text === null) return undefined
  if (!/^[1-9]\d{0,8}$/.test(text)) reject(`"${name}" must be an integer from 1, got ${quoted(text)}`)
  return Number(text)
}
