import { readFileSync } from 'node:fs'

/** How many of each all edges of a simulator may have at a time. */
export interface TrafficBounds {
  listeners: number
  connections: number
}

/** Where nothing says how many files and sockets a process may have open; macOS allows some more. */
const USUALLY_OPEN = 10_000
export const MOST_OPEN = 20_000

/**
 * A listener takes one of the sockets that the process may have open, a connection two: its own and that to the upstream.
 * So all edges together take up to 55 % of them, and the API has the others.
 */
export function trafficBounds(openFiles = limitOfOpenFiles()): TrafficBounds {
  const open = Math.min(openFiles, MOST_OPEN)
  return { listeners: Math.floor(open / 20), connections: Math.floor(open / 4) }
}

/** Node raises it as far as the system lets it, and does not tell how far that was. */
function limitOfOpenFiles(): number {
  try {
    const limit = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
    return limit === undefined ? USUALLY_OPEN : Number(limit)
  } catch {
    return USUALLY_OPEN
  }
}

/** What all edges of a simulator have open. */
export class TrafficLoad {
  listeners = 0
  connections = 0
  readonly #told = new Set<keyof TrafficBounds>()

  constructor(
    readonly bounds: TrafficBounds,
    readonly warn: (text: string) => void,
  ) {}

  /** What there is too much of, in words, which are also warned of once. */
  tellFull(what: keyof TrafficBounds): string {
    const text = `All edges together have ${this.bounds[what]} ${what}, which is as many as they may. Delete edges or drop sandboxes`
    if (!this.#told.has(what)) this.warn(`Edges refuse further ${what}. ${text}.`)
    this.#told.add(what)
    return text
  }
}
