import { type Collection, type Field, type Fields, nullMembers } from '../schema/index.ts'

/** The type of an item's member; an object is described by its own members. */
export type Kind = 'text' | 'id' | 'time' | 'number' | 'boolean' | 'null' | 'list' | Members
export interface Members {
  [name: string]: Kind
}

const REF: Members = { id: 'id', uri: 'text' }
const KINDS: Record<string, Kind> = {
  string: 'text',
  boolean: 'boolean',
  integer: 'number',
  number: 'number',
  array: 'list',
}

/** The members of a resource's answers, without the lists of its parts. */
export const answerMembers = (resource: Collection): Members => ({
  id: 'id',
  uri: 'text',
  created_at: 'time',
  ...shownFields(resource.fields),
  ...Object.fromEntries((resource.shownOnce ?? []).map(name => [name, 'text' as const])),
  ...Object.fromEntries(nullMembers(resource).map(name => [name, 'null' as const])),
})

/** Those of them that filters may name. */
export function filterMembers(resource: Collection): Members {
  const members = answerMembers(resource)
  return Object.fromEntries((resource.filterable ?? []).map(name => [name, members[name]!]))
}

const shownFields = (fields: Fields): Members =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [field.shownAs ?? name, kindOf(field)]))

function kindOf({ shape, shownAs, refersTo, group }: Field): Kind {
  if (group) return shownFields(group)
  if (!refersTo || shape.json.type === 'array') return KINDS[shape.json.type as string] ?? {}
  return shownAs ? REF : 'id'
}
