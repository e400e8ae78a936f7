import { isObject } from '../basics/json.ts'
import { evidenceOf, type Probed, sourcesDiffer, type Verdict } from '../contract/evidence.ts'
import type { Assumed, Assumption } from './question.ts'

/** The assumptions of an API, and its presets: names for several values. */
export interface Assumptions {
  readonly assumptions: Readonly<Record<string, Assumption>>
  readonly presets?: Readonly<Record<string, Assumed>>
}

/** An object by name, a preset, or a list of presets and NAME=VALUE. */
type Given = Assumed | string | readonly string[]

/** Unchecked assumptions by name, undefined without a value. Single ones override probed ones, which override presets. */
export function expandAssumed({ presets = {} }: Assumptions, given: Given, found: Assumed = {}): Assumed {
  if (isObject(given)) return { ...found, ...(given as Assumed) }
  const words = splitNames(given as string | readonly string[])
  const isPreset = (word: string) => Object.hasOwn(presets, word)
  const pairs = words.filter(word => !isPreset(word)).map(splitPair)
  return Object.assign({}, ...words.filter(isPreset).map(name => presets[name]), found, Object.fromEntries(pairs))
}

export const splitNames = (given: string | readonly string[]) =>
  [given].flat().flatMap(text => text.split(',').map(part => part.trim()))

function splitPair(text: string): [name: string, value: string | undefined] {
  const at = text.indexOf('=')
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)]
}

/** The names of assumptions and presets. */
export const assumptionNames = ({ assumptions, presets = {} }: Assumptions) => [
  ...Object.keys(assumptions),
  ...Object.keys(presets),
]

export const isAssumption = ({ assumptions }: Assumptions, name: string): boolean => Object.hasOwn(assumptions, name)

/** The assumptions with alternatives. */
export const changeable = ({ assumptions }: Assumptions) =>
  Object.keys(assumptions).filter(name => assumptions[name]!.values.length > 1)

export const valuesOf = ({ assumptions }: Assumptions, name: string): readonly string[] => assumptions[name]!.values

export const defaultOf = ({ assumptions }: Assumptions, name: string): string => assumptions[name]!.values[0]!

/** JSON Schema properties of an object that changes assumptions. */
export const assumptionProperties = ({ assumptions }: Assumptions) =>
  Object.fromEntries(
    Object.entries(assumptions).map(([name, { question, values }]) => [
      name,
      { description: question, enum: [...values] },
    ]),
  )

/** The probe result for an assumption, unless this version does not have its value. */
export function verdictOn(all: Assumptions, name: string, probed: Probed | undefined): Verdict | undefined {
  const verdict = probed && Object.hasOwn(probed.verdicts, name) ? probed.verdicts[name] : undefined
  return verdict && hasKnownValue(all, name, verdict) ? verdict : undefined
}

const hasKnownValue = (all: Assumptions, name: string, verdict: Verdict) =>
  !('value' in verdict) || valuesOf(all, name).includes(verdict.value)

/** The probed values of changeable assumptions. */
export const probedValues = (all: Assumptions, probed: Probed): Assumed =>
  Object.fromEntries(
    changeable(all).flatMap(name => {
      const verdict = verdictOn(all, name, probed)
      return verdict && 'value' in verdict ? [[name, verdict.value]] : []
    }),
  )

/** Names and values in the verdicts that this version does not have: `NAME` and `NAME=VALUE`. */
export const unknownVerdicts = (all: Assumptions, { verdicts }: Probed): string[] =>
  Object.entries(verdicts).flatMap(([name, verdict]) => {
    if (!isAssumption(all, name)) return name
    return hasKnownValue(all, name, verdict) ? [] : `${name}=${(verdict as { value: string }).value}`
  })

/** The list for the CLI, HTTP and the dashboard. */
export function listAssumptions(all: Assumptions, assumed: Assumed, probed?: Probed) {
  return Object.entries(all.assumptions).map(([name, assumption]) => {
    const { section, question, values, why, evidence: published = [] } = assumption
    const verdict = verdictOn(all, name, probed)
    const evidence = verdict ? [evidenceOf(verdict, probed!), ...published] : published
    const [usual, ...alternatives] = values
    const flag = alternatives.length > 0 ? `--assume ${name}=${alternatives.join('|')}` : null
    return {
      name,
      section,
      question,
      default: usual!,
      why,
      alternatives,
      evidence,
      sources_differ: sourcesDiffer(evidence),
      value: assumed[name] ?? usual!,
      flag,
      sets: valuesInPresets(all, name),
    }
  })
}

/** Its values in the presets, by preset. */
export const valuesInPresets = ({ presets = {} }: Assumptions, name: string): Record<string, string> =>
  Object.fromEntries(Object.entries(presets).flatMap(([preset, { [name]: value }]) => (value ? [[preset, value]] : [])))
