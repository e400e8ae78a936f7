import { isObject } from '../../basics/json.ts'
import { nearest } from '../../basics/nearest.ts'
import { PRIVATE_KEY_MARK } from '../../basics/problem.ts'
import type { Fields } from './field.ts'

type Values = Record<string, unknown>

export const REDACTED = '[redacted]'

/** Whether a request with these fields can contain a write-only value. */
export const haveSecrets = (fields: Fields): boolean =>
  Object.values(fields).some(({ writeOnly, group }) => writeOnly || (group && haveSecrets(group)))

/** A record without write-only values. */
export const redactSecrets = (fields: Fields, values: Values, other: (value: unknown) => unknown = same): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const field = Object.hasOwn(fields, name) ? fields[name]! : undefined
      if (!field) return [name, other(value)]
      return [name, field.writeOnly ? REDACTED : field.group ? insideGroup(field.group, value, other) : value]
    }),
  )

const same = (value: unknown) => value

function insideGroup(fields: Fields, value: unknown, other: (value: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(each => insideGroup(fields, each, other))
  return isObject(value) ? redactSecrets(fields, value, other) : value
}

/** The same for a request. An undeclared field may be a misspelled secret. */
export const redactRequest = (fields: Fields, body: Values): Values => redactSecrets(fields, body, () => REDACTED)

/** A request without private keys, and without fields at any depth with a similar name. */
export function redactNamed(names: readonly string[], value: unknown): unknown {
  if (typeof value === 'string') return value.includes(PRIVATE_KEY_MARK) ? REDACTED : value
  if (Array.isArray(value)) return value.map(each => redactNamed(names, each))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, nearest(name, names) ? REDACTED : redactNamed(names, each)]),
  )
}

/** The names of write-only fields. */
export const secretNames = (fields: Fields): string[] =>
  Object.entries(fields).flatMap(([name, { writeOnly, group }]) =>
    writeOnly ? [name] : group ? secretNames(group) : [],
  )
