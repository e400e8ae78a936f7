import { errors } from '../../errors.ts'
import { described } from '../texts.ts'

/** Tables of backends that handle traffic themselves, and that a weighted backend may contain. */
export const SERVING_BACKENDS = ['backends', 'http_response_backends', 'tunnel_group_backends']

/** No kind can contain itself, even indirectly: assumption `backend_nesting`. */
export const BACKENDS = [...SERVING_BACKENDS, 'weighted_backends', 'failover_backends']

/** Maximum backends or labels of a backend: assumption `backend_limits`. */
export const MAX_INSIDE = 100

export const backendTexts = () =>
  described({ description: errors.backend_description_too_long, metadata: errors.backend_metadata_too_long })

export const backendErrors = { missing: errors.backend_not_found, otherKind: errors.other_backend_kind } as const

/** Options of references to nested backends. */
export const insideBackend = {
  missing: errors.backend_missing,
  malformed: { error: errors.not_a_backend, form: /^bkd[a-z]+_/ },
  whenDeleted: errors.backend_in_backend,
} as const
