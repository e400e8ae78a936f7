import { type Collection, type Field, type Fields, isShown, isShownAsRef } from '../../engine/language/index.ts'

/** The type of an item's field. An object has its own fields. */
export type Kind = 'text' | 'id' | 'time' | 'number' | 'boolean' | 'null' | 'list' | FieldTypes
export interface FieldTypes {
  [name: string]: Kind
}

const REF: FieldTypes = { id: 'id', uri: 'text' }
const KINDS: Record<string, Kind> = {
  string: 'text',
  boolean: 'boolean',
  integer: 'number',
  number: 'number',
  array: 'list',
}

/** The fields of a resource's responses, without the lists of its parts. */
export const responseFields = (resource: Collection): FieldTypes => ({
  id: 'id',
  ...(resource.withoutUri ? {} : { uri: 'text' }),
  ...(resource.withoutCreatedAt ? {} : { [resource.createdAs ?? 'created_at']: 'time' as const }),
  ...shownFields(resource.fields),
  ...Object.fromEntries((resource.shownOnce ?? []).map(name => [name, 'text' as const])),
  ...Object.fromEntries((resource.alwaysNull ?? []).map(name => [name, 'null' as const])),
})

/** The response fields that filters can use. `certificate.id` is a nested field. */
export function filterFields(resource: Collection): FieldTypes {
  const members = responseFields(resource)
  return Object.fromEntries(
    (resource.filterable ?? []).map(path => {
      const [name, inner] = path.split('.') as [string, string?]
      return [name, inner ? { [inner]: (members[name] as FieldTypes)[inner]! } : members[name]!]
    }),
  )
}

const shownFields = (fields: Fields): FieldTypes =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, field]) => isShown(field))
      .map(([name, field]) => [field.shownAs ?? name, kindOf(field)]),
  )

function kindOf(field: Field): Kind {
  const { shape, refersTo, group } = field
  const { type, format } = shape.json
  if (type === 'array') return 'list'
  if (group) return shownFields(group)
  if (refersTo) return isShownAsRef(field) ? REF : 'id'
  return format === 'date-time' ? 'time' : (KINDS[String(type)] ?? {})
}
