import { isDeepStrictEqual } from 'node:util'
import type { Probed, Verdict } from '../../contract/evidence.ts'

/** A verdict in words. */
export function wordsOf(verdict: Verdict): string {
  if ('value' in verdict) return verdict.value
  if ('undecided' in verdict) return `undecided: ${verdict.undecided}`
  return `none of those known: status ${verdict.none_known.status}, ${JSON.stringify(verdict.none_known.body)}`
}

/** What the service answers otherwise than in an earlier run. What was not decided in one of them is no drift. */
export const driftOf = (before: Probed, now: Probed): string[] =>
  Object.entries(now.verdicts).flatMap(([name, verdict]) => {
    const earlier = Object.hasOwn(before.verdicts, name) ? before.verdicts[name] : undefined
    if (!earlier || 'undecided' in earlier || 'undecided' in verdict || isDeepStrictEqual(earlier, verdict)) return []
    return [`${name}: it was ${wordsOf(earlier)}; now it is ${wordsOf(verdict)}`]
  })
