import { shorten } from '../basics/problem.ts'
import type { Expression, Invalid, Kept } from '../basics/regular-expression.ts'
import { runYielding } from '../basics/slices.ts'
import { MAX_FILTER_PROGRAM } from '../resources/edges/modules/user-agent-filter.ts'
import type { Access } from '../state/index.ts'

/** Instructions times characters: what a request may cost. */
export const MAX_FILTER_WORK = 1_000_000
const MAX_SHOWN = 100
/** Of the patterns that are kept compiled, in instructions and for each pattern some more: it caches states. */
export const MAX_KEPT_INSTRUCTIONS = 50_000
const CACHED_STATES = 100

type Lists<T> = Record<'allow' | 'deny', T>

/** The compiled patterns of a simulator. They are kept across writes, and dropped when others were used more lately. */
export class KeptPatterns implements Kept {
  readonly #known = new Map<string, Expression>()
  #size = 0

  get = (pattern: string) => this.#known.get(pattern)

  set(pattern: string, expression: Expression) {
    this.#drop(pattern)
    this.#known.set(pattern, expression)
    this.#size += expression.size + CACHED_STATES
    for (const oldest of this.#known.keys()) {
      if (this.#size <= MAX_KEPT_INSTRUCTIONS) return
      this.#drop(oldest)
    }
  }

  #drop(pattern: string) {
    const known = this.#known.get(pattern)
    if (known) this.#size -= known.size + CACHED_STATES
    this.#known.delete(pattern)
  }
}

/** docs/edges.md: a request passes if an allow pattern matches its User-Agent, or if no deny pattern does. */
export class UserAgentFilter {
  #compiled: Promise<Lists<Expression[] | Invalid>> | undefined

  constructor(
    readonly route: string,
    readonly patterns: Lists<string[]>,
  ) {}

  /** What follows for a request that passed before. */
  async check(before: Access, userAgent: string | undefined, kept: Kept): Promise<Access> {
    this.#compiled ??= compileLists(this.patterns, kept)
    const { passes, why } = this.#judge(await this.#compiled, userAgent ?? '')
    const who = userAgent ? `the User-Agent ${quoted(userAgent)}` : 'a request without a User-Agent'
    const says = `The user agent filter module of ${this.route} ${passes ? 'allows' : 'refuses'} ${who}: ${why}.`
    if (passes) return { ...before, text: () => `${before.text()} ${says}` }
    const { warnings } = before
    return { passes, decidedBy: 'user_agent_filter', section: '10.9', why, text: () => says, warnings }
  }

  #judge(compiled: Lists<Expression[] | Invalid>, text: string): { passes: boolean; why: string } {
    const { allow, deny } = compiled
    // Requests are checked when they set patterns, fixtures are not.
    if ('expected' in allow) return { passes: false, why: this.#explain('allow', allow) }
    if ('expected' in deny) return { passes: false, why: this.#explain('deny', deny) }
    const most = Math.floor(MAX_FILTER_WORK / [...allow, ...deny].reduce((sum, { size }) => sum + size, 1))
    if (text.length > most)
      return {
        passes: false,
        why: `for its patterns a text of ${text.length} characters is too long, ${most} are the most`,
      }
    const allowing = this.#first('allow', allow, text)
    if (allowing) return { passes: true, why: allowing }
    if (text === '') return { passes: false, why: 'no pattern in allow matches the empty text' }
    const denying = this.#first('deny', deny, text)
    return { passes: !denying, why: denying ?? 'no pattern in deny matches' }
  }

  #first(list: 'allow' | 'deny', expressions: Expression[], text: string): string | undefined {
    const first = expressions.findIndex(({ matches }) => matches(text))
    return first < 0 ? undefined : `${this.#name(list, first)} matches`
  }

  #explain = (list: 'allow' | 'deny', { at, expected }: Invalid) => `${this.#name(list, at)} must be ${expected}`
  #name = (list: 'allow' | 'deny', at: number) => `${quoted(this.patterns[list][at]!)} in ${list}`
}

const quoted = (text: string) => JSON.stringify(shorten(text, MAX_SHOWN))

async function compileLists({ allow, deny }: Lists<string[]>, kept: Kept): Promise<Lists<Expression[] | Invalid>> {
  const { compile } = await import('../basics/regular-expression.ts')
  return {
    allow: await runYielding(compile(allow, MAX_FILTER_PROGRAM, kept)),
    deny: await runYielding(compile(deny, MAX_FILTER_PROGRAM, kept)),
  }
}
