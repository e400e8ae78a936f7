import { shorten } from '../../basics/problem.ts'
import type { Expression, ExpressionCache, Invalid } from '../../basics/regular-expression.ts'
import type { Access } from '../access/restrictions.ts'
import { MAX_FILTER_PROGRAM } from '../resources/edges/modules/user-agent-filter.ts'

/** The maximum cost of a request: instructions times characters. */
export const MAX_FILTER_WORK = 1_000_000
const MAX_SHOWN = 100
/** The maximum size of the compiled pattern cache, in instructions plus CACHED_STATES per pattern. */
export const MAX_CACHED_INSTRUCTIONS = 50_000
const CACHED_STATES = 100

type Lists<T> = Record<'allow' | 'deny', T>

/** A least-recently-used cache of compiled patterns. It survives writes. */
export class PatternCache implements ExpressionCache {
  readonly #known = new Map<string, Expression>()
  #size = 0

  get = (pattern: string) => this.#known.get(pattern)

  set(pattern: string, expression: Expression) {
    this.#drop(pattern)
    this.#known.set(pattern, expression)
    this.#size += expression.size + CACHED_STATES
    for (const oldest of this.#known.keys()) {
      if (this.#size <= MAX_CACHED_INSTRUCTIONS) return
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

  /** Applies the filter to a request that passed so far. */
  async check(before: Access, userAgent: string | undefined, kept: ExpressionCache): Promise<Access> {
    this.#compiled ??= compileLists(this.patterns, kept)
    const { passes, why } = this.#judge(await this.#compiled, userAgent ?? '')
    const who = userAgent ? `the User-Agent ${quoted(userAgent)}` : 'a request without a User-Agent'
    const sentence = `The user agent filter module of ${this.route} ${passes ? 'allows' : 'blocks'} ${who}: ${why}.`
    if (passes) return { ...before, text: () => `${before.text()} ${sentence}` }
    const { warnings } = before
    return { passes, decidedBy: 'user_agent_filter', section: '10.9', why, text: () => sentence, warnings }
  }

  #judge(compiled: Lists<Expression[] | Invalid>, text: string): { passes: boolean; why: string } {
    const { allow, deny } = compiled
    // Requests validate patterns, fixtures do not.
    if ('expected' in allow) return { passes: false, why: this.#explain('allow', allow) }
    if ('expected' in deny) return { passes: false, why: this.#explain('deny', deny) }
    const maxLength = Math.floor(MAX_FILTER_WORK / [...allow, ...deny].reduce((sum, { size }) => sum + size, 1))
    if (text.length > maxLength)
      return {
        passes: false,
        why: `it has ${text.length} characters, but these patterns allow up to ${maxLength}`,
      }
    const allowing = this.#first('allow', allow, text)
    if (allowing) return { passes: true, why: allowing }
    if (text === '') return { passes: false, why: 'no pattern in allow matches the empty string' }
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

async function compileLists(
  { allow, deny }: Lists<string[]>,
  kept: ExpressionCache,
): Promise<Lists<Expression[] | Invalid>> {
  const { compile } = await import('../../basics/regular-expression.ts')
  return {
    allow: compile(allow, MAX_FILTER_PROGRAM, kept),
    deny: compile(deny, MAX_FILTER_PROGRAM, kept),
  }
}
