import { operations } from '../resources/index.ts'
import type { OperationName } from '../shapes.ts'

type Json = Record<string, unknown>

/** Of an OpenAPI document of the API, one operation: its path, and what that refers to. */
export function onlyOperation({ tags: _tags, ...document }: Json, id: OperationName): Json {
  const operation = operations.find(each => each.id === id)!
  const method = operation.method.toLowerCase()
  const { securitySchemes, ...known } = document.components as Record<string, Json>
  const paths = { [operation.path]: { [method]: (document.paths as Record<string, Json>)[operation.path]![method] } }
  const needed: Record<string, Json> = {}
  const take = (value: unknown) => {
    for (const [, kind, name] of JSON.stringify(value).matchAll(/"#\/components\/(\w+)\/(\w+)"/g)) {
      if (needed[kind!]?.[name!]) continue
      needed[kind!] = { ...needed[kind!], [name!]: known[kind!]![name!] }
      take(known[kind!]![name!])
    }
  }
  take(paths)
  return { ...document, paths, components: { securitySchemes, ...needed } }
}
