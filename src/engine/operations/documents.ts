import { isObject, parseJson } from '../../basics/json.ts'
import { memoizeBy } from '../../basics/memoize.ts'
import { formatPath, show } from '../../basics/problem.ts'
import { fail } from '../error.ts'
import { FileError } from '../files/file-error.ts'
import { parseYamlText } from '../files/yaml-text.ts'
import type { Field, Fields, Operation } from '../language/index.ts'
import type { Call } from '../sandbox/index.ts'
import { unwrapModule } from './validate.ts'

/** A field with a document or with patterns, and its place in a body. */
interface Place {
  path: string[]
  field: Field
}

const placesIn = (fields: Fields, at: string[] = []): Place[] =>
  Object.entries(fields).flatMap(([name, field]) => {
    const path = [...at, name]
    if (field.document || field.patterns) return [{ path, field }]
    return field.group ? placesIn(field.group, path) : []
  })
const placesOf = memoizeBy(({ fields }: Operation['resource']) => placesIn(fields))

/**
 * Checks the documents and patterns in a body before the call is executed in one tick. Parsers are loaded on demand.
 * Undefined if there is nothing to check, so other calls do not wait.
 */
export function checkDocuments(call: Call): Promise<void> | undefined {
  const { takesBody, resource } = call.operation!
  const places = takesBody ? placesOf(resource) : []
  if (places.length === 0) return undefined
  const body = unwrapModule(call)
  const given = places.map(place => ({ ...place, value: valueAt(body, place.path) })).filter(isChecked)
  return given.length > 0 ? checkAll(given) : undefined
}

const valueAt = (body: unknown, path: string[]) =>
  path.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), body)

/** The field's own checks handle values of another type, and empty ones. */
const isChecked = ({ field, value }: Place & { value: unknown }) =>
  field.document
    ? typeof value === 'string' && value !== ''
    : Array.isArray(value) && value.length > 0 && value.every(each => typeof each === 'string')

async function checkAll(given: (Place & { value: unknown })[]) {
  for (const { path, field, value } of given) {
    if (field.patterns) await checkPatterns(path, field.patterns, value as string[])
    const why = field.document && (await whyNotADocument(value as string))
    if (why) fail(field.document!, { field: formatPath(path), why })
  }
}

async function checkPatterns(path: string[], { maxSize, error }: NonNullable<Field['patterns']>, patterns: string[]) {
  const { compile } = await import('../../basics/regular-expression.ts')
  const compiled = compile(patterns, maxSize)
  if (!('expected' in compiled)) return
  const { at, expected } = compiled
  fail(error, { field: formatPath([...path, at]), expected, received: show(patterns[at]) })
}

/** Tries JSON first, which is faster and can be longer than YAML. */
async function whyNotADocument(text: string): Promise<string | undefined> {
  try {
    const value = parseJson(text) ?? (await parseYamlText(text, 'text')).value
    return isObject(value) ? undefined : `got ${show(value)}`
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    const { line, column, message } = error.problems[0]!
    return `line ${line}, column ${column}: ${message}`
  }
}
