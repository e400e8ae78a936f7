import { flag, module } from '../../../schema/index.ts'

/** WebSockets become TCP connections. It is kept and not acted on. docs/api.md 10.9. */
export const websocketTcpConverterModule = module({
  key: 'websocket_tcp_converter',
  label: 'websocket TCP converter module',
  of: { https_edge_routes: '10.9' },
  fields: { enabled: flag({ default: true }) },
})
