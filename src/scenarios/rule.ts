import { parseTime } from '../schema/index.ts'
import type { Fault } from './effects.ts'
import { faultKinds } from './faults/index.ts'
import { comesAfter, latencyOf } from './latency.ts'
import type { RuleFile } from './schema.ts'
import { toMs } from './setting.ts'
import { matcher, readCalls, type Subject } from './when.ts'

/** One rule, ready to be asked. What it counts is kept per sandbox, elsewhere. */
export interface Rule {
  name: string
  file: RuleFile
  matches(subject: Subject): boolean
  /** The calls it fires for, counted among those it matches. */
  calls: [from: number, to: number]
  between?: [from: number, until: number]
  probability: number
  times: number
  latency?: (draw: () => number) => number
  /** The call is carried out before the latency, not after it. */
  latencyAfter: boolean
  fault?: Fault
  rateLimit?: { requests: number; per: string; perMs: number }
  /** Whether it ever fired, in any sandbox: one that never does is reported. */
  everFired: boolean
}

export function makeRule(file: RuleFile, index: number): Rule {
  const { when = {}, fault, rate_limit } = file
  return {
    name: file.name ?? `rule ${index + 1}`,
    file,
    matches: matcher(when),
    calls: readCalls(when.calls)!,
    between: when.between && [parseTime(when.between[0]!)!, parseTime(when.between[1]!)!],
    probability: file.probability ?? 1,
    times: file.times ?? Number.POSITIVE_INFINITY,
    latency: file.latency === undefined ? undefined : latencyOf(file.latency),
    latencyAfter: comesAfter(file.latency),
    fault: fault && faultKinds.find(({ type }) => type === fault.type)!.make(fault),
    rateLimit: rate_limit && { ...rate_limit, perMs: toMs(rate_limit.per) },
    everFired: false,
  }
}
