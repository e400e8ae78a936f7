import type { Api } from '../api.ts'
import { type Operation, parseTime } from '../language/index.ts'
import type { Fault, Subject } from '../rules.ts'
import { faultKinds } from './faults/index.ts'
import { isAfterCall, latencyOf } from './latency.ts'
import type { Limit } from './rate-limit.ts'
import type { RuleFile } from './schema.ts'
import { toMs } from './setting.ts'
import { matcher, readCalls, whenOf } from './when.ts'

/** A compiled rule. Its counters per sandbox are in RuleSet. */
export interface Rule {
  name: string
  file: RuleFile
  /** The operations it can match. */
  operations: Operation[]
  /** The event types it can match. Undefined if it does not apply to deliveries. */
  events: string[] | undefined
  /** The records whose traffic it can match. Undefined if it does not apply to traffic. */
  records: string[] | undefined
  matches(subject: Subject): boolean
  /** The numbers of matching calls for which it fires. */
  calls: [from: number, to: number]
  between?: [from: number, until: number]
  probability: number
  times: number
  latency?: (nextRandom: () => number) => number
  /** Whether the call is executed before the latency. */
  latencyAfter: boolean
  fault?: Fault
  rateLimit?: Limit
  /** Counters for all sandboxes, for the coverage report. */
  matched: number
  fired: number
}

export function compileRule(api: Api, file: RuleFile, index: number): Rule {
  const { when = {}, fault, rate_limit } = file
  const { operationsOf, deliveredTypes, recordsOf } = whenOf(api)
  const operations = operationsOf(when)
  return {
    name: file.name ?? `rule ${index + 1}`,
    file,
    operations,
    events: deliveredTypes(when),
    records: recordsOf(when),
    matches: matcher(api, when, operations),
    calls: readCalls(when.calls)!,
    between: when.between && [parseTime(when.between[0]!)!, parseTime(when.between[1]!)!],
    probability: file.probability ?? 1,
    times: file.times ?? Number.POSITIVE_INFINITY,
    latency: file.latency === undefined ? undefined : latencyOf(file.latency),
    latencyAfter: isAfterCall(file.latency),
    fault: fault && faultKinds.find(({ type }) => type === fault.type)!.make(fault),
    rateLimit: rate_limit && { ...rate_limit, perMs: toMs(rate_limit.per) },
    matched: 0,
    fired: 0,
  }
}
