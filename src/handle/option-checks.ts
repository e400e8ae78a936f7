import { type Assumed, assumptions, isAssumption, valuesOf } from '../assumptions.ts'
import { parseTime } from '../schema/time.ts'
import { nearest } from '../words/nearest.ts'

/** What options may be: each gives the value as the simulator takes it, or throws with what is wrong. */

function checkPort(value: unknown) {
  if (!Number.isInteger(value) || (value as number) < 0 || (value as number) > 65535)
    throw new Error(`a port is a whole number from 0 to 65535, not ${value}.`)
  return value
}

function checkVendor(value: unknown) {
  if (!/^[a-z][a-z0-9_]{0,31}$/i.test(value as string))
    throw new Error(`a vendor word is a letter and then letters, digits or _, not ${JSON.stringify(value)}.`)
  return (value as string).toLowerCase()
}

function checkTime(value: unknown) {
  if (parseTime(value as string) === undefined)
    throw new Error(`must be an RFC 3339 time like 2026-01-01T00:00:00Z, not ${JSON.stringify(value)}.`)
  return value
}

function checkUrl(value: unknown) {
  if (!URL.canParse(value as string) || !/^https?:/.test(value as string))
    throw new Error(`must be a URL like https://api.example.test, not ${JSON.stringify(value)}.`)
  return (value as string).replace(/\/+$/, '')
}

function checkCount(value: unknown) {
  if (!Number.isInteger(value) || (value as number) < 1) throw new Error(`must be a whole number from 1, not ${value}.`)
  return value
}

/** Guesses as NAME=VALUE. */
export function readAssumed(value: unknown): Assumed {
  const pairs = (value as string[]).map(text => {
    const at = text.indexOf('=')
    return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)]
  })
  return checkAssumed(Object.fromEntries(pairs))
}

export function checkAssumed(value: unknown): Assumed {
  const assumed = value as Record<string, string | undefined>
  for (const [name, chosen] of Object.entries(assumed)) {
    if (!isAssumption(name)) {
      const close = nearest(name, Object.keys(assumptions))
      throw new Error(
        `there is no assumption "${name}".${close ? ` Did you mean ${close}?` : ''} edgesim assumptions lists them.`,
      )
    }
    const allowed = valuesOf(name)
    if (allowed.length === 1) throw new Error(`${name} cannot be flipped; it is always ${allowed[0]}.`)
    if (chosen === undefined) throw new Error(`${name} is one of ${allowed.join(', ')}; write NAME=VALUE.`)
    if (!allowed.includes(chosen))
      throw new Error(`${name} is one of ${allowed.join(', ')}, not ${JSON.stringify(chosen)}.`)
  }
  return assumed as Assumed
}

/** By the name of the option; those that are not here can be anything of their type. */
export const optionChecks: Record<string, (value: unknown) => unknown> = {
  port: checkPort,
  vendor: checkVendor,
  clock: checkTime,
  baseUrl: checkUrl,
  maxSandboxes: checkCount,
}
