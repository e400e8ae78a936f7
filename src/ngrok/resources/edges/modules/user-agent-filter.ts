import { type Field, flag, listOf, module, textShape } from '../../../../engine/language/index.ts'
import { errors } from '../../../errors.ts'

/** Maximum instructions of all patterns in a list. */
export const MAX_FILTER_PROGRAM = 2_000

const patterns = (): Field<string[]> => ({
  shape: listOf(textShape({ examples: ['(?i)curl'] })),
  default: [],
  content: 'name',
  describe: 'RE2 patterns for the User-Agent header',
  patterns: { maxSize: MAX_FILTER_PROGRAM, error: errors.bad_user_agent },
})

export const userAgentFilterModule = module({
  key: 'user_agent_filter',
  label: 'user agent filter module',
  of: { https_edge_routes: '10.9' },
  fields: { enabled: flag({ default: true }), allow: patterns(), deny: patterns() },
})
