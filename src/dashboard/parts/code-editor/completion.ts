import type { Parser, SyntaxNode } from '@lezer/common'
import type { Path } from '../../../basics/problem.ts'

export type Language = 'yaml' | 'json'

const IS_PAIR = /^(Pair|Property)$/
const IS_KEY = /^(Key|PropertyName)$/
const IS_LIST = /^(\w+Sequence|Array)$/
const IS_SCALAR = /^((Quoted)?Literal|String|PropertyName|Number|True|False|Null)$/
/** Strings that need no quotes in YAML. */
const IS_PLAIN = /^(?!(true|false|null|yes|no|on|off)$)[a-z_$][\w$./-]*$/i

/** What may be written at an offset, and the range of the word there. */
export function completionsAt(text: string, at: number, language: Language, parser: Parser, schema: Schema) {
  const start = text.lastIndexOf('\n', at - 1) + 1
  const [word] = /["']?[\w$./-]*$/.exec(text.slice(start, at))!
  const [rest] = /^[\w$./-]*["']?/.exec(text.slice(at))!
  const [from, to] = [at - word.length, at + rest.length]
  const isJson = language === 'json'
  const hasColon = /^[ \t]*:/.test(text.slice(to))
  const opensLine = !isJson && /^\s*(- +)*$/.test(text.slice(start, from))

  // A complete word makes the syntax tree complete. Its indentation shows which object it belongs to.
  const complete = isJson ? '"x"' : opensLine && !hasColon ? 'x:' : 'x'
  const whole = text.slice(0, from) + complete + text.slice(to)
  const node = parser.parse(whole).resolveInner(from, 1)
  if (node.from !== from || !IS_SCALAR.test(node.name)) return undefined

  const textOf = ({ from, to }: SyntaxNode) => whole.slice(from, to).replace(/^(["'])(.*)\1$/s, '$2')
  const pathOf = ({ parent }: SyntaxNode): Path => {
    if (!parent) return []
    const step = IS_PAIR.test(parent.name) ? [textOf(parent.firstChild!)] : IS_LIST.test(parent.name) ? [0] : []
    return [...pathOf(parent), ...step]
  }

  const written = (value: unknown) =>
    typeof value === 'string' && !isJson && !/^["']/.test(word) && IS_PLAIN.test(value) ? value : JSON.stringify(value)
  const valuesOf = (path: Path) =>
    Array.from(valuesAt(schema, path), ([value, info]) => {
      const label = written(value)
      return { label, apply: label, type: 'enum', detail: undefined, info }
    })
  /** A list or an object starts on the next line. */
  const separator = (types: string) => {
    if (hasColon || !opensLine || !/^(object|array)$/.test(types)) return hasColon ? '' : ': '
    return `:\n${' '.repeat(from - start + 2)}${types === 'array' ? '- ' : ''}`
  }

  const pair = [node, node.parent!].find(({ name }) => IS_KEY.test(name))?.parent
  if (!pair) return { from, to, options: valuesOf(pathOf(node)) }
  const path = pathOf(pair)
  const others = [...pair.parent!.getChildren('Pair'), ...pair.parent!.getChildren('Property')].filter(
    other => other.from !== pair.from,
  )
  const scalarOf = (node: SyntaxNode) => (IS_SCALAR.test(node.name) ? textOf(node) : undefined)
  const present = others.map(({ firstChild, lastChild }) => [textOf(firstChild!), scalarOf(lastChild!)])
  const fields = fieldsAt(schema, path, Object.fromEntries(present)).map(({ name, types, description: info }) => {
    const [label, detail] = [written(name), types.join(' or ')]
    return { label, apply: label + separator(types.join()), type: 'property', detail, info }
  })
  // A word alone may also be a value.
  return { from, to, options: opensLine && others.length === 0 ? [...fields, ...valuesOf(path)] : fields }
}

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
type Present = Record<string, string | undefined>

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
function fieldsAt(root: Schema, path: Path, present: Present) {
  const declared = schemasAt(root, path, present).flatMap(({ properties = {} }) => Object.entries(properties))
  const names = new Set(declared.flatMap(([name, part]) => (name in present || part === false ? [] : name)))
  return Array.from(names, name => {
    const schemas = declared.flatMap(([other, part]) => (other === name ? expand(root, part) : []))
    const types = [...new Set(schemas.flatMap(typesOf))]
    return { name, types, description: schemas.find(({ description }) => description)?.description }
  })
}

/** The values listed for a path, with their descriptions. */
const valuesAt = (root: Schema, path: Path) =>
  new Map(schemasAt(root, path).flatMap(schema => valuesOf(schema).map(value => [value, schema.description])))
