import { value } from '../../../engine/language/index.ts'
import { errors } from '../../errors.ts'
import { described } from '../texts.ts'
import { hostports, listenAddress, upstreamAddress } from './address.ts'
import { HOSTPORT_ONCE } from './edge-hostports.ts'

/** The common declaration of TCP and TLS edges. */
export const connectionEdge = {
  fields: {
    ...described({ description: errors.edge_description_too_long, metadata: errors.edge_metadata_too_long }),
    hostports: hostports({ unset: 'null' }),
  },
  stored: {
    listen: value(listenAddress(), { firstOf: 'hostports', content: 'host' }),
    upstream: value(upstreamAddress(), { content: 'host' }),
  },
  alwaysNull: ['policy'],
  unique: HOSTPORT_ONCE,
  errors: { missing: errors.edge_missing, badId: errors.bad_edge_id },
} as const
