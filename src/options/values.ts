import { parseDuration, parseDurationRange } from '../basics/duration.ts'
import { isObject } from '../basics/json.ts'
import { didYouMean, nearest } from '../basics/nearest.ts'
import {
  type Assumed,
  type AssumedForm,
  assumptionNames,
  expandAssumed,
  isAssumption,
  valuesOf,
} from '../contract/assumptions.ts'
import type { Lenient } from '../contract/lenient.ts'
import type { Fixture, Scenario } from '../contract/shapes.ts'
import { parseTime, TIME } from '../schema/time.ts'

/** The type of an option's value, by the kind of the option. */
export interface Kinds {
  text: string
  number: number
  switch: boolean
  list: string[]
  /** A file, the name of a fixture, or the fixture itself. */
  fixture: string | Lenient<Fixture>
  scenario: string | Lenient<Scenario>
  seed: string | number
  assumed: Lenient<AssumedForm>
}

interface Kind {
  /** What a value must be, in words. */
  noun: string
  is(value: unknown): boolean
  /** Reads the text of an environment variable. */
  fromText(text: string): unknown
}

const isText = (value: unknown) => typeof value === 'string'
const isList = (value: unknown) => Array.isArray(value) && value.every(isText)
const asIs = (text: string) => text
const splitList = (text: string) =>
  text
    .split(',')
    .map(part => part.trim())
    .filter(Boolean)

function readSwitch(text: string): unknown {
  if (/^(true|1|yes)$/i.test(text)) return true
  return /^(false|0|no)$/i.test(text) ? false : text
}

const document: Kind = {
  noun: 'a string or an object',
  is: value => isText(value) || isObject(value),
  fromText: asIs,
}

export const kinds: Record<keyof Kinds, Kind> = {
  text: { noun: 'a string', is: isText, fromText: asIs },
  number: {
    noun: 'a whole number',
    is: Number.isFinite,
    fromText: text => (/^-?\d+$/.test(text) ? Number(text) : text),
  },
  switch: { noun: 'true or false', is: value => typeof value === 'boolean', fromText: readSwitch },
  list: { noun: 'a list of strings', is: isList, fromText: splitList },
  fixture: document,
  scenario: document,
  seed: { noun: 'a string or a number', is: value => isText(value) || Number.isFinite(value), fromText: asIs },
  assumed: {
    noun: 'an object of names and values, or a list of NAME=VALUE and of sets',
    is: value => isText(value) || isList(value) || isObject(value),
    fromText: splitList,
  },
}

export function valueError(expected: string, value: unknown): Error {
  return new Error(`must be ${expected}${Number.isNaN(value) ? '' : `; it is ${JSON.stringify(value)}`}.`)
}

/** Names the choices, and the nearest one. */
export const choiceError = (choices: readonly string[], value: string) =>
  new Error(valueError(`one of ${choices.join(', ')}`, value).message + didYouMean(nearest(value, choices)))

export function wholeNumber(value: number, from: number, to?: number): number {
  if (Number.isInteger(value) && value >= from && value <= (to ?? value)) return value
  throw valueError(`a whole number from ${from}${to === undefined ? '' : ` to ${to}`}`, value)
}

export function checkVendor(value: string): string {
  if (!/^[a-z][a-z0-9_]{0,31}$/i.test(value))
    throw valueError('a letter and then up to 31 letters, digits or underscores', value)
  return value.toLowerCase()
}

export function checkTime(value: string): string {
  if (parseTime(value) === undefined) throw valueError(TIME, value)
  return value
}

export function checkUrl(value: string): string {
  if (!URL.canParse(value) || !/^https?:/.test(value)) throw valueError('a URL like https://api.example.test', value)
  return value.replace(/\/+$/, '')
}

export function checkDelay(value: string): string {
  if (!parseDurationRange(value)) throw valueError('a duration like 200ms or a range like 50ms-300ms', value)
  return value
}

export function checkDuration(value: string): string {
  if (!parseDuration(value)) throw valueError('a duration like 30m, 1h or 7d, longer than zero', value)
  return value
}

export function checkOrigins(values: string[]): string[] {
  for (const value of values) {
    if (value !== 'null' && !(URL.canParse(value) && new URL(value).origin === value))
      throw valueError('origins like http://localhost:5173, with a scheme and without a path', value)
  }
  return values
}

/** Checks assumptions, and expands sets. */
export function checkAssumed(given: Lenient<AssumedForm>): Assumed {
  const assumed = expandAssumed(given)
  for (const [name, value] of Object.entries(assumed)) {
    if (!isAssumption(name)) {
      const hint = didYouMean(nearest(name, assumptionNames()))
      throw new Error(`there is no assumption "${name}".${hint} edgesim assumptions lists them.`)
    }
    const allowed = valuesOf(name)
    if (allowed.length === 1) throw new Error(`${name} cannot be changed: it is always ${allowed[0]}.`)
    if (value === undefined) throw new Error(`write ${name}=VALUE, with one of ${allowed.join(', ')}.`)
    if (!allowed.includes(value)) throw new Error(`${name} ${choiceError(allowed, value).message}`)
  }
  return assumed as Assumed
}
