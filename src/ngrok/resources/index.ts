import { Catalog, type Entries, type Module, type RecordKind } from '../../engine/language/index.ts'
import { abuseReports } from './abuse/abuse-report.ts'
import { applicationSessions } from './application-users/application-session.ts'
import { applicationUsers } from './application-users/application-user.ts'
import { failoverBackends } from './backends/failover-backend.ts'
import { httpResponseBackends } from './backends/http-response-backend.ts'
import { staticBackends } from './backends/static-backend.ts'
import { tunnelGroupBackends } from './backends/tunnel-group-backend.ts'
import { weightedBackends } from './backends/weighted-backend.ts'
import { certificateAuthorities } from './certificates/certificate-authority.ts'
import { tlsCertificates } from './certificates/tls-certificate.ts'
import { reservedAddrs } from './domains/reserved-addr.ts'
import { reservedDomains } from './domains/reserved-domain.ts'
import { httpsEdges } from './edges/https-edge.ts'
import { httpsEdgeRoutes } from './edges/https-edge-route.ts'
import { backendModule } from './edges/modules/backend.ts'
import {
  circuitBreakerModule,
  compressionModule,
  trafficPolicyModule,
  websocketTcpConverterModule,
} from './edges/modules/forwarding.ts'
import { requestHeadersModule, responseHeadersModule } from './edges/modules/headers.ts'
import { ipRestrictionModule } from './edges/modules/ip-restriction.ts'
import { oauthModule } from './edges/modules/oauth.ts'
import { oidcModule } from './edges/modules/oidc.ts'
import { samlModule } from './edges/modules/saml.ts'
import { httpsTlsTerminationModule, mutualTlsModule, tlsTerminationModule } from './edges/modules/tls.ts'
import { userAgentFilterModule } from './edges/modules/user-agent-filter.ts'
import { webhookVerificationModule } from './edges/modules/webhook-verification.ts'
import { tcpEdges } from './edges/tcp-edge.ts'
import { tlsEdges } from './edges/tls-edge.ts'
import { endpoints } from './endpoints/endpoint.ts'
import { eventDestinations } from './events/event-destination.ts'
import { eventSources } from './events/event-source.ts'
import { eventSubscriptions } from './events/event-subscription.ts'
import { ipPolicies } from './ip/ip-policy.ts'
import { ipPolicyRules } from './ip/ip-policy-rule.ts'
import { ipRestrictions } from './ip/ip-restriction.ts'
import { aiGatewayApiKeys } from './keys/ai-gateway-api-key.ts'
import { apiKeys } from './keys/api-key.ts'
import { credentials } from './keys/credential.ts'
import { kubernetesOperators } from './kubernetes/kubernetes-operator.ts'
import { sshCertificateAuthorities } from './ssh/ssh-certificate-authority.ts'
import { sshCredentials } from './ssh/ssh-credential.ts'
import { sshHostCertificates } from './ssh/ssh-host-certificate.ts'
import { sshUserCertificates } from './ssh/ssh-user-certificate.ts'
import { agentIngresses } from './tunnels/agent-ingress.ts'
import { tunnels } from './tunnels/tunnel.ts'
import { tunnelSessions } from './tunnels/tunnel-session.ts'
import { botUsers, serviceUsers } from './users/service-user.ts'
import { OWNERS, users } from './users/user.ts'
import { secrets } from './vaults/secret.ts'
import { vaults } from './vaults/vault.ts'

/** All kinds of records by family. Routes, validation, OpenAPI, fixtures and the dashboard use this list. */
const families = {
  'Keys and users': [users, botUsers, serviceUsers, apiKeys, credentials, aiGatewayApiKeys],
  'IP policies': [ipPolicies, ipPolicyRules, ipRestrictions],
  'Domains and addresses': [reservedDomains, reservedAddrs],
  Certificates: [tlsCertificates, certificateAuthorities],
  SSH: [sshCertificateAuthorities, sshHostCertificates, sshUserCertificates, sshCredentials],
  Endpoints: [endpoints],
  Agents: [tunnelSessions, tunnels, agentIngresses],
  Kubernetes: [kubernetesOperators],
  Vaults: [vaults, secrets],
  Backends: [staticBackends, httpResponseBackends, tunnelGroupBackends, failoverBackends, weightedBackends],
  Edges: [tcpEdges, tlsEdges, httpsEdges, httpsEdgeRoutes],
  Events: [eventDestinations, eventSubscriptions],
  'Application users': [applicationUsers, applicationSessions],
  'Abuse reports': [abuseReports],
}
const declaredModules = [
  ipRestrictionModule,
  requestHeadersModule,
  backendModule,
  mutualTlsModule,
  httpsTlsTerminationModule,
  tlsTerminationModule,
  trafficPolicyModule,
  responseHeadersModule,
  compressionModule,
  circuitBreakerModule,
  userAgentFilterModule,
  webhookVerificationModule,
  websocketTcpConverterModule,
  oauthModule,
  oidcModule,
  samlModule,
]

export const catalog = new Catalog({
  families,
  modules: declaredModules,
  entryLists: [eventSources],
  /** The API's own document describes four resources. The others are neighbours of these. */
  isUndocumented: section => section.startsWith('10.'),
  blankMeansOmitted: true,
  keys: { table: apiKeys.table, owners: OWNERS, owner: 'user or bot' },
})
export const { kinds, collections, modules, entryLists, operations, tableNames, fixtureTables } = catalog
export const kindOf = (table: string) => catalog.kindOf(table)
export const partsOf = (table: string) => catalog.partsOf(table)
export const holderOf = (of: Module | Entries) => catalog.holderOf(of)
export const familyOf = (kind: RecordKind) => catalog.familyOf(kind)

export { isPart } from '../../engine/language/index.ts'
export { BACKENDS } from './backends/backends.ts'
export { tunnelsByLabel, tunnelsWith } from './backends/tunnel-group-backend.ts'
export { type EventAction, eventType, eventTypes, eventWords } from './events/event-types.ts'
export { apiKeys, credentials, ipPolicyRules, ipRestrictions, OWNERS }
