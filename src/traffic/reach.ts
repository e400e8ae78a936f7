import type { Ids } from '../sandbox/index.ts'
import type { Backend, Draw, Place } from './backend.ts'

/** Why a backend did not serve a request or connection. */
export class BackendFailure extends Error {
  readonly error: 'upstream_unreachable' | 'upstream_bad_answer' | 'tunnel_group_empty'
  /** The same for the decision, with what failed. */
  readonly failure: string
  /** Nothing was sent, so that another backend may be tried. */
  readonly unsent: boolean

  constructor(
    why: string,
    { error = 'upstream_unreachable', failure = why, unsent = true }: Partial<Omit<BackendFailure, keyof Error>> = {},
  ) {
    super(why)
    this.error = error
    this.failure = failure
    this.unsent = unsent
  }
}

/**
 * Lets a backend serve: draws where it is one of several, and tries the next of a failover backend while nothing was
 * sent. `notes` takes what was drawn and tried, in sentences.
 */
export async function reach<T>(
  backend: Backend,
  ids: Ids,
  notes: string[],
  attempt: (place: Place) => Promise<T>,
): Promise<T> {
  switch (backend.kind) {
    case 'unusable':
      throw new BackendFailure(backend.why)
    case 'draw': {
      if (backend.of.length === 0) throw new BackendFailure(backend.none.why, backend.none)
      const drawn = drawnFrom(backend, ids.fraction(backend.id))
      notes.push(`The ${backend.label} ${backend.id} drew ${drawn.id}.`)
      return reach(drawn, ids, notes, attempt)
    }
    case 'failover':
      for (const [i, each] of backend.of.entries()) {
        notes.push(`The failover backend ${backend.id} tried ${each.id}.`)
        try {
          return await reach(each, ids, notes, attempt)
        } catch (error) {
          const isLast = i === backend.of.length - 1
          if (isLast || !(error instanceof BackendFailure && error.unsent)) throw error
          notes.push(`That failed: ${error.message}.`)
        }
      }
      throw new BackendFailure(noBackends(backend.id))
    default:
      return attempt(backend)
  }
}

function drawnFrom({ of, total }: Draw, fraction: number): Backend {
  let left = fraction * total
  for (const { backend, weight } of of) {
    left -= weight
    if (left < 0) return backend
  }
  return of.at(-1)!.backend
}

/** Where traffic would go: the upstream, unless there is none or chance decides. Or else why it would not. */
interface Foreseen {
  upstream?: string
  failure?: string
}

/** What would become of the next request or connection; `notes` as above. Draws nothing and tries nothing. */
export function foresee(backend: Backend, ids: Ids, notes: string[], of: 'request' | 'connection'): Foreseen {
  switch (backend.kind) {
    case 'upstream':
      return { upstream: backend.upstream.shown }
    case 'response':
      if (of === 'connection') return { failure: noConnections(backend.id) }
      notes.push(`The HTTP response backend ${backend.id} would answer it, with the status ${backend.status}.`)
      return {}
    case 'unusable':
      return { failure: backend.why }
    case 'draw': {
      if (backend.of.length === 0) return { failure: backend.none.why }
      const next = ids.nextFraction(backend.id)
      const chances = backend.of.map(({ backend: each, weight }) => `${each.id} (${weight} of ${backend.total})`)
      const subject = `The ${backend.label} ${backend.id} would draw`
      if (next === undefined && chances.length > 1) {
        notes.push(`${subject} one of ${chances.join(', ')}; without a seed it is not known which.`)
        return {}
      }
      const drawn = drawnFrom(backend, next ?? 0)
      notes.push(`${subject} ${drawn.id} next, of ${chances.join(', ')}.`)
      return foresee(drawn, ids, notes, of)
    }
    case 'failover': {
      const names = backend.of.map(({ id }) => id).join(', then ')
      let foreseen: Foreseen = { failure: noBackends(backend.id) }
      if (names) notes.push(`The failover backend ${backend.id} would try ${names}, until one can be reached.`)
      for (const each of backend.of) {
        foreseen = foresee(each, ids, notes, of)
        if (foreseen.failure === undefined) break
      }
      return foreseen
    }
  }
}

const noBackends = (id: string) => `the failover backend ${id} has no backends`
export const noConnections = (id: string) => `the HTTP response backend ${id} answers requests, not connections`
