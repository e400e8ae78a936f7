import { described } from '../../schema/index.ts'

/** The tables of all kinds of backends. */
export const BACKENDS = [
  'backends',
  'http_response_backends',
  'tunnel_group_backends',
  'failover_backends',
  'weighted_backends',
]

/** What all of them have. */
export const backendTexts = () =>
  described({ description: 'backend_description_too_long', metadata: 'backend_metadata_too_long' })
