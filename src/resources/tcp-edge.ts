import { listenAddress, record, text, upstreamAddress, value } from '../schema/index.ts'

/** Carries the IP restriction module. docs/api.md 4.3. */
export const tcpEdges = record({
  name: 'tcp_edge',
  table: 'tcp_edges',
  label: 'TCP edge',
  prefix: 'edgtcp',
  section: '4.3',
  fields: {
    description: text({ maxBytes: 255 }),
    metadata: text({ maxBytes: 4096 }),
    listen: value(listenAddress()),
    upstream: value(upstreamAddress()),
  },
})
