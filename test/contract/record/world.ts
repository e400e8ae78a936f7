import { authorityPem, certificatePem } from '../../../src/resources/certificates/shapes.ts'
import { agentKey, certifiedKey } from '../../../src/resources/ssh/public-key.ts'
import type { Shape } from '../../../src/schema/index.ts'

export const exampleOf = ({ json }: Shape) => (json.examples as string[])[0]!

/** What the documented errors and filters are tried on. Rows name these ids. */
export const world = {
  users: [{ id: 'usr_admin', admin: true }, { id: 'usr_member' }],
  bots: [{ id: 'bot_ci' }, { id: 'bot_idle', name: 'Idle', active: false }],
  service_users: [{ id: 'service_ci', name: 'CI' }],
  api_keys: [
    {
      id: 'ak_admin',
      created_at: '2026-01-01T09:00:00Z',
      owner_id: 'usr_admin',
      token: 'sim_admin',
      description: "The admin's key",
      metadata: '{"team":"web"}',
    },
    {
      id: 'ak_member',
      created_at: '2026-01-02T09:00:00Z',
      owner_id: 'usr_member',
      token: 'sim_member',
      description: "A member's key",
    },
    { id: 'ak_ci', created_at: '2026-01-03T09:00:00Z', owner_id: 'bot_ci', token: 'sim_ci' },
  ],
  credentials: [
    { id: 'cr_member', owner_id: 'usr_member', token: 'agent_member', description: 'Without rules' },
    { id: 'cr_ci', owner_id: 'bot_ci', acl: ['bind:www.example.com'] },
  ],
  vaults: [
    { id: 'vault_full', name: 'full' },
    { id: 'vault_empty', name: 'empty' },
  ],
  vault_secrets: [{ id: 'secret_key', vault_id: 'vault_full', name: 'key', value: 'hidden' }],
  ip_policies: [
    {
      id: 'ipp_office',
      created_at: '2026-01-01T10:00:00Z',
      description: 'Used by restrictions',
      rules: [
        { id: 'ipr_office', action: 'allow', cidr: '10.0.0.0/8', description: 'Office' },
        { id: 'ipr_lab', action: 'deny', cidr: '10.9.0.0/16' },
      ],
    },
    {
      id: 'ipp_edges',
      created_at: '2026-01-02T10:00:00Z',
      description: 'Used by a module only',
      rules: [{ id: 'ipr_edges', action: 'allow', cidr: '192.0.2.0/24' }],
    },
    { id: 'ipp_free', created_at: '2026-01-03T10:00:00Z', metadata: 'used by nothing', rules: [] },
  ],
  ip_restrictions: [
    {
      id: 'ipx_dashboard',
      created_at: '2026-01-04T09:00:00Z',
      description: 'Dashboard',
      type: 'dashboard',
      ip_policy_ids: ['ipp_office'],
    },
    { id: 'ipx_agent', created_at: '2026-01-05T09:00:00Z', type: 'agent', ip_policy_ids: ['ipp_office'] },
  ],
  tls_certificates: [
    { id: 'cert_www', created_at: '2026-01-06T09:00:00Z', certificate_pem: exampleOf(certificatePem) },
  ],
  certificate_authorities: [{ id: 'ca_office', created_at: '2026-01-06T09:00:00Z', ca_pem: exampleOf(authorityPem) }],
  ssh_certificate_authorities: [
    { id: 'sshca_used', created_at: '2026-01-01T09:00:00Z', description: 'With certificates' },
    { id: 'sshca_free', created_at: '2026-01-02T09:00:00Z' },
  ],
  ssh_host_certificates: [
    { id: 'shcrt_www', ssh_certificate_authority_id: 'sshca_used', public_key: exampleOf(certifiedKey) },
  ],
  ssh_user_certificates: [
    { id: 'sucrt_ann', ssh_certificate_authority_id: 'sshca_used', public_key: exampleOf(certifiedKey) },
  ],
  ssh_credentials: [
    { id: 'sshcr_ci', owner_id: 'bot_ci', acl: ['bind:www.example.com'], public_key: exampleOf(agentKey) },
  ],
  tunnel_sessions: [
    { id: 'ts_agent', created_at: '2026-01-01T09:00:00Z', credential_id: 'cr_ci', os: 'linux' },
    { id: 'ts_ssh', created_at: '2026-01-02T09:00:00Z', transport: 'ssh' },
  ],
  backends: [
    { id: 'bkdsc_web', address: '127.0.0.1:3000' },
    ...Array.from({ length: 101 }, (_, i) => ({ id: `bkdsc_${i}`, address: '127.0.0.1:3000' })),
  ],
  tunnel_group_backends: [{ id: 'bkdtg_web', labels: { team: 'web' } }],
  weighted_backends: [{ id: 'bkdwd_canary', backends: { bkdsc_web: 9, bkdtg_web: 1 } }],
  failover_backends: [{ id: 'bkdfo_web', backends: ['bkdwd_canary'] }],
  tcp_edges: [
    { id: 'edgtcp_db', hostports: ['db.example.com:5432'], ip_restriction: { ip_policy_ids: ['ipp_edges'] } },
  ],
  tls_edges: [
    {
      id: 'edgtls_mail',
      hostports: ['mail.example.com:443'],
      mutual_tls: { certificate_authority_ids: ['ca_office'] },
    },
  ],
  https_edges: [
    {
      id: 'edghts_web',
      hostports: ['app.example.com:443'],
      routes: [
        { id: 'edghtsrt_api', match_type: 'path_prefix', match: '/api' },
        { id: 'edghtsrt_status', match_type: 'exact_path', match: '/status' },
      ],
    },
    { id: 'edghts_other', routes: [{ id: 'edghtsrt_other', match_type: 'path_prefix', match: '/' }] },
  ],
  reserved_domains: [
    { id: 'rd_app', created_at: '2026-01-01T09:00:00Z', domain: 'app.example.com', description: 'With an endpoint' },
    { id: 'rd_free', created_at: '2026-01-02T09:00:00Z', domain: 'free.example.com' },
    { id: 'rd_own', created_at: '2026-01-03T09:00:00Z', domain: 'app.service.example', metadata: 'of the vendor' },
    {
      id: 'rd_managed',
      created_at: '2026-01-03T10:00:00Z',
      domain: 'managed.example.com',
      certificate_management_policy: { authority: 'letsencrypt' },
    },
    { id: 'rd_wild', created_at: '2026-01-03T11:00:00Z', domain: '*.wild.example.com' },
  ],
  reserved_addrs: [
    { id: 'ra_us', created_at: '2026-01-01T09:00:00Z', description: 'SSH' },
    { id: 'ra_eu', created_at: '2026-01-02T09:00:00Z', region: 'eu', addr: '1.tcp.eu.service.example:20001' },
  ],
  endpoints: [
    { id: 'ep_app', created_at: '2026-01-01T09:00:00Z', type: 'cloud', url: 'https://app.example.com' },
    {
      id: 'ep_agent',
      created_at: '2026-01-02T09:00:00Z',
      type: 'agent',
      url: 'https://free.example.com',
      name: 'laptop',
      region: 'eu',
      principal: 'usr_member',
      pooling_enabled: true,
      bindings: ['public'],
    },
    {
      id: 'ep_inside',
      created_at: '2026-01-03T09:00:00Z',
      type: 'cloud',
      url: 'https://db.internal',
      bindings: ['internal'],
      description: 'Inside',
    },
  ],
  agent_ingresses: [
    { id: 'agin_a', created_at: '2026-01-01T09:00:00Z', domain: 'connect.example.com', description: 'Devices' },
    { id: 'agin_b', created_at: '2026-01-02T09:00:00Z', domain: 'agents.example.com', metadata: 'spare' },
  ],
  event_destinations: [
    {
      id: 'ed_audit',
      created_at: '2026-01-01T09:00:00Z',
      format: 'json',
      target: {
        kinesis: {
          auth: { role: { role_arn: 'arn:aws:iam::123456789012:role/events' } },
          stream_arn: 'arn:aws:kinesis:us-east-1:123456789012:stream/audit',
        },
      },
    },
  ],
  event_subscriptions: [
    { id: 'esb_audit', destination_ids: ['ed_audit'], sources: [{ type: 'ip_policy_created.v0' }] },
  ],
} as const

/** The sandbox's clock stands there. */
export const NOW = '2026-01-03T12:00:00Z'
