import { shorten } from '../basics/problem.ts'
import type { Compiled, Invalid } from '../basics/regular-expression.ts'
import { MAX_FILTER_PROGRAM } from '../resources/edges/modules/user-agent-filter.ts'
import type { Access } from '../state/index.ts'

/** Instructions times characters: what a request may cost. */
export const MAX_FILTER_WORK = 1_000_000
const MAX_SHOWN = 100

type Lists<T> = Record<'allow' | 'deny', T>

/** docs/traffic.md: a request passes if an allow pattern matches its User-Agent, or if no deny pattern does. */
export class UserAgentFilter {
  #compiled: Promise<Lists<Compiled | Invalid>> | undefined

  constructor(
    readonly route: string,
    readonly patterns: Lists<string[]>,
  ) {}

  /** What follows for a request that passed before. */
  async check(before: Access, userAgent: string | undefined): Promise<Access> {
    this.#compiled ??= compileLists(this.patterns)
    const { passes, why } = this.#judge(await this.#compiled, userAgent ?? '')
    const who = userAgent ? `the User-Agent ${quoted(userAgent)}` : 'a request without a User-Agent'
    const says = `The user agent filter module of ${this.route} ${passes ? 'allows' : 'refuses'} ${who}: ${why}.`
    if (passes) return { ...before, text: () => `${before.text()} ${says}` }
    const { warnings } = before
    return { passes, decidedBy: 'user_agent_filter', section: '10.9', why, text: () => says, warnings }
  }

  #judge(compiled: Lists<Compiled | Invalid>, text: string): { passes: boolean; why: string } {
    const { allow, deny } = compiled
    // Requests are checked when they set patterns, fixtures are not.
    if ('expected' in allow) return { passes: false, why: this.#explain('allow', allow) }
    if ('expected' in deny) return { passes: false, why: this.#explain('deny', deny) }
    const most = Math.floor(MAX_FILTER_WORK / (allow.size + deny.size))
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

  #first(list: 'allow' | 'deny', { match }: Compiled, text: string): string | undefined {
    const matching = match(text)
    return matching.length > 0 ? `${this.#name(list, Math.min(...matching))} matches` : undefined
  }

  #explain = (list: 'allow' | 'deny', { at, expected }: Invalid) => `${this.#name(list, at)} must be ${expected}`
  #name = (list: 'allow' | 'deny', at: number) => `${quoted(this.patterns[list][at]!)} in ${list}`
}

const quoted = (text: string) => JSON.stringify(shorten(text, MAX_SHOWN))

async function compileLists({ allow, deny }: Lists<string[]>): Promise<Lists<Compiled | Invalid>> {
  const { compile } = await import('../basics/regular-expression.ts')
  return { allow: compile(allow, MAX_FILTER_PROGRAM), deny: compile(deny, MAX_FILTER_PROGRAM) }
}
