import { isObject } from '../basics/json.ts'
import { show } from '../basics/problem.ts'
import { fail } from '../contract/errors.ts'
import { FileError } from '../files/file-error.ts'
import { parseYamlText } from '../files/yaml-text.ts'
import type { Call } from '../sandbox/index.ts'
import type { Field } from '../schema/index.ts'

/**
 * Checks the documents in a body, before the call is carried out in one tick: the parser of YAML is loaded when it is
 * needed, and works in slices. Undefined if there is nothing to check, so that other calls do not wait.
 */
export function checkDocuments({ operation, body }: Call): Promise<void> | undefined {
  if (!operation!.takesBody) return undefined
  const fields = Object.entries<Field>(operation!.resource.fields)
  const texts = fields.filter(([name, { document }]) => document && typeof body[name] === 'string' && body[name] !== '')
  if (texts.length === 0) return undefined
  return (async () => {
    for (const [field, { document }] of texts) {
      const why = await whyNotADocument(body[field] as string)
      if (why) fail(document!, { field, why })
    }
  })()
}

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
