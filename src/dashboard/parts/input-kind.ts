import type { FieldInfo, Json } from '../types.ts'

export type InputKind = 'flag' | 'references' | 'map' | 'reference' | 'choice' | 'lines' | 'number' | 'text'

export const isNumber = ({ type }: Json) => type === 'integer' || type === 'number'

/** The schema of the values of a map, if they are strings or numbers. */
export function mapValues({ type, additionalProperties: values }: Json): Json | undefined {
  if (type !== 'object' || !values) return undefined
  const mapped = values === true ? { type: 'string' } : (values as Json)
  return isNumber(mapped) || mapped.type === 'string' ? mapped : undefined
}

/** The input for a field without inner fields. A test ensures that every declared field has one. */
export function inputKind({ schema, refers_to }: FieldInfo): InputKind | undefined {
  const { type } = schema
  if (type === 'boolean') return 'flag'
  if (refers_to && type === 'array') return 'references'
  if (mapValues(schema)) return 'map'
  if (refers_to) return 'reference'
  if (Array.isArray(schema.enum)) return 'choice'
  if (type === 'array' && (schema.items as Json | undefined)?.type === 'string') return 'lines'
  if (isNumber(schema)) return 'number'
  return type === 'string' ? 'text' : undefined
}
