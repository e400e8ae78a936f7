import { type Assumed, type AssumptionName, assumptions, isAssumption, valuesOf } from '../assumptions.ts'
import { nearest } from '../files/nearest.ts'
import { parseTime } from '../schema/index.ts'

/** What options may be: each gives the value as the simulator takes it, or throws with what is wrong. */

export function checkPort(value: unknown) {
  if (!Number.isInteger(value) || (value as number) < 0 || (value as number) > 65535)
    throw new Error(`a port is a whole number from 0 to 65535, not ${value}.`)
  return value
}

export function checkVendor(value: unknown) {
  if (!/^[a-z][a-z0-9_]{0,31}$/i.test(value as string))
    throw new Error(`a vendor word is a letter and then letters, digits or _, not ${JSON.stringify(value)}.`)
  return (value as string).toLowerCase()
}

export function checkTime(value: unknown) {
  if (parseTime(value as string) === undefined)
    throw new Error(`must be an RFC 3339 time like 2026-01-01T00:00:00Z, not ${JSON.stringify(value)}.`)
  return value
}

export function checkUrl(value: unknown) {
  if (!URL.canParse(value as string) || !/^https?:/.test(value as string))
    throw new Error(`must be a URL like https://api.example.test, not ${JSON.stringify(value)}.`)
  return (value as string).replace(/\/+$/, '')
}

export function readAssumed(value: unknown): Assumed {
  const assumed: Assumed = {}
  for (const text of value as string[]) {
    const [name = '', chosen] = text.split('=')
    if (!isAssumption(name)) {
      const close = nearest(name, Object.keys(assumptions))
      throw new Error(
        `there is no assumption "${name}".${close ? ` Did you mean ${close}?` : ''} edgesim assumptions lists them.`,
      )
    }
    checkAssumed(name, chosen)
    assumed[name] = chosen!
  }
  return assumed
}

function checkAssumed(name: AssumptionName, value: string | undefined) {
  const allowed = valuesOf(name)
  if (allowed.length === 1) throw new Error(`${name} cannot be flipped; it is always ${allowed[0]}.`)
  if (value === undefined || !allowed.includes(value))
    throw new Error(
      `${name} is one of ${allowed.join(', ')}${value === undefined ? '; write NAME=VALUE' : `, not ${JSON.stringify(value)}`}.`,
    )
}
