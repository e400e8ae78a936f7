import type {
  Collection,
  Entries,
  Module,
  ModuleDeclaration,
  Operation,
  RecordKind,
} from '../../engine/language/index.ts'
import {
  collectionOperations,
  entryOperations,
  group,
  isCollection,
  moduleOperations,
  operationsBelow,
} from '../../engine/language/index.ts'
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
} as unknown as Record<string, RecordKind[]>
const declared = Object.values(families).flat()
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
] as unknown as ModuleDeclaration[]

/** Each module, for each kind of record. */
export const modules: Module[] = declaredModules.flatMap(({ key, of, ...module }) =>
  Object.entries(of).map(([table, section]) => ({
    ...module,
    name: `${declared.find(kind => kind.table === table)!.name}_${key}_module`,
    section,
    neighbour: section.startsWith('10.') || undefined,
    of: { table, key },
  })),
)

/** Lists of objects with their own paths. */
export const entryLists = [eventSources] as unknown as Entries[]

/** Adds the modules as fields, and an index for every lookup. */
function withModules(kind: RecordKind): RecordKind {
  const own = modules
    .filter(({ of }) => of.table === kind.table)
    .map(({ of, fields }) => [of.key, group(fields)] as const)
  const { partOf, unique, due, picks = {} } = kind as Partial<Collection>
  return {
    ...kind,
    fields: { ...kind.fields, ...Object.fromEntries(own) },
    indexes: [
      ...(kind.indexes ?? []),
      ...(partOf ? [partOf.by] : []),
      ...(unique ? [unique.field] : []),
      ...(due ? [due.field] : []),
      ...Object.values(picks).filter(field => field !== 'id'),
      ...listedBy(kind.table),
    ],
  }
}

/** Fields that other kinds use to list records of that table. */
const listedBy = (table: string) =>
  sublists.flatMap(list => (list.table === table && typeof list.rows === 'string' ? list.rows : []))
const sublists = (declared as Partial<Collection>[]).flatMap(({ lists }) => (lists ? Object.values(lists) : []))

export const kinds: RecordKind[] = declared.map(withModules)

const byTable = new Map(kinds.map(kind => [kind.table, kind]))
export const tableNames = [...byTable.keys()]
export const kindOf = (table: string): RecordKind => byTable.get(table)!

export const familyOf = ({ table }: RecordKind): string =>
  Object.keys(families).find(name => families[name]!.some(kind => kind.table === table))!

export const collections: Collection[] = kinds.filter(isCollection)
/** The kinds of records that belong to records of that table. */
export const partsOf = (table: string): Collection[] => parts.get(table) ?? []
const parts = new Map(kinds.map(({ table }) => [table, collections.filter(({ partOf }) => partOf?.table === table)]))
export const isPart = (kind: RecordKind): kind is Collection & Required<Pick<Collection, 'partOf'>> =>
  (kind as Partial<Collection>).partOf !== undefined

/** The top-level lists of a fixture. Parts are inside their parents. */
export const fixtureTables = kinds.filter(kind => !isPart(kind)).map(({ table }) => table)

export const holderOf = ({ of }: Module | Entries) => kindOf(of.table) as Collection
export const operations: Operation[] = [
  ...collections.flatMap(collectionOperations),
  ...collections.flatMap(operationsBelow),
  ...entryLists.flatMap(resource => entryOperations(resource, kindOf(resource.of.table) as Collection)),
  ...modules.flatMap(resource => moduleOperations(resource, holderOf(resource))),
]

export { BACKENDS } from './backends/backends.ts'
export { tunnelsByLabel, tunnelsWith } from './backends/tunnel-group-backend.ts'
export { type EventAction, eventType, eventTypes, eventWords } from './events/event-types.ts'
export { apiKeys, credentials, ipPolicies, ipPolicyRules, ipRestrictions, OWNERS }
