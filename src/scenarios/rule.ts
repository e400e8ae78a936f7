import { CidrSet } from '../ip/cidr.ts'
import type { Call, Fault } from '../sandbox/index.ts'
import { toMs } from './duration.ts'
import { faultKinds } from './faults/index.ts'
import { latencyOf } from './latency.ts'
import { type RuleFile, routeCovers, type When } from './schema.ts'

/** One rule, ready to be asked. What it counts is kept per sandbox, elsewhere. */
export interface Rule {
  name: string
  file: RuleFile
  matches(call: Call): boolean
  /** The calls it fires for, counted among those it matches. */
  calls: [from: number, to: number]
  between?: [from: number, until: number]
  probability: number
  times: number
  latency?: (draw: number) => number
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
    calls: readCalls(when.calls),
    between: when.between && [Date.parse(when.between[0]), Date.parse(when.between[1])],
    probability: file.probability ?? 1,
    times: file.times ?? Number.POSITIVE_INFINITY,
    latency: file.latency === undefined ? undefined : latencyOf(file.latency),
    fault: fault && faultKinds.find(({ type }) => type === fault.type)!.make(fault),
    rateLimit: rate_limit && { ...rate_limit, perMs: toMs(rate_limit.per) },
    everFired: false,
  }
}

function readCalls(calls: When['calls']): [number, number] {
  if (calls === undefined) return [1, Number.POSITIVE_INFINITY]
  const [from, to] = String(calls).split('-')
  return [Number(from), to === undefined ? Number(from) : to === '' ? Number.POSITIVE_INFINITY : Number(to)]
}

/** Which calls it is about: all of what is written must hold, and any of the values of each. */
function matcher(when: When): (call: Call) => boolean {
  const tests: ((call: Call) => boolean)[] = []
  const { operation, method, path, owner, source_ip } = when
  if (operation !== undefined) tests.push(call => [operation].flat().includes(call.operation!.id))
  if (method !== undefined) tests.push(call => [method].flat().includes(call.operation!.method))
  if (path !== undefined) tests.push(call => [path].flat().some(written => pathCovers(written, call)))
  if (owner !== undefined) tests.push(call => [owner].flat().includes(call.caller.id))
  if (source_ip !== undefined) {
    const sources = new CidrSet([source_ip].flat().map(toCidr))
    tests.push(call => sources.has(call.sourceIp))
  }
  return call => tests.every(test => test(call))
}

/** The path as it was asked for, or that of its route. */
const pathCovers = (written: string, call: Call) =>
  written === call.operation!.path || routeCovers(written.replaceAll('*', '{any}'), call.entry.path)

const toCidr = (address: string) => (address.includes('/') ? address : `${address}/${address.includes(':') ? 128 : 32}`)
