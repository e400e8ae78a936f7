import { collection } from '../../../engine/language/index.ts'
import { errors } from '../../errors.ts'
import { connectionEdge } from './connection-edge.ts'
import { checkHostports } from './edge-hostports.ts'

interface Module {
  enabled: boolean
  terminate_at?: string
}

export const tlsEdges = collection({
  name: 'tls_edge',
  table: 'tls_edges',
  label: 'TLS edge',
  path: '/edges/tls',
  prefix: 'edgtls',
  section: '10.23',
  listAs: 'tls_edges',
  ...connectionEdge,
  check(row, before, context) {
    checkHostports('tls', row, before, context)
    const { tls_termination: termination, mutual_tls: mutual } = row as Partial<Record<string, Module>>
    if (termination === before?.tls_termination && mutual === before?.mutual_tls) return
    const ends = termination?.enabled ? termination.terminate_at : 'edge'
    if (ends === 'upstream' && mutual?.enabled)
      context.fail(errors.tls_not_terminated, { field: 'tls_termination.terminate_at' })
  },
})
