import { isObject } from '../basics/json.ts'
import { show } from '../basics/problem.ts'
import { fail } from '../contract/errors.ts'
import { FileError } from '../files/file-error.ts'
import { parseYamlText } from '../files/yaml-text.ts'
import { operations } from '../resources/index.ts'
import type { Call } from '../sandbox/index.ts'
import type { Field } from '../schema/index.ts'

/** The fields with documents, by operation. */
const documents = new Map(
  operations
    .filter(({ takesBody }) => takesBody)
    .map(
      ({ id, resource }) =>
        [id, Object.entries<Field>(resource.fields).filter(([, { document }]) => document)] as const,
    )
    .filter(([, fields]) => fields.length > 0),
)

/**
 * Checks the documents in a body, before the call is carried out in one tick: the parser of YAML is loaded when it is
 * needed, and works in slices. Undefined if there is nothing to check, so that other calls do not wait.
 */
export function checkDocuments({ operation, body }: Call): Promise<void> | undefined {
  const fields = documents.get(operation!.id)
  return fields?.some(([name]) => isText(body[name])) ? checkFields(fields, body) : undefined
}

async function checkFields(fields: [string, Field][], body: Record<string, unknown>) {
  for (const [field, { document }] of fields) {
    const text = body[field]
    const why = isText(text) ? await whyNotADocument(text) : undefined
    if (why) fail(document!, { field, why })
  }
}

/** A text of another type, and an empty one, are up to the checks of the field. */
const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** JSON is tried first: it is quicker, and may be longer than YAML. */
async function whyNotADocument(text: string): Promise<string | undefined> {
  try {
    const value = fromJson(text) ?? (await parseYamlText(text, 'text')).value
    return isObject(value) ? undefined : `it is ${show(value)}`
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    const { line, column, message } = error.problems[0]!
    return `line ${line}, column ${column}: ${message}`
  }
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
