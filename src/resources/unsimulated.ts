/** Paths of the vendor's API that edgesim knows of and does not simulate, with all below them. docs/api.md 10.9. */
export const unsimulatedPaths = [
  '/ai_gateway_api_keys',
  '/backends/failover',
  '/backends/http_response',
  '/backends/tunnel_group',
  '/backends/weighted',
  '/edges/tls',
  '/ssh_certificate_authorities',
  '/ssh_credentials',
  '/ssh_host_certificates',
  '/ssh_user_certificates',
]
