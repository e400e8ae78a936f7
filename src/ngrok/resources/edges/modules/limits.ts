import {
  checkBytes,
  type Field,
  listOf,
  type Mismatch,
  textShape,
  toProblems,
  type ValueError,
  value,
} from '../../../../engine/language/index.ts'

/** The vendor does not publish its limits: assumption `module_limits`. */
export const MODULE_LIMITS = {
  entries: 100,
  entryBytes: 255,
  secretBytes: 4096,
  metadataBytes: 32_768,
}

/** The vendor's clients use this type for numbers without a limit. */
export const UINT32 = 4_294_967_295

export const YEAR_SECONDS = 365 * 24 * 60 * 60

interface TextRules {
  tooLong?: ValueError
  examples?: string[]
  check?(text: string): Mismatch | undefined
}

/** A string with a limit in bytes, and an additional check. */
export const upTo = (maxBytes: number, { tooLong, examples, check }: TextRules = {}) =>
  textShape(
    { maxLength: maxBytes, 'x-max-bytes': maxBytes, ...(examples && { examples }) },
    text => checkBytes(text, maxBytes, tooLong) ?? check?.(text),
  )

interface ListRules extends TextRules, Pick<Field, 'content' | 'describe'> {
  tooMany?: ValueError
  empty?: ValueError
  /** For a duplicate entry, which is allowed without this error. */
  twice?: ValueError
}

/** A list of short strings. */
export function texts({ tooMany, empty, twice, check, content = 'name', describe, ...rules }: ListRules = {}) {
  const findProblem = (text: string) =>
    empty && text === '' ? { error: empty, expected: 'a non-empty string' } : check?.(text)
  const entries = listOf(upTo(MODULE_LIMITS.entryBytes, { ...rules, check: findProblem }))
  return value<string[]>(
    {
      json: { ...entries.json, maxItems: MODULE_LIMITS.entries },
      find(list) {
        const problems = entries.find(list)
        if (problems) return problems
        const mismatch = checkEntries(list as string[], tooMany, twice)
        return mismatch && toProblems(list, mismatch)
      },
    },
    { default: [], content, describe },
  )
}

function checkEntries(list: string[], tooMany?: ValueError, twice?: ValueError): Mismatch | undefined {
  const { entries } = MODULE_LIMITS
  if (list.length > entries)
    return { error: tooMany, expected: `up to ${entries} entries`, received: `${list.length} entries` }
  const repeated = twice && list.find((each, i) => list.indexOf(each) < i)
  return repeated === undefined
    ? undefined
    : { error: twice, expected: 'each entry once', received: `${JSON.stringify(repeated)} twice` }
}
