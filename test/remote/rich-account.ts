import { authorityPem, certificatePem, privateKeyPem } from '../../src/resources/certificates/shapes.ts'
import { kinds } from '../../src/resources/index.ts'
import { agentKey, certifiedKey } from '../../src/resources/ssh/public-key.ts'
import type { Collection, Field, Fields } from '../../src/schema/index.ts'
import { exampleOf } from '../contract/record/world.ts'

/** The sandbox's clock stands there. */
export const NOW = '2026-01-03T12:00:00Z'

/** What must never be in a file, and what only may be with --keep-texts. */
export const SECRET = 'PLANTED-SECRET'
export const TEXT = 'PLANTED-TEXT'
const texts = { description: `${TEXT}-description`, metadata: `${TEXT}-metadata` }

const at = (day: number, second = 0) =>
  `2026-01-${String(day).padStart(2, '0')}T09:00:${String(second).padStart(2, '0')}Z`
const app = {
  client_id: 'client-acme',
  client_secret: `${SECRET}-oauth`,
  scopes: ['profile-acme'],
  email_addresses: ['ann@acme.dev'],
  email_domains: ['acme.dev'],
}
const session = {
  enabled: false,
  options_passthrough: true,
  cookie_prefix: 'acme',
  inactivity_timeout: 60,
  maximum_duration: 600,
}
const policy = { authority: 'letsencrypt', private_key_type: 'rsa' }
const creds = { creds: { aws_access_key_id: `${SECRET}-aws-id`, aws_secret_access_key: `${SECRET}-aws` } }
const route = (id: string, match: string, modules: object = {}) => ({
  id,
  created_at: at(2),
  match_type: 'exact_path',
  match,
  ...texts,
  ...modules,
})

/** An account in which every member of every kind of record is set that the API lists. */
export const account = {
  users: [{ id: 'usr_annacme', name: 'Ann', admin: true }, { id: 'usr_bobacme' }],
  bots: [
    { id: 'bot_ciacme', created_at: at(1), name: 'ci-acme', admin: true },
    { id: 'bot_idle', created_at: at(1), name: 'idle-acme', active: false },
  ],
  service_users: [{ id: 'service_ciacme', created_at: at(1), name: 'service-acme', active: true, admin: true }],
  api_keys: [
    { id: 'ak_annacme', created_at: at(1), owner_id: 'usr_annacme', token: `${SECRET}-account`, ...texts },
    { id: 'ak_bobacme', created_at: at(1), owner_id: 'usr_bobacme', token: `${SECRET}-bob` },
    { id: 'ak_ciacme', created_at: at(2), owner_id: 'bot_ciacme', token: `${SECRET}-ci` },
    ...Array.from({ length: 120 }, (_, i) => ({
      id: `ak_many${i}`,
      created_at: at(3, i % 7),
      owner_id: 'service_ciacme',
    })),
  ],
  credentials: [
    {
      id: 'cr_acme',
      created_at: at(1),
      owner_id: 'usr_bobacme',
      token: `${SECRET}-agent`,
      acl: ['bind:*.acme.dev', '*'],
      ...texts,
    },
  ],
  ip_policies: [
    {
      id: 'ipp_office',
      created_at: at(1),
      ...texts,
      rules: [
        { id: 'ipr_a', created_at: at(1), action: 'allow', cidr: '10.20.0.0/16', ...texts },
        { id: 'ipr_b', created_at: at(1), action: 'deny', cidr: '2400:cb00::/48' },
        { id: 'ipr_all', created_at: at(1), action: 'allow', cidr: '0.0.0.0/0' },
      ],
    },
    { id: 'ipp_lab', created_at: at(2), rules: [{ id: 'ipr_c', action: 'allow', cidr: '10.20.30.40/32' }] },
    { id: 'ipp_empty', created_at: at(2), rules: [] },
  ],
  ip_restrictions: [
    {
      id: 'ipx_a',
      created_at: at(1),
      ...texts,
      enforced: false,
      type: 'dashboard',
      ip_policy_ids: ['ipp_office', 'ipp_lab'],
    },
  ],
  reserved_domains: [
    {
      id: 'rd_wild',
      created_at: at(1),
      ...texts,
      domain: '*.acme.dev',
      region: 'eu',
      certificate_id: 'cert_acme',
      cname_target: 'x1.acme.service-cname.example',
      acme_challenge_cname_target: 'x2.acme.service-cname.example',
      http_endpoint_configuration_id: 'ec_http',
      https_endpoint_configuration_id: 'ec_https',
    },
    { id: 'rd_own', created_at: at(1), domain: 'acme.service.example' },
    {
      id: 'rd_job',
      created_at: at(2),
      domain: 'job.acme.dev',
      certificate_management_policy: policy,
      provisioning: 'pending',
      provisioning_started_at: '2026-01-03T11:59:50Z',
    },
    {
      id: 'rd_failed',
      created_at: at(2),
      domain: 'failed.acme.dev',
      certificate_management_policy: policy,
      provisioning: 'pending',
      provisioning_started_at: '2026-01-03T11:00:00Z',
      provisioning_retries_at: '2026-01-03T12:30:00Z',
    },
    {
      id: 'rd_done',
      created_at: at(2),
      domain: 'done.acme.dev',
      certificate_management_policy: policy,
      certificate_id: 'cert_acme',
      renews_at: '2026-03-01T00:00:00Z',
    },
  ],
  reserved_addrs: [
    {
      id: 'ra_a',
      created_at: at(1),
      ...texts,
      region: 'eu',
      addr: '7.tcp.eu.service.example:20077',
      endpoint_configuration_id: 'ec_tcp',
    },
    { id: 'ra_b', created_at: at(2) },
  ],
  tls_certificates: [
    {
      id: 'cert_acme',
      created_at: at(1),
      ...texts,
      certificate_pem: exampleOf(certificatePem),
      private_key_pem: exampleOf(privateKeyPem),
    },
  ],
  certificate_authorities: [{ id: 'ca_acme', created_at: at(1), ...texts, ca_pem: exampleOf(authorityPem) }],
  ssh_certificate_authorities: [
    { id: 'sshca_ed', created_at: at(1), ...texts },
    { id: 'sshca_ec', created_at: at(1), private_key_type: 'ecdsa', elliptic_curve: 'p384' },
    { id: 'sshca_rsa', created_at: at(1), private_key_type: 'rsa', key_size: 4096 },
  ],
  ssh_host_certificates: [
    {
      id: 'shcrt_acme',
      created_at: at(1),
      ...texts,
      ssh_certificate_authority_id: 'sshca_ed',
      public_key: exampleOf(certifiedKey),
      principals: ['www.acme.dev'],
      valid_after: at(1),
      valid_until: '2026-02-01T00:00:00Z',
      certificate: 'ssh-ed25519-cert-v01@openssh.com AAAA acme',
    },
  ],
  ssh_user_certificates: [
    {
      id: 'sucrt_acme',
      created_at: at(1),
      ...texts,
      ssh_certificate_authority_id: 'sshca_ec',
      public_key: exampleOf(certifiedKey),
      principals: ['ann'],
      valid_after: at(1),
      valid_until: '2026-02-01T00:00:00Z',
      critical_options: { 'force-command': 'true' },
      extensions: { 'permit-pty': '' },
      certificate: 'ssh-ed25519-cert-v01@openssh.com AAAA acme',
    },
    {
      id: 'sucrt_made',
      created_at: at(1),
      ssh_certificate_authority_id: 'sshca_rsa',
      public_key: exampleOf(certifiedKey),
    },
  ],
  ssh_credentials: [
    {
      id: 'sshcr_acme',
      created_at: at(1),
      ...texts,
      owner_id: 'bot_ciacme',
      acl: ['bind:ssh.acme.dev'],
      public_key: exampleOf(agentKey),
    },
  ],
  endpoints: [
    {
      id: 'ep_cloud',
      created_at: at(1),
      ...texts,
      url: 'https://app.acme.dev',
      type: 'cloud',
      traffic_policy: `{"on_http_request":[{"name":"${TEXT}"}]}`,
      bindings: ['public', 'kubernetes'],
      pooling_enabled: true,
      updated_at: at(2),
    },
    {
      id: 'ep_agent',
      created_at: at(2),
      url: 'tcp://7.tcp.eu.service.example:20077',
      type: 'agent',
      name: 'laptop-acme',
      region: 'eu',
      principal: 'usr_bobacme',
      tunnel_session_id: 'ts_acme',
      edge: 'edgtcp_acme',
      upstream_url: `http://login:${SECRET}-login@app.acme.dev:8080/api?key=${TEXT}-query`,
      upstream_protocol: 'http1',
    },
  ],
  tunnel_sessions: [
    { id: 'ts_old', created_at: at(1) },
    {
      id: 'ts_acme',
      created_at: at(1),
      agent_version: '3.1.0',
      credential_id: 'cr_acme',
      ip: '198.18.7.7',
      metadata: texts.metadata,
      os: 'linux',
      region: 'eu',
      transport: 'ssh',
    },
    { id: 'ts_other', created_at: at(2) },
  ],
  tunnels: [
    {
      id: 'tn_acme',
      created_at: at(1),
      endpoint_id: 'ep_agent',
      forwards_to: 'http://localhost:80',
      labels: { team: 'acme' },
      metadata: texts.metadata,
      proto: 'tcp',
      public_url: 'tcp://7.tcp.eu.service.example:20077',
      region: 'eu',
      tunnel_session_id: 'ts_acme',
    },
  ],
  agent_ingresses: [
    {
      id: 'agin_acme',
      created_at: at(1),
      ...texts,
      domain: 'connect.acme.dev',
      ns_targets: ['1.ns.acme.dev.'],
      region_domains: ['tunnel.us.connect.acme.dev'],
      certificate_management_policy: policy,
      provisioning: 'pending',
      provisioning_started_at: '2026-01-03T11:00:00Z',
      provisioning_retries_at: '2026-01-03T12:30:00Z',
    },
    { id: 'agin_done', created_at: at(1), domain: 'done.acme.dev', renews_at: '2026-03-01T00:00:00Z' },
  ],
  kubernetes_operators: [
    {
      id: 'k8sop_acme',
      created_at: at(1),
      ...texts,
      enabled_features: ['bindings', 'ingress'],
      region: 'eu',
      deployment: { name: 'operator-acme', namespace: 'space-acme', version: '1.2.3', cluster_name: 'cluster-acme' },
      binding: { endpoint_selectors: [`"${TEXT}" == "x"`, 'true'], ingress_endpoint: 'k8s.acme.dev:443' },
      principal: 'bot_ciacme',
      updated_at: at(2),
    },
  ],
  vaults: [
    {
      id: 'vault_acme',
      created_at: at(1),
      ...texts,
      name: 'vault-acme',
      updated_at: at(2),
      created_by: 'usr_bobacme',
      last_updated_by: 'bot_ciacme',
    },
  ],
  vault_secrets: [
    {
      id: 'secret_acme',
      created_at: at(1),
      ...texts,
      vault_id: 'vault_acme',
      name: 'password-acme',
      value: `${SECRET}-value`,
      updated_at: at(2),
      created_by: 'usr_bobacme',
      last_updated_by: 'bot_ciacme',
    },
  ],
  backends: [{ id: 'bkdsc_acme', created_at: at(1), ...texts, address: 'db.acme.dev:5432', tls: { enabled: true } }],
  http_response_backends: [
    {
      id: 'bkdhr_acme',
      created_at: at(1),
      ...texts,
      body: `${TEXT}-body`,
      headers: { 'x-acme': `${TEXT}-header` },
      status_code: 418,
    },
  ],
  tunnel_group_backends: [{ id: 'bkdtg_acme', created_at: at(1), ...texts, labels: { team: 'acme' } }],
  failover_backends: [{ id: 'bkdfo_acme', created_at: at(1), ...texts, backends: ['bkdsc_acme', 'bkdwd_acme'] }],
  weighted_backends: [{ id: 'bkdwd_acme', created_at: at(1), ...texts, backends: { bkdsc_acme: 3, bkdtg_acme: 1 } }],
  tcp_edges: [
    {
      id: 'edgtcp_acme',
      created_at: at(1),
      ...texts,
      hostports: ['7.tcp.eu.service.example:20077'],
      ip_restriction: { enabled: false, ip_policy_ids: ['ipp_office', 'ipp_gone'] },
      backend: { enabled: false, backend_id: 'bkdsc_acme' },
      traffic_policy: { enabled: false, value: `{"inbound":[{"name":"${TEXT}"}]}` },
    },
    { id: 'edgtcp_bare', created_at: at(1) },
  ],
  tls_edges: [
    {
      id: 'edgtls_acme',
      created_at: at(1),
      ...texts,
      hostports: ['mail.acme.dev:443'],
      ip_restriction: { ip_policy_ids: ['ipp_lab'] },
      backend: { backend_id: 'bkdtg_acme' },
      mutual_tls: { enabled: false, certificate_authority_ids: ['ca_acme'] },
      tls_termination: { enabled: false, min_version: '1.3', terminate_at: 'edge' },
      traffic_policy: { value: '{}' },
    },
  ],
  https_edges: [
    {
      id: 'edghts_acme',
      created_at: at(2),
      ...texts,
      hostports: ['app.acme.dev:443'],
      mutual_tls: { certificate_authority_ids: ['ca_acme'] },
      tls_termination: { enabled: false, min_version: '1.3', terminate_at: 'edge' },
      routes: [
        route('edghtsrt_one', '/acme/one', {
          ip_restriction: { ip_policy_ids: ['ipp_gone'] },
          backend: { backend_id: 'bkdfo_acme' },
          traffic_policy: { value: '{}' },
          request_headers: { enabled: false, add: { 'X-Acme': `${TEXT}-added` }, remove: ['x-remove-acme'] },
          response_headers: { enabled: false, add: { 'x-acme': `${TEXT}-answered` }, remove: ['x-remove-acme'] },
          compression: { enabled: false },
          circuit_breaker: {
            enabled: false,
            tripped_duration: 1,
            rolling_window: 2,
            num_buckets: 3,
            volume_threshold: 4,
            error_threshold_percentage: 0.25,
          },
          user_agent_filter: { enabled: false, allow: ['acme'], deny: ['curl'] },
          webhook_verification: { enabled: false, provider: 'github', secret: `${SECRET}-webhook` },
          websocket_tcp_converter: { enabled: false },
          oauth: {
            ...session,
            auth_check_interval: 5,
            provider: { github: { ...app, teams: ['acme/web', '12345'], organizations: ['acme'] } },
          },
        }),
        route('edghtsrt_two', '/acme/two', {
          oauth: { ...session, provider: { google: app } },
          oidc: {
            ...session,
            issuer: 'https://id.acme.dev/acme',
            client_id: 'client-acme',
            client_secret: `${SECRET}-oidc`,
            scopes: ['profile-acme'],
          },
          saml: {
            ...session,
            idp_metadata: exampleMetadata(`https://${TEXT}.dev`),
            idp_metadata_url: 'https://id.acme.dev/acme/metadata',
            force_authn: true,
            allow_idp_initiated: false,
            authorized_groups: ['group-acme'],
            nameid_format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
          },
        }),
        { ...route('edghtsrt_three', '/'), created_at: at(1) },
      ],
    },
    { id: 'edghts_other', created_at: at(2), routes: [{ id: 'edghtsrt_other' }] },
  ],
  event_destinations: [
    {
      id: 'ed_firehose',
      created_at: at(1),
      ...texts,
      format: 'json',
      target: {
        firehose: {
          auth: { role: { role_arn: 'arn:aws:iam::987654321098:role/acme' } },
          delivery_stream_arn: 'arn:aws:firehose:us-east-1:987654321098:deliverystream/acme',
        },
      },
    },
    {
      id: 'ed_kinesis',
      created_at: at(1),
      format: 'json',
      target: { kinesis: { auth: creds, stream_arn: 'arn:aws:kinesis:us-east-1:987654321098:stream/acme' } },
    },
    {
      id: 'ed_logs',
      created_at: at(1),
      format: 'json',
      target: { cloudwatch_logs: { auth: creds, log_group_arn: 'arn:aws:logs:us-east-1:987654321098:log-group:acme' } },
    },
    {
      id: 'ed_datadog',
      created_at: at(1),
      format: 'json',
      target: {
        datadog: { api_key: `${SECRET}-datadog`, ddtags: 'team:acme', service: 'acme', ddsite: 'logs.acme.dev' },
      },
    },
    {
      id: 'ed_azure',
      created_at: at(1),
      format: 'json',
      target: {
        azure_logs_ingestion: {
          tenant_id: 'tenant-acme',
          client_id: 'client-acme',
          client_secret: `${SECRET}-azure`,
          logs_ingestion_uri: 'https://logs.acme.dev',
          data_collection_rule_id: 'rule-acme',
          data_collection_stream_name: 'stream-acme',
        },
      },
    },
  ],
  event_subscriptions: [
    {
      id: 'esb_acme',
      created_at: at(1),
      ...texts,
      destination_ids: ['ed_kinesis', 'ed_azure'],
      sources: [{ type: 'ip_policy_created.v0' }],
    },
  ],
  application_users: [
    {
      id: 'appusr_acme',
      created_at: at(1),
      identity_provider: { name: 'google', url: 'https://id.acme.dev' },
      provider_user_id: 'provided-acme',
      username: 'user-acme',
      email: 'ann@acme.dev',
      name: 'Ann Acme',
      last_active: at(2),
      last_login: at(2),
    },
  ],
  application_sessions: [
    {
      id: 'appsess_acme',
      created_at: at(1),
      application_user_id: 'appusr_acme',
      public_url: 'https://app.acme.dev',
      browser_session: {
        user_agent: {
          raw: 'Mozilla/5.0 (acme)',
          browser_name: 'Firefox',
          browser_version: '120',
          device_type: 'desktop',
          os_name: 'Linux',
          os_version: '6',
        },
        ip_address: '198.18.7.8',
        location: { country_code: 'CH', latitude: 47.3, longitude: 8.5, lat_long_radius_km: 20 },
      },
      endpoint_id: 'ep_cloud',
      edge_id: 'edghts_acme',
      route_id: 'edghtsrt_one',
      last_active: at(2),
      expires_at: at(3),
    },
  ],
  missing: ['ipp_gone'],
  order: { https_edge_routes: ['edghtsrt_two', 'edghtsrt_three', 'edghtsrt_one', 'edghtsrt_other'] },
}

function exampleMetadata(entity: string) {
  return `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${entity}"/>`
}

/** What has no list, or cannot be told from any answer. */
const NOT_LISTED =
  /^(abuse_reports\.|users\.|[a-z_]+\.(listen|upstream|token_sha256)$|kubernetes_operators\.binding\.csr)/

type Json = Record<string, unknown>

/** The fields that no record of the account sets. */
export function unsetFields(): string[] {
  const set = new Set<Field>()
  const all = new Map<Field, string>()
  const visit = (fields: Fields, at: string, values: Json[]) => {
    for (const [name, field] of Object.entries(fields)) {
      if (field.derived || NOT_LISTED.test(`${at}.${name}`)) continue
      const given = values.flatMap(each => (each[name] === undefined ? [] : [each[name]].flat())) as Json[]
      if (field.group) visit(field.group, `${at}.${name}`, given)
      else if (given.length > 0) set.add(field)
      if (!field.group) all.set(field, `${at}.${name}`)
    }
  }
  const lists = account as unknown as Record<string, Json[]>
  for (const kind of kinds) {
    const { partOf, stored = {}, fields, table } = kind as Collection
    const parts =
      partOf &&
      lists[partOf.table]!.flatMap(record =>
        ((record[partOf.list] ?? []) as Json[]).map(part => ({ ...part, [partOf.by]: record.id })),
      )
    visit({ ...fields, ...stored }, table, (parts ?? lists[table] ?? []) as Json[])
  }
  return [...all].filter(([field]) => !set.has(field)).map(([, path]) => path)
}
