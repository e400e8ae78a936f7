import type { Parser, SyntaxNode } from '@lezer/common'
import type { Path } from '../../../basics/problem.ts'
import { fieldsAt, type Schema, valuesAt } from './schema.ts'

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
