type Json = Record<string, unknown>

/** A body, and its long part. */
export interface Shape {
  what: string
  text: string
}

const BODY_LENGTH = 4 * 1024 * 1024 - 1024
/** Accepted counts, then as many as possible. */
const COUNTS = [300, 1_000, Number.POSITIVE_INFINITY]
const RECORDS = 20_000
/** The accepted number of values. */
const VALUES = 39_000
const UNITS = ['a*', '////x', '\\n']

const repeat = (unit: string, count: number) => {
  const most = Math.floor(Math.min(count, (BODY_LENGTH - 200) / (unit.length + 1)))
  return Array(Math.max(1, most)).fill(unit).join()
}
const members = (value: string, count: number) => {
  const parts: string[] = []
  for (let i = 0, length = 0; i < count && length < BODY_LENGTH - 1000; i++) {
    const part = `"k${i}":${value}`
    parts.push(part)
    length += part.length + 1
  }
  return `{${parts.join()}}`
}

const branches = (schema: Json): Json[] =>
  ((schema.anyOf ?? schema.oneOf ?? [schema]) as Json[]).flatMap(each => (each === schema ? [each] : branches(each)))

/** A short valid value as JSON. `given` has examples by name. */
function example(schema: Json, name: string, given: Record<string, unknown>): string {
  if (Object.hasOwn(given, name)) return JSON.stringify(given[name])
  const [first = {}] = branches(schema)
  const { type, properties = {}, required = [], items = {}, examples = first.enum ?? [] } = first
  const [known = first.const] = examples as unknown[]
  if (known !== undefined) return JSON.stringify(known)
  if (type === 'array') return `[${example(items as Json, name, given)}]`
  const member = (own: string) => `"${own}":${example((properties as Record<string, Json>)[own]!, own, given)}`
  if (type === 'object') return `{${(required as string[]).map(member)}}`
  return { integer: '1', number: '1', boolean: 'true', null: 'null' }[type as string] ?? '"a"'
}

/** For every place of a schema, the bodies with this place at its maximum length, width or depth. */
export function* shapesOf(
  schema: Json,
  given: Record<string, unknown>,
  wrap: (json: string, values?: number) => string = json => json,
  path = 'the body',
  name = '',
): Generator<Shape> {
  for (const each of branches(schema)) {
    const isOpen = Object.keys(each).every(key => key === 'description')
    if (each.type === 'string' || isOpen)
      for (const unit of UNITS)
        for (const count of [1_000, 1_000_000, ...(unit === UNITS[0] ? [BODY_LENGTH] : [])])
          yield { what: `${path}: ${count} of ${unit}`, text: wrap(`"${unit.repeat(count / unit.length)}"`) }
    if (each.type === 'array' || isOpen) {
      const item = example((each.items ?? {}) as Json, name, given)
      // Lists of records can be longer and slower: docs/contributing/reliability.md, Longest waits.
      const { properties: fields } = (each.items ?? {}) as { properties?: Json }
      const isOfRecords = fields !== undefined && Object.hasOwn(fields, 'id')
      for (const count of isOfRecords ? [300, RECORDS] : COUNTS)
        for (const one of [item, '0', '{}']) {
          const values = count === COUNTS[0] ? count + 10 : undefined
          yield { what: `${path}: ${count} × ${one.slice(0, 60)}`, text: wrap(`[${repeat(one, count)}]`, values) }
        }
      const inner = (json: string, values = VALUES) => wrap(`[${repeat(json, Math.floor(VALUES / values))}]`)
      if (each.items) yield* shapesOf(each.items as Json, given, inner, `${path}[]`, name)
      yield { what: `${path}: lists of lists`, text: wrap(`[${repeat(`[${repeat('0', 300)}]`, VALUES / 301)}]`) }
    }
    if (each.type === 'object' || isOpen) {
      const value = example((each.additionalProperties || {}) as Json, name, given)
      for (const count of COUNTS)
        for (const one of [value, '0'])
          yield { what: `${path}: ${count} members ${one.slice(0, 60)}`, text: wrap(members(one, count)) }
      const { properties = {}, required = [] } = each as { properties?: Record<string, Json>; required?: string[] }
      for (const [own, member] of Object.entries(properties)) {
        const others = [...new Set([...required, ...Object.keys(given)])]
          .filter(other => other !== own && Object.hasOwn(properties, other))
          .map(other => `"${other}":${example(properties[other]!, other, given)},`)
        const inner = (json: string, values?: number) => wrap(`{${others.join('')}"${own}":${json}}`, values)
        yield* shapesOf(member, given, inner, `${path}.${own}`, own)
      }
    }
    if (isOpen || each.type === 'object')
      for (const depth of [18, 300_000])
        yield { what: `${path}: ${depth} levels`, text: wrap('{"a":'.repeat(depth) + 0 + '}'.repeat(depth)) }
  }
}
