import type { Steps } from '../basics/slices.ts'
import { counted } from '../basics/text.ts'
import type { FileProblem } from '../files/document.ts'
import type { Call } from '../sandbox/index.ts'
import type { Operation } from '../schema/index.ts'
import { MAX_PROBLEMS } from '../schema/problem.ts'
import { segmentsPattern } from './path.ts'
import type { Rule } from './rule.ts'

/** An operation, or the id of an edge. */
type Target = Operation | string

/** What a rule matches; a member that is not given stands for any value. */
interface Scope {
  targets: Target[]
  paths?: string[]
  owners?: string[]
  sources?: string[]
}

/** Finds rules that can never fire, each with the reason. Of the rules before them, it looks at one at a time. */
export function* unreachableRules(rules: Rule[], neighboursAbsent: boolean): Steps<FileProblem[]> {
  const problems: FileProblem[] = []
  const takers: { index: number; takesAll: (other: Scope) => boolean }[] = []
  for (const [index, rule] of rules.entries()) {
    const scope = scopeOf(rule, neighboursAbsent)
    const why = whyByItself(rule, scope) ?? whyTaken(rule, takers.find(({ takesAll }) => takesAll(scope))?.index)
    if (why) problems.push({ path: ['rules', index], message: `rules[${index}]: can never fire: ${why}` })
    else if (takesEveryCall(rule)) takers.push({ index, takesAll: containsScope(scope) })
    if (problems.length === MAX_PROBLEMS) break
    yield
  }
  return problems
}

function scopeOf(rule: Rule, neighboursAbsent: boolean): Scope {
  const { edge, path, owner, source_ip } = rule.file.when ?? {}
  const listOf = (given: string | string[] | undefined) => (given === undefined ? undefined : [given].flat())
  const served = rule.operations.filter(({ neighbour }) => !(neighbour && neighboursAbsent))
  const targets = (listOf(edge) ?? served).filter(target => canAffect(rule, target))
  return { targets, paths: listOf(path), owners: listOf(owner), sources: listOf(source_ip) }
}

const canAffect = ({ fault, latency }: Rule, target: Target) =>
  typeof target === 'string' || latency !== undefined || (fault?.concerns?.({ operation: target } as Call) ?? true)

function whyByItself({ latency, rateLimit, calls: [from, to] }: Rule, { targets }: Scope): string | undefined {
  if (targets.length === 0) return 'under neighbours=absent the API has no operation that it could affect'
  const count = to - from + 1
  if (rateLimit && !latency && count <= rateLimit.requests)
    return `it counts ${counted(count, 'call')}, and its rate_limit lets ${rateLimit.requests} through`
  return undefined
}

/** A latency always acts: latencies add up. */
const whyTaken = ({ latency, file }: Rule, by: number | undefined) =>
  by === undefined || latency
    ? undefined
    : `the fault of rules[${by}] matches ${file.when?.edge === undefined ? 'every call' : 'everything'} it could match`

/** Whether its fault acts on every call that it matches, so that no later fault can. */
const takesEveryCall = ({ fault, probability, times, calls: [from, to], between }: Rule) =>
  fault && probability === 1 && from === 1 && Math.min(to, times) === Number.POSITIVE_INFINITY && !between

/** Tests whether a scope includes all of another. It may say no where the paths of both are hard to compare. */
function containsScope({ targets, paths, owners, sources }: Scope): (other: Scope) => boolean {
  const patterns = paths?.map(segmentsPattern)
  const matchesAll = (target: Target) =>
    typeof target === 'string' || !patterns || patterns.some(matches => matches(anyPathOf(target)))
  const includes = {
    target: includesAll(targets),
    wholeTarget: includesAll(targets.filter(matchesAll)),
    path: includesAll(paths),
    owner: includesAll(owners),
    source: includesAll(sources),
  }
  return other =>
    (includes.wholeTarget(other.targets) || (includes.path(other.paths) && includes.target(other.targets))) &&
    includes.owner(other.owners) &&
    includes.source(other.sources)
}

/** The segments of a route, with # for its parameters: only what stands for any text matches it. */
const anyPathOf = ({ path }: Operation) => path.replace(/\{\w+\}/g, '#').split('/')

function includesAll<T>(values: T[] | undefined): (others: T[] | undefined) => boolean {
  const set = values && new Set(values)
  return others => !set || (others?.every(each => set.has(each)) ?? false)
}
