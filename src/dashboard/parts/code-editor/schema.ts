import type { Path } from '../../../basics/problem.ts'

type Part = Schema | boolean | undefined

/** The keywords of JSON Schema that completion follows. */
export interface Schema {
  $ref?: string
  allOf?: Part[]
  anyOf?: Part[]
  oneOf?: Part[]
  then?: Part
  else?: Part
  properties?: Record<string, Part>
  additionalProperties?: Part
  items?: Part
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  description?: string
}

/** The fields that an object has already, with the texts of scalars. */
export type Present = Record<string, string | undefined>

const isSchema = (part: Part) => typeof part === 'object'

/** The part at `#/$defs/name`. */
const referred = (root: Schema, ref = '') =>
  ref
    .split('/')
    .reduce<unknown>((at, step) => (step === '#' ? root : (at as Record<string, unknown>)?.[step]), {}) as Part

/** A schema, and all that it refers to or combines, without alternatives that contradict the present fields. */
function expand(root: Schema, part: Part, present: Present = {}): Schema[] {
  if (!isSchema(part)) return []
  const { allOf = [], anyOf = [], oneOf = [] } = part
  const alternatives = [...anyOf, ...oneOf, part.then, part.else].filter(isSchema)
  const fitting = alternatives.filter(each => fits(root, each, present))
  const parts = [referred(root, part.$ref), ...allOf, ...(fitting.length > 0 ? fitting : alternatives)]
  return [part, ...parts.flatMap(each => expand(root, each, present))]
}

const fits = (root: Schema, part: Schema, present: Present) =>
  Object.entries(present).every(([name, text]) => {
    const own = expand(root, part).map(each => inner(each, name))
    const values = own.flatMap(each => expand(root, each)).flatMap(valuesOf)
    const isValue = text === undefined || values.length === 0 || values.some(value => String(value) === text)
    return isValue && !own.includes(false)
  })

const inner = ({ properties, additionalProperties, items }: Schema, step: string | number): Part =>
  typeof step === 'number' ? items : (properties?.[step] ?? additionalProperties)

const schemasAt = (root: Schema, path: Path, present?: Present): Schema[] =>
  path
    .reduce<Part[]>((parts, step) => parts.flatMap(each => expand(root, each)).map(each => inner(each, step)), [root])
    .flatMap(part => expand(root, part, present))

const typesOf = ({ type = [] }: Schema) => [type].flat()

const valuesOf = (schema: Schema): unknown[] => [
  ...(schema.enum ?? []),
  ...('const' in schema ? [schema.const] : []),
  ...(typesOf(schema).includes('boolean') ? [true, false] : []),
]

/** The fields that the object at a path may have, without the present ones. */
export function fieldsAt(root: Schema, path: Path, present: Present) {
  const declared = schemasAt(root, path, present).flatMap(({ properties = {} }) => Object.entries(properties))
  const names = new Set(declared.flatMap(([name, part]) => (name in present || part === false ? [] : name)))
  return Array.from(names, name => {
    const schemas = declared.flatMap(([other, part]) => (other === name ? expand(root, part) : []))
    const types = [...new Set(schemas.flatMap(typesOf))]
    return { name, types, description: schemas.find(({ description }) => description)?.description }
  })
}

/** The values listed for a path, with their descriptions. */
export const valuesAt = (root: Schema, path: Path) =>
  new Map(schemasAt(root, path).flatMap(schema => valuesOf(schema).map(value => [value, schema.description])))
