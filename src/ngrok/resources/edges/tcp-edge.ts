import { collection } from '../../../engine/language/index.ts'
import { connectionEdge } from './connection-edge.ts'
import { checkHostports } from './edge-hostports.ts'

export const tcpEdges = collection({
  name: 'tcp_edge',
  table: 'tcp_edges',
  label: 'TCP edge',
  path: '/edges/tcp',
  prefix: 'edgtcp',
  section: '10.4',
  listAs: 'tcp_edges',
  ...connectionEdge,
  check: (row, before, context) => checkHostports('tcp', row, before, context),
})
