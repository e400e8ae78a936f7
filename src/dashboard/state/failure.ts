import { firstSentence } from '../../basics/text.ts'
import type { ListedEntry } from '../types.ts'

export const hasFailed = ({ status }: Pick<ListedEntry, 'status'>) => status === null || status >= 400

const LATENCY = /^\d+ ms of latency( before the response)?(, (but )?)?/

/** The rule that caused a failure. Latency is not a cause. */
function decidingRule({ explanation, rules }: ListedEntry) {
  if (explanation && explanation.decided_by !== 'rule') return undefined
  const fired = rules.filter(rule => rule.fired)
  const cleaned = fired.map(({ name, effect }) => ({ name, effect: effect.replace(LATENCY, '') }))
  return cleaned.find(({ effect }) => effect !== '') ?? { name: '', effect: 'no response' }
}

/** The error type of a failed response. */
export const failureOf = (entry: ListedEntry): string | undefined =>
  hasFailed(entry) ? (decidingRule(entry)?.effect ?? entry.explanation!.decided_by) : undefined

/** Why a request failed, in one sentence. */
export function reasonOf(entry: ListedEntry): string | undefined {
  if (!hasFailed(entry)) return undefined
  const rule = decidingRule(entry)
  if (!rule) return firstSentence(entry.explanation!.text)
  return rule.name ? `Rule "${rule.name}": ${rule.effect}` : undefined
}
