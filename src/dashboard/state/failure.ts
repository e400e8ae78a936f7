import { firstSentence } from '../../basics/text.ts'
import type { ListedEntry } from '../types.ts'

export const hasFailed = ({ status }: Pick<ListedEntry, 'status'>) => status === null || status >= 400

/** The error type of a failed response. */
export function failureOf(entry: ListedEntry): string | undefined {
  const { explanation, rules } = entry
  if (!hasFailed(entry)) return undefined
  if (explanation?.decided_by !== 'rule' && explanation) return explanation.decided_by
  // Latency is not the cause of a failure.
  const effects = rules
    .filter(({ fired }) => fired)
    .map(({ effect }) => effect.replace(/^\d+ ms of latency( before the response)?(, )?/, ''))
  return effects.find(effect => effect !== '') ?? 'no response'
}

/** Why a request failed, in one sentence. */
export const reasonOf = (entry: ListedEntry): string | undefined =>
  hasFailed(entry) && entry.explanation ? firstSentence(entry.explanation.text) : undefined
