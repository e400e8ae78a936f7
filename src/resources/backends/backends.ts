import { described } from '../../schema/index.ts'

/** The tables of the kinds that serve traffic by themselves. Only these may be inside a weighted backend. */
export const SERVING_BACKENDS = ['backends', 'http_response_backends', 'tunnel_group_backends']

/** The tables of all kinds. No kind may contain itself, also not by another, so there are no circles: `backend_nesting`. */
export const BACKENDS = [...SERVING_BACKENDS, 'weighted_backends', 'failover_backends']

/** How many backends or labels one may have: `backend_limits`. */
export const MAX_INSIDE = 100

/** What all of them have. */
export const backendTexts = () =>
  described({ description: 'backend_description_too_long', metadata: 'backend_metadata_too_long' })

export const backendErrors = { missing: 'backend_not_found', otherKind: 'other_backend_kind' } as const

/** How backends name others. */
export const insideBackend = {
  missing: 'backend_missing',
  malformed: { error: 'not_a_backend', form: /^bkd[a-z]+_/ },
  whenDeleted: 'backend_in_backend',
} as const
