import { collection, value } from '../../../engine/language/index.ts'
import { errors } from '../../errors.ts'
import { described } from '../texts.ts'
import { hostports, listenAddress } from './address.ts'
import { checkHostports, HOSTPORT_ONCE } from './edge-hostports.ts'

export const httpsEdges = collection({
  name: 'https_edge',
  table: 'https_edges',
  label: 'HTTPS edge',
  path: '/edges/https',
  prefix: 'edghts',
  section: '10.5',
  listAs: 'https_edges',
  fields: {
    ...described({ description: errors.edge_description_too_long, metadata: errors.edge_metadata_too_long }),
    hostports: hostports({ schemes: ['http://', 'https://'], default: [] }),
  },
  stored: {
    listen: value(listenAddress(['http://', 'https://'], ['127.0.0.1:0', 'http://127.0.0.1:0']), {
      firstOf: 'hostports',
      content: 'host',
    }),
  },
  unique: HOSTPORT_ONCE,
  errors: { missing: errors.edge_missing, badId: errors.bad_edge_id },
  check: (row, before, context) => checkHostports('https', row, before, context),
})
