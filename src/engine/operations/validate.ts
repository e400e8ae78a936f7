import { isObject } from '../../basics/json.ts'
import { nearest } from '../../basics/nearest.ts'
import { formatPath, type Path, shorten } from '../../basics/problem.ts'
import { fail } from '../error.ts'
import { errors } from '../errors.ts'
import {
  acceptsInput,
  asStored,
  type Collection,
  type Field,
  type Fields,
  type Module,
  referencesIn,
} from '../language/index.ts'
import { questions } from '../questions.ts'
import type { Call } from '../sandbox/index.ts'
import { newestIds } from './find.ts'

type Values = Record<string, unknown>

/** Returns the checked fields of a request. Names of path parameters are ignored. */
export function readFields(call: Call, fields: Fields): Values {
  return readMembers(call, fields, withoutParams(call, unwrapModule(call)), [])
}

function withoutParams({ params }: Call, body: Values): Values {
  if (!Object.keys(params).some(name => Object.hasOwn(body, name))) return body
  return Object.fromEntries(Object.entries(body).filter(([name]) => !Object.hasOwn(params, name)))
}

function readMembers(call: Call, fields: Fields, body: Values, at: Path, isChoice = false): Values {
  const given: Values = {}
  for (const [name, value] of Object.entries(body)) {
    if (value === null && !clears(call)) continue
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (field && !isChoice && isBlank(call, field, value)) continue
    if (field && acceptsInput(field) && !isFixed(call, field))
      given[name] = readValue(call, [...at, name], field, value)
    else rejectField(call, fields, [...at, name], field)
  }
  return given
}

/** Whether null clears a field. Otherwise, null means that the request omits it. */
const clears = (call: Call) => isUpdate(call) && !call.tables.catalog.blankMeansOmitted

const isUpdate = ({ operation }: Call) => operation!.kind === 'update' || operation!.kind === 'update_entry'
const isFixed = (call: Call, { createOnly }: Field) => createOnly === true && isUpdate(call)

/** The fields that the request can set. */
export const givable = (call: Call, fields: Fields): string[] =>
  Object.keys(fields).filter(
    name => acceptsInput(fields[name]!) && !isFixed(call, fields[name]!) && !Object.hasOwn(call.params, name),
  )

/** Fails if a required field is missing. */
export function checkRequired(call: Call, fields: Fields, given: Values, at: Path = []) {
  for (const [name, { required, requiredUnder, shape, unlessGiven = '' }] of Object.entries(fields)) {
    if (!required || given[name] !== undefined || given[unlessGiven] !== undefined) continue
    if (requiredUnder) call.assume(requiredUnder)
    const values = shape.json.enum as string[] | undefined
    const expected = values ? `one of ${values.join(', ')}` : ''
    fail(required, { field: formatPath([...at, name]), expected, received: 'nothing' })
  }
}

/** An object in a request, with its required fields. */
function readGroup(call: Call, { group, oneOf }: Field, value: Values, at: Path): Values {
  // If one field must be chosen, a single empty object is a choice: `{ "google": {} }`.
  const given = readMembers(call, group!, value, at, oneOf && Object.keys(value).length === 1)
  checkRequired(call, group!, given, at)
  const names = Object.keys(given)
  if (oneOf && names.length !== 1) {
    const expected = `an object with exactly one of ${Object.keys(group!).join(', ')}`
    const received = names.length === 0 ? 'none of them' : names.join(' and ')
    fail(names.length === 0 ? oneOf.none : oneOf.several, { field: formatPath(at), expected, received })
  }
  return given
}

/** Some clients send an empty string or object for unset fields. */
function isBlank(call: Call, field: Field, value: unknown): boolean {
  const { type } = field.shape.json
  if (field.acceptsInput) return value === '' || value === 0 || isEmptyObject(value)
  if (!call.tables.catalog.blankMeansOmitted) return false
  if (field.group) return isUpdate(call) && type === 'object' && isEmptyObject(value)
  if (value !== '' || field.omittedWhenEmpty || type !== 'string') return false
  if (isUpdate(call)) return call.assume(questions.empty_text_on_update) === 'keep'
  return field.required !== undefined || field.default !== undefined
}

const isEmptyObject = (value: unknown) => isObject(value) && Object.keys(value).length === 0

function rejectField(call: Call, fields: Fields, path: Path, known: Field | undefined) {
  if (call.assume(questions.unknown_field) === 'ignore') return
  const { id, resource } = call.operation!
  const name = String(path.at(-1))
  const { moved = {} } = resource as Partial<Collection>
  if (path.length === 1 && Object.hasOwn(moved, name)) fail(moved[name]!, { field: name })
  const allowed = givable(call, fields)
  const fixed = `it is set when the ${resource.label} is created and cannot be changed`
  const why = known && (acceptsInput(known) ? fixed : 'it is read-only')
  const field = formatPath([...path.slice(0, -1), shorten(name, 60)])
  fail(errors.unknown_field, { field, operation: id, allowed, nearest: nearest(name, allowed), why })
}

function readValue(call: Call, path: Path, field: Field, value: unknown): unknown {
  if (value === null && !field.required) return field.default ?? null
  const isList = field.shape.json.type === 'array'
  if (field.group && !isList && isObject(value)) {
    const given = readGroup(call, field, value, path)
    return field.merged && isUpdate(call) ? given : asStored(field, given)
  }
  if (field.group && isList && Array.isArray(value) && value.every(isObject))
    return asStored(
      field,
      value.map((each, i) => readGroup(call, field, each, [...path, i])),
    )
  checkValue(path, field, value)
  return asStored(field, value)
}

/** Some clients send a module's fields inside `module`, next to the ids of the path. */
export function unwrapModule(call: Call): Values {
  const { module, ...rest } = call.body
  return call.operation!.kind === 'replace_module' && isObject(module) ? { ...rest, ...module } : call.body
}

function checkValue(path: Path, field: Field, value: unknown) {
  const problem = field.shape.find(value)?.[0]
  if (!problem) return
  fail(problem.error ?? errors.invalid_value, {
    field: formatPath([...path, ...problem.path]),
    expected: problem.expected,
    received: problem.received,
    nearest: problem.near,
  })
}

/** Fails if a referenced record does not exist, unless `unknown_reference` accepts it. */
export function checkReferences(call: Call, fields: Fields, given: Values) {
  for (const { path, field, id } of referencesIn(fields, given)) {
    const { tables, missing, malformed, excluded } = field.refersTo!
    if (tables.some(table => call.tables.get(table, id))) continue
    const inList = typeof path.at(-1) === 'number'
    const isExcluded = excluded?.form.test(id)
    if (inList && !isExcluded && call.assume(questions.unknown_reference) === 'accept') continue
    const error = isExcluded ? excluded!.error : missing
    fail(malformed && !malformed.form.test(id) ? malformed.error : error, {
      field: formatPath(inList || field.shape.json.type === 'object' ? path.slice(0, -1) : path),
      id: shorten(id, 80),
      label: tables.map(table => call.tables.catalog.kindOf(table).label).join(' or '),
      nearest: nearest(
        id,
        tables.flatMap(table => newestIds(call.tables, table)),
      ),
    })
  }
}

/** Applies the rules of modules that a request sets inside their record. */
export function checkModules(call: Call, table: string, given: Values) {
  for (const module of call.tables.catalog.modules) {
    const { table: holder, key } = module.of
    if (holder === table && given[key] !== undefined) checkModule(call, module, given[key] as Values, `${key}.`)
  }
}

/** `at` is the prefix of the module's fields in the request. */
export function checkModule(call: Call, { fields, check }: Module, values: Values, at: string) {
  checkNotEmpty(call, fields, values, at)
  check?.(values, at, { assume: name => call.assume(name), fail })
}

/** Fails if a list is empty that an assumption requires. */
export function checkNotEmpty(call: Call, fields: Fields, values: Values, at: string) {
  for (const [name, { notEmpty }] of Object.entries(fields)) {
    const isEmpty = notEmpty && (values[name] as unknown[]).length === 0
    if (isEmpty && call.assume(notEmpty.under) === 'reject') fail(notEmpty.error, { field: `${at}${name}` })
  }
}
