import { listenAddress, matching, oneOf, record, text, upstreamUrl, value } from '../schema/index.ts'

/** Its routes carry the request headers module. docs/api.md 4.4. */
export const httpsEdges = record({
  name: 'https_edge',
  table: 'https_edges',
  label: 'HTTPS edge',
  prefix: 'edghts',
  section: '4.4',
  fields: {
    description: text({ maxBytes: 255 }),
    metadata: text({ maxBytes: 4096 }),
    listen: value(listenAddress(['http://', 'https://'], ['127.0.0.1:0', 'http://127.0.0.1:0'])),
  },
  parts: {
    routes: {
      name: 'https_edge_route',
      label: 'HTTPS edge route',
      prefix: 'edghtsrt',
      fields: {
        match_type: { shape: oneOf(['exact_path', 'path_prefix']), default: 'path_prefix' },
        match: { shape: matching(/^\//, { examples: ['/api'] }), default: '/' },
        upstream: value(upstreamUrl()),
      },
    },
  },
})
