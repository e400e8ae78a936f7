import type { Ids } from '../../engine/sandbox/index.ts'
import { UpstreamFailure } from '../../server/proxy/upstream-request.ts'
import type { Backend, Draw, Place } from './backend.ts'

/**
 * Finds the target of a backend: picks one of several by weight, and tries the next backend of a failover while nothing
 * was sent. Adds sentences about these choices to `notes`.
 */
export async function reach<T>(
  backend: Backend,
  ids: Ids,
  notes: string[],
  attempt: (place: Place) => Promise<T>,
): Promise<T> {
  switch (backend.kind) {
    case 'unusable':
      throw new UpstreamFailure(backend.why)
    case 'draw': {
      if (backend.of.length === 0) throw new UpstreamFailure(backend.none.why, backend.none)
      const picked = pickFrom(backend, ids.fraction(backend.id))
      notes.push(`The ${backend.label} ${backend.id} picked ${picked.id}.`)
      return reach(picked, ids, notes, attempt)
    }
    case 'failover':
      for (const [i, each] of backend.of.entries()) {
        notes.push(`The failover backend ${backend.id} tried ${each.id}.`)
        try {
          return await reach(each, ids, notes, attempt)
        } catch (error) {
          const isLast = i === backend.of.length - 1
          if (isLast || !(error instanceof UpstreamFailure && error.unsent)) throw error
          notes.push(`It failed: ${error.message}.`)
        }
      }
      throw new UpstreamFailure(noBackends(backend.id))
    default:
      return attempt(backend)
  }
}

function pickFrom({ of, total }: Draw, fraction: number): Backend {
  let left = fraction * total
  for (const { backend, weight } of of) {
    left -= weight
    if (left < 0) return backend
  }
  return of.at(-1)!.backend
}

/** The predicted upstream, if it is certain. Or why forwarding would fail. */
interface Prediction {
  upstream?: string
  failure?: string
}

/** Predicts the target of the next request or connection, without consuming randomness or connecting. */
export function predict(backend: Backend, ids: Ids, notes: string[], of: 'request' | 'connection'): Prediction {
  switch (backend.kind) {
    case 'upstream':
      return { upstream: backend.upstream.shown }
    case 'response':
      if (of === 'connection') return { failure: noConnections(backend.id) }
      notes.push(`The HTTP response backend ${backend.id} would send the response, with status ${backend.status}.`)
      return {}
    case 'unusable':
      return { failure: backend.why }
    case 'draw': {
      if (backend.of.length === 0) return { failure: backend.none.why }
      const next = ids.nextFraction(backend.id)
      const chances = backend.of.map(({ backend: each, weight }) => `${each.id} (${weight} of ${backend.total})`)
      const subject = `The ${backend.label} ${backend.id} would pick`
      if (next === undefined && chances.length > 1) {
        notes.push(`${subject} one of ${chances.join(', ')} at random (no seed is set).`)
        return {}
      }
      const picked = pickFrom(backend, next ?? 0)
      notes.push(`${subject} ${picked.id} next, out of ${chances.join(', ')}.`)
      return predict(picked, ids, notes, of)
    }
    case 'failover': {
      const names = backend.of.map(({ id }) => id).join(', then ')
      let prediction: Prediction = { failure: noBackends(backend.id) }
      if (names) notes.push(`The failover backend ${backend.id} would try ${names}, until one is reachable.`)
      for (const each of backend.of) {
        prediction = predict(each, ids, notes, of)
        if (prediction.failure === undefined) break
      }
      return prediction
    }
  }
}

const noBackends = (id: string) => `the failover backend ${id} has no backends`
export const noConnections = (id: string) => `the HTTP response backend ${id} supports only HTTP requests`
