/** Paths of the vendor's API that edgesim knows of and does not simulate, with all below them. docs/api.md 10.9. */
export const unsimulatedPaths = [
  '/abuse_reports',
  '/agent_ingresses',
  '/ai_gateway_api_keys',
  '/app/sessions',
  '/app/users',
  '/backends/failover',
  '/backends/http_response',
  '/backends/tunnel_group',
  '/backends/weighted',
  '/edges/tls',
]
