import type { Content, Field } from '../../../engine/language/index.ts'

/** The kind of content of a field. Undefined if it is unknown. */
export function contentOf({ content, writeOnly, refersTo, shape }: Field): Content | undefined {
  if (writeOnly) return 'secret'
  return content ?? (refersTo ? 'id' : hasOnlyKnownWords(shape.json) ? 'plain' : undefined)
}

/** An enum, time, number or boolean, or a list or object of these. */
export function hasOnlyKnownWords({
  type,
  enum: words,
  format,
  items,
  additionalProperties,
}: Record<string, unknown>): boolean {
  if (words !== undefined || format === 'date-time' || ['boolean', 'integer', 'number'].includes(String(type)))
    return true
  const each = type === 'array' ? items : type === 'object' ? additionalProperties : undefined
  return typeof each === 'object' && each !== null && hasOnlyKnownWords(each as Record<string, unknown>)
}
