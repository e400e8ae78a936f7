import { isObject } from '../../basics/json.ts'
import { didYouMean, nearest } from '../../basics/nearest.ts'
import type { Probed } from '../../contract/evidence.ts'
import type { Lenient } from '../../contract/lenient.ts'
import {
  type Assumptions,
  assumptionNames,
  expandAssumed,
  isAssumption,
  probedValues,
  splitNames,
  valuesOf,
} from '../../engine/assumptions.ts'
import type { Assumed as AnyAssumed } from '../../engine/question.ts'
import type { Assumed, AssumedForm } from '../../ngrok/assumed.ts'
import type { Fixture, Scenario } from '../../ngrok/shapes.ts'
import { checkEvidence, isEvidenceFile, readEvidence } from './evidence-file.ts'

/** The type of an option's value, by kind. */
export interface Kinds {
  text: string
  number: number
  switch: boolean
  list: string[]
  /** A file, a fixture name, or the fixture itself. */
  fixture: string | Lenient<Fixture>
  scenario: string | Lenient<Scenario>
  seed: string | number
  assumed: Lenient<AssumedForm>
  /** True means the API host of the vendor. */
  hosts: true | string | string[]
}

interface Kind {
  /** Describes valid values, after "must be". */
  noun: string
  is(value: unknown): boolean
  /** Parses an environment variable. */
  fromText(text: string): unknown
}

const isText = (value: unknown) => typeof value === 'string'
const isList = (value: unknown) => Array.isArray(value) && value.every(isText)
const unchanged = (text: string) => text
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
  fromText: unchanged,
}

export const kinds: Record<keyof Kinds, Kind> = {
  text: { noun: 'a string', is: isText, fromText: unchanged },
  number: {
    noun: 'an integer',
    is: Number.isFinite,
    fromText: text => (/^-?\d+$/.test(text) ? Number(text) : text),
  },
  switch: { noun: 'true or false', is: value => typeof value === 'boolean', fromText: readSwitch },
  list: { noun: 'a list of strings', is: isList, fromText: splitList },
  fixture: document,
  scenario: document,
  seed: { noun: 'a string or a number', is: value => isText(value) || Number.isFinite(value), fromText: unchanged },
  assumed: {
    noun: 'an object of names and values, or a list of NAME=VALUE pairs, presets and an evidence file',
    is: value => isText(value) || isList(value) || isObject(value),
    fromText: splitList,
  },
  hosts: {
    noun: 'a list of host names, or true',
    is: value => value === true || isText(value) || isList(value),
    fromText: text => (text === 'true' ? true : splitList(text)),
  },
}

export function valueError(expected: string, value: unknown): Error {
  return new Error(`must be ${expected}${Number.isNaN(value) ? '' : `, got ${JSON.stringify(value)}`}.`)
}

export const choiceError = (choices: readonly string[], value: string) =>
  new Error(valueError(`one of ${choices.join(', ')}`, value).message + didYouMean(nearest(value, choices)))

/** A check that returns the value, or throws if it is wrong. */
export const mustBe =
  <T>(expected: string, isRight: (value: T) => unknown) =>
  (value: T): T => {
    if (!isRight(value)) throw valueError(expected, value)
    return value
  }

export const integer = (from: number, to = Number.POSITIVE_INFINITY) =>
  mustBe<number>(
    `an integer ${Number.isFinite(to) ? `from ${from} to ${to}` : `of at least ${from}`}`,
    value => Number.isInteger(value) && value >= from && value <= to,
  )

const checkWord = mustBe<string>('a letter followed by up to 31 letters, digits or underscores', value =>
  /^[a-z][a-z0-9_]{0,31}$/i.test(value),
)
export const checkVendor = (value: string) => checkWord(value).toLowerCase()

const checkAddress = mustBe<string>(
  'a URL like https://api.example.test',
  value => URL.canParse(value) && /^https?:/.test(value),
)
export const checkUrl = (value: string) => checkAddress(value).replace(/\/+$/, '')

export const checkTarget = mustBe<string>(
  'an http or https URL like http://127.0.0.1:8080/events, without a user name or password',
  value =>
    URL.canParse(value) &&
    /^https?:$/.test(new URL(value).protocol) &&
    new URL(value).username === '' &&
    new URL(value).password === '',
)

/** At least two labels, which excludes IP addresses and local names. */
const HOST_NAME = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/
const checkHost = mustBe<string>('a host name like api.example.com, without scheme, port or path', value =>
  HOST_NAME.test(value),
)
export const checkHosts = (given: true | string | string[]) =>
  given === true ? given : [...new Set([given].flat().map(each => checkHost(each.toLowerCase())))]

const checkOrigin = mustBe<string>(
  'origins like http://localhost:5173, with a scheme and without a path',
  value => value === 'null' || (URL.canParse(value) && new URL(value).origin === value),
)
export const checkOrigins = (values: string[]) => values.map(checkOrigin)

/** The changed assumptions, and the probe results if an evidence file is set. */
export type CheckedAssumed = Assumed & { probed?: Probed }

/** Checks assumptions, expands presets, and reads an evidence file. */
export function checkAssumed(given: Lenient<AssumedForm> | CheckedAssumed, api: Assumptions): CheckedAssumed {
  const { rest, probed } = takeEvidence(given)
  const assumed = expandAssumed(api, rest as AnyAssumed, probed && probedValues(api, probed))
  for (const [name, value] of Object.entries(assumed)) {
    if (!isAssumption(api, name)) {
      const hint = didYouMean(nearest(name, assumptionNames(api)))
      throw new Error(`unknown assumption "${name}".${hint} Run edgesim assumptions to list them.`)
    }
    const allowed = valuesOf(api, name)
    if (allowed.length === 1) throw new Error(`cannot change ${name}. Its only value is ${allowed[0]}.`)
    if (value === undefined)
      throw new Error(`${name} has no value. Write ${name}=VALUE with one of ${allowed.join(', ')}.`)
    if (!allowed.includes(value)) throw new Error(`${name} ${choiceError(allowed, value).message}`)
  }
  return { ...(assumed as Assumed), ...(probed && { probed }) }
}

/** Separates the evidence from the rest. The simulator checks the command line's options a second time, as an object. */
function takeEvidence(given: Lenient<AssumedForm> | CheckedAssumed): { rest: Lenient<AssumedForm>; probed?: Probed } {
  if (isObject(given)) {
    const { probed, ...rest } = given as CheckedAssumed
    return { rest, probed: probed === undefined ? undefined : checkEvidence(probed, 'probed') }
  }
  const words = splitNames(given as string | readonly string[])
  const [file, second] = words.filter(isEvidenceFile)
  if (second !== undefined) throw new Error(`use only one evidence file, got ${file} and ${second}.`)
  return {
    rest: words.filter(word => !isEvidenceFile(word)),
    probed: file === undefined ? undefined : readEvidence(file),
  }
}

/** For display: a probe has many verdicts, and the list of assumptions includes them. */
export function withoutVerdicts(assume: CheckedAssumed) {
  if (!assume.probed) return assume
  const { verdicts: _verdicts, ...probed } = assume.probed
  return { ...assume, probed }
}
