import { readTextOf } from '../files/read-file.ts'

/** Listeners and connections that all edges of a simulator may have at a time. */
export const MAX_LISTENERS = 1_000
export const MAX_CONNECTIONS = 5_000
/** Decisions in a report. */
export const MAX_REPORTED_DECISIONS = 100
/** Seconds that a client of an edge has for a TLS handshake and for headers, and for a whole request: uploads take long. */
export const EDGE_TIMEOUTS = { headers: 60, request: 300 }

export interface TrafficBounds {
  listeners: number
  connections: number
}

/**
 * A listener takes one socket, a connection two: its own and that to the upstream. So all edges together take at most
 * 55 % (1/20 + 2/4) of the sockets that the process may open, and leave the rest to the API.
 */
export function trafficBounds(openFiles = limitOfOpenFiles()): TrafficBounds {
  return {
    listeners: Math.min(MAX_LISTENERS, Math.floor(openFiles / 20)),
    connections: Math.min(MAX_CONNECTIONS, Math.floor(openFiles / 4)),
  }
}

/** Where the system does not tell its limit. macOS allows some more. */
const DEFAULT_OPEN_FILES = 10_000

/** Node raises the limit as far as the system allows and does not expose it, so read it from /proc. */
function limitOfOpenFiles(): number {
  try {
    const limit = /^Max open files +(\d+)/m.exec(readTextOf('/proc/self/limits', 1))?.[1]
    return limit === undefined ? DEFAULT_OPEN_FILES : Number(limit)
  } catch {
    return DEFAULT_OPEN_FILES
  }
}

/** What all edges of a simulator have open. */
export class TrafficLoad {
  listeners = 0
  connections = 0
  readonly #warned = new Set<keyof TrafficBounds>()

  constructor(
    readonly bounds: TrafficBounds,
    readonly warn: (text: string) => void,
  ) {}

  /** Says that a bound is reached; the first time also as a warning. */
  reportFull(what: keyof TrafficBounds): string {
    const text = `All edges together have ${this.bounds[what]} ${what}, the maximum. Delete edges or drop sandboxes`
    if (!this.#warned.has(what)) this.warn(`Edges open no more ${what}. ${text}.`)
    this.#warned.add(what)
    return text
  }
}
