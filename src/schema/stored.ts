import { hash } from 'node:crypto'
import { type Field, type Fields, type GenerateContext, hashName } from './field.ts'

type Values = Record<string, unknown>
type MadeFrom = Omit<GenerateContext, 'given' | 'isTaken'> & { isTaken(field: string, value: unknown): boolean }

/** The value to store: a group gets its defaults, repeated ids are dropped, and it is written in one way. */
export function asStored({ group, refersTo, normalise }: Field, value: unknown): unknown {
  if (normalise) return normalise(value)
  if (group)
    return Array.isArray(value) ? value.map(each => withDefaults(group, each)) : withDefaults(group, value as Values)
  return refersTo && Array.isArray(value) ? [...new Set(value)] : value
}

/**
 * The values to store: what is not given gets its default or is made, an empty text is left out, and of what nothing
 * shows only the hash is left.
 */
export function withDefaults(fields: Fields, given: Values, from?: MadeFrom): Values {
  const values: Values = {}
  for (const name in fields) {
    const field = fields[name]!
    if (field.derived) continue
    const value =
      given[name] ?? (field.generated && from && make(field, name, { ...given, ...values }, from)) ?? field.default
    if (field.writeOnly) setHash(values, name, value === undefined ? given[hashName(name)] : hashOf(value))
    else if (value !== undefined && !isUnset(field, value)) values[name] = asStored(field, value)
  }
  return values
}

/** The values after a request gave some of them, and a hook others; null, and an empty text, unset a value. */
export function withChanges(fields: Fields, before: Values, given: Values): Values {
  const values = { ...before }
  for (const [name, value] of Object.entries(given)) {
    const field = (fields[name] ?? {}) as Partial<Field>
    const { writeOnly, merged, group } = field
    if (writeOnly) setHash(values, name, hashOf(value))
    else if (value === null || isUnset(field, value)) delete values[name]
    else if (merged) values[name] = withChanges(group!, (before[name] ?? {}) as Values, value as Values)
    else values[name] = value
  }
  return values
}

/** What is left out of answers while it is not set is not set by an empty text or list. */
const isUnset = ({ omittedWhenEmpty, unset }: Partial<Field>, value: unknown) =>
  (omittedWhenEmpty && value === '') || (unset === 'omit' && Array.isArray(value) && value.length === 0)

/** Makes again what is made with every change. */
export function remake(fields: Fields, values: Values, from: MadeFrom): Values {
  const made = { ...values }
  for (const name in fields) if (fields[name]!.regenerated) made[name] = make(fields[name]!, name, values, from)
  return made
}

const make = ({ generated }: Field, name: string, given: Values, from: MadeFrom) =>
  generated?.({ ...from, isTaken: value => from.isTaken(name, value), given })

const hashOf = (value: unknown) => hash('sha256', value as string)

function setHash(values: Values, name: string, sha256: unknown) {
  if (sha256 !== undefined) values[hashName(name)] = sha256
}
