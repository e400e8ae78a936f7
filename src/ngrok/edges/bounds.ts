import { readTextOf } from '../../engine/files/read-file.ts'

/** Limits for all edges of a simulator together. */
export const MAX_LISTENERS = 1_000
export const MAX_CONNECTIONS = 5_000
export const MAX_REPORTED_DECISIONS = 100
/** Seconds for the TLS handshake and headers, and for a whole request, which may be a long upload. */
export const EDGE_TIMEOUTS = { headers: 60, request: 300 }

export interface TrafficBounds {
  listeners: number
  connections: number
}

/**
 * A listener uses one socket, a connection two (client and upstream). So all edges together use up to 55 % (1/20 + 2/4)
 * of the sockets that the process may open. The rest is for the API.
 */
export function trafficBounds(openFiles = limitOfOpenFiles()): TrafficBounds {
  return {
    listeners: Math.min(MAX_LISTENERS, Math.floor(openFiles / 20)),
    connections: Math.min(MAX_CONNECTIONS, Math.floor(openFiles / 4)),
  }
}

/** Used if the system does not report its limit. macOS allows slightly more. */
const DEFAULT_OPEN_FILES = 10_000

/** Node raises the limit to the maximum and does not expose it, so read it from /proc. */
function limitOfOpenFiles(): number {
  try {
    const limit = /^Max open files +(\d+)/m.exec(readTextOf('/proc/self/limits', 1))?.[1]
    return limit === undefined ? DEFAULT_OPEN_FILES : Number(limit)
  } catch {
    return DEFAULT_OPEN_FILES
  }
}

/** The open listeners and connections of all edges of a simulator. */
export class TrafficLoad {
  listeners = 0
  connections = 0
  readonly #warned = new Set<keyof TrafficBounds>()

  constructor(
    readonly bounds: TrafficBounds,
    readonly warn: (text: string) => void,
  ) {}

  /** Returns a message that the limit is reached. The first time, it is also logged as a warning. */
  reportFull(what: keyof TrafficBounds): string {
    const text = `The limit of ${this.bounds[what]} ${what} for all edges is reached. Delete edges or sandboxes`
    if (!this.#warned.has(what)) this.warn(`${text}.`)
    this.#warned.add(what)
    return text
  }
}
