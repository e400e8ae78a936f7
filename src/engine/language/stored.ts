import { hash } from 'node:crypto'
import { type Field, type Fields, type GenerateContext, hashName } from './field.ts'

type Values = Record<string, unknown>
type GenerateFrom = Omit<GenerateContext, 'given' | 'isTaken'> & { isTaken(field: string, value: unknown): boolean }

/** The value to store: normalised, with defaults in groups, and without repeated ids. */
export function asStored({ group, refersTo, normalise }: Field, value: unknown): unknown {
  if (normalise) return normalise(value)
  if (group)
    return Array.isArray(value) ? value.map(each => withDefaults(group, each)) : withDefaults(group, value as Values)
  return refersTo && Array.isArray(value) ? [...new Set(value)] : value
}

/**
 * The values to store. A missing value gets its default or is generated, an empty string is omitted, and a write-only
 * value is replaced by its hash.
 */
export function withDefaults(fields: Fields, given: Values, from?: GenerateFrom): Values {
  const values: Values = {}
  for (const name in fields) {
    const field = fields[name]!
    if (field.derived) continue
    const value =
      given[name] ?? (field.generated && from && generate(field, name, { ...given, ...values }, from)) ?? field.default
    if (field.writeOnly) setHash(values, name, value === undefined ? given[hashName(name)] : hashOf(value))
    else if (value !== undefined && !isUnset(field, value)) values[name] = asStored(field, value)
  }
  return values
}

/** Applies the changes of a request and its hook. Null or an empty string unsets a value. */
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

/** For a field that responses omit while it is unset, an empty string or list means unset. */
const isUnset = ({ omittedWhenEmpty, unset }: Partial<Field>, value: unknown) =>
  (omittedWhenEmpty && value === '') || (unset === 'omit' && Array.isArray(value) && value.length === 0)

/** Regenerates the fields that change with every update. */
export function regenerate(fields: Fields, values: Values, from: GenerateFrom): Values {
  const changed = { ...values }
  for (const name in fields) if (fields[name]!.regenerated) changed[name] = generate(fields[name]!, name, values, from)
  return changed
}

const generate = ({ generated }: Field, name: string, given: Values, from: GenerateFrom) =>
  generated?.({ ...from, isTaken: value => from.isTaken(name, value), given })

const hashOf = (value: unknown) => hash('sha256', String(value))

function setHash(values: Values, name: string, sha256: unknown) {
  if (sha256 !== undefined) values[hashName(name)] = sha256
}
