/** The vendor's page on filters, on the world of world.ts. */

/** Lists and the fields that a filter may name; the other members of an answer it may not. */
export const filterable: Record<string, { fields: string[]; others: string[] }> = {
  api_keys: { fields: ['id', 'created_at', 'description', 'metadata', 'owner_id'], others: ['uri', 'token'] },
  ip_policies: { fields: ['id', 'created_at', 'description', 'metadata'], others: ['uri'] },
  ip_policy_rules: {
    fields: ['id', 'created_at', 'description', 'metadata', 'ip_policy', 'cidr', 'action'],
    others: ['uri'],
  },
  ip_restrictions: {
    fields: ['id', 'created_at', 'description', 'metadata'],
    others: ['uri', 'enforced', 'type', 'ip_policies'],
  },
  credentials: { fields: ['id', 'created_at', 'description', 'metadata', 'owner_id', 'acl'], others: ['uri', 'token'] },
  service_users: { fields: ['id', 'created_at'], others: ['uri', 'name', 'active'] },
  vaults: {
    fields: ['id', 'created_at', 'description', 'metadata', 'name'],
    others: ['uri', 'updated_at', 'created_by', 'last_updated_by'],
  },
  vault_secrets: {
    fields: ['id', 'created_at', 'description', 'metadata', 'name'],
    others: ['uri', 'updated_at', 'created_by', 'vault', 'value'],
  },
  event_destinations: { fields: ['id', 'created_at', 'description', 'metadata'], others: ['uri', 'format', 'target'] },
  event_subscriptions: {
    fields: ['id', 'created_at', 'description', 'metadata'],
    others: ['uri', 'sources', 'destinations'],
  },
  tls_certificates: {
    fields: [
      'id',
      'created_at',
      'description',
      'metadata',
      'subject_common_name',
      'not_after',
      'not_before',
      'serial_number',
    ],
    others: ['uri', 'certificate_pem', 'private_key_pem', 'issued_at', 'key_usages'],
  },
  certificate_authorities: {
    fields: ['id', 'created_at', 'description', 'metadata', 'subject_common_name', 'not_before', 'not_after'],
    others: ['uri', 'ca_pem'],
  },
  ssh_certificate_authorities: {
    fields: ['id', 'created_at', 'description', 'metadata'],
    others: ['uri', 'public_key', 'key_type', 'private_key_type'],
  },
  ssh_credentials: {
    fields: ['id', 'created_at', 'description', 'metadata', 'owner_id', 'acl'],
    others: ['uri', 'public_key'],
  },
  tunnel_sessions: {
    fields: ['id', 'metadata', 'agent_version', 'ip', 'os', 'region', 'started_at', 'credential'],
    others: ['uri', 'transport', 'created_at'],
  },
  reserved_domains: {
    fields: [
      'id',
      'created_at',
      'description',
      'metadata',
      'domain',
      'region',
      'cname_target',
      'certificate.id',
      'acme_challenge_cname_target',
    ],
    others: ['uri', 'is_dev', 'certificate_management_policy'],
  },
  reserved_addrs: {
    fields: ['id', 'created_at', 'description', 'metadata', 'addr', 'region'],
    others: ['uri', 'endpoint_configuration'],
  },
  agent_ingresses: {
    fields: ['id', 'created_at', 'description', 'metadata', 'domain'],
    others: ['uri', 'ns_targets', 'region_domains', 'certificate_management_policy'],
  },
  // The vendor's page has bindings in its examples, and binding in its table.
  endpoints: {
    fields: [
      'id',
      'created_at',
      'description',
      'metadata',
      'principal.id',
      'type',
      'bindings',
      'url',
      'pooling_enabled',
      'scheme',
      'region',
      'name',
    ],
    others: ['uri', 'hostport', 'domain'],
  },
}

/** What a documented filter chooses, newest first. */
export const chosen: [list: string, filter: string, ids: string[]][] = [
  // Logic and grouping
  ['api_keys', '!(obj.id == "ak_ci")', ['ak_member', 'ak_admin']],
  ['api_keys', 'obj.id != "ak_ci" && obj.owner_id == "usr_admin"', ['ak_admin']],
  ['api_keys', 'obj.id == "ak_ci" || obj.id == "ak_admin"', ['ak_ci', 'ak_admin']],
  ['api_keys', '(obj.id == "ak_ci" || obj.id == "ak_admin") && obj.owner_id != "bot_ci"', ['ak_admin']],
  ['endpoints', 'obj.type == "cloud" || obj.type == "agent"', ['ep_inside', 'ep_agent', 'ep_app']],
  ['endpoints', '"internal" in obj.bindings', ['ep_inside']],
  ['endpoints', 'obj.principal.id == "usr_member" && obj.scheme == "https"', ['ep_agent']],
  ['reserved_domains', 'obj.domain.startsWith("app.")', ['rd_own', 'rd_app']],
  ['reserved_addrs', 'obj.region == "eu"', ['ra_eu']],
  [
    'agent_ingresses',
    'obj.domain in ["agents.example.com"] || (obj.created_at < timestamp("2026-01-02Z") && obj.description.contains("ev"))',
    ['agin_b', 'agin_a'],
  ],
  // Comparisons
  ['ip_policies', 'obj.description < "Used by b"', ['ipp_free', 'ipp_edges']],
  ['ip_policies', 'obj.description <= "Used by a module only" && obj.description >= "U"', ['ipp_edges']],
  ['ip_policies', 'obj.description > "Used by b"', ['ipp_office']],
  // Lists
  ['api_keys', 'obj.owner_id in ["usr_admin", "bot_ci"]', ['ak_ci', 'ak_admin']],
  ['ip_policy_rules', 'obj.action in ["deny"]', ['ipr_lab']],
  // What is empty
  ['api_keys', 'size(obj.description) > 14', ['ak_admin']],
  ['api_keys', 'size(obj.metadata) == 0', ['ak_ci', 'ak_member']],
  ['api_keys', 'obj.description == ""', ['ak_ci']],
  ['ip_restrictions', 'obj.description == null', ['ipx_agent']],
  ['api_keys', 'obj.owner_id == "bot_ci" && (obj.metadata == null || obj.metadata == "")', ['ak_ci']],
  ['credentials', 'obj.owner_id == "usr_member" && (obj.acl == null || obj.acl == "")', ['cr_member']],
  ['credentials', 'obj.acl != null && size(obj.acl) == 1', ['cr_ci']],
  // Times
  ['api_keys', 'obj.created_at < timestamp("2026-01-02T01:00:00-07:00")', ['ak_admin']],
  ['api_keys', 'obj.created_at == timestamp("2026-01-02T09:00:00Z")', ['ak_member']],
  ['api_keys', 'obj.created_at >= timestamp(time.now).subtract("24h")', ['ak_ci']],
  ['api_keys', 'obj.created_at >= timestamp(time.now).subtract("7d")', ['ak_ci', 'ak_member', 'ak_admin']],
  ['api_keys', 'obj.created_at > timestamp(time.now).subtract("15m")', []],
  ['ip_restrictions', 'obj.created_at <= timestamp(time.now).add("24h")', ['ipx_dashboard']],
  ['api_keys', 'obj.created_at < timestamp("2026-01-02Z")', ['ak_admin']],
  ['tls_certificates', 'obj.not_after <= timestamp(time.now).add("24h")', []],
  ['ssh_certificate_authorities', 'obj.description == null', ['sshca_free']],
  ['ssh_credentials', '"bind:www.example.com" in obj.acl', ['sshcr_ci']],
  ['certificate_authorities', 'obj.not_before < timestamp(time.now)', ['ca_office']],
  ['tunnel_sessions', 'obj.started_at > timestamp("2026-01-02Z")', ['ts_ssh']],
  // Members of members
  ['tunnel_sessions', 'obj.credential.id == "cr_ci"', ['ts_agent']],
  ['ip_policy_rules', 'obj.ip_policy.id == "ipp_edges"', ['ipr_edges']],
  // Parts of texts
  ['ip_policies', 'obj.description.startsWith("Used by a")', ['ipp_edges']],
  ['ip_policies', 'obj.description.endsWith("restrictions")', ['ipp_office']],
  ['ip_policy_rules', 'obj.cidr.contains("10.9.0.0/16") && obj.action == "deny"', ['ipr_lab']],
  [
    'api_keys',
    'obj.owner_id in ["bot_ci","bot_b"] || (obj.created_at < timestamp("2026-01-02Z") && obj.description.contains("admin"))',
    ['ak_ci', 'ak_admin'],
  ],
]

/** What the page excludes; each is error 250. */
export const excluded: [what: string, list: string, filter: string][] = [
  ['an index', 'api_keys', 'obj.description[0] == "A"'],
  ['arithmetic', 'api_keys', 'obj.description + "x" == "Ax"'],
  ['arithmetic on numbers', 'api_keys', 'size(obj.description) - 1 == 2'],
  ['a ternary', 'api_keys', 'obj.id == "ak_ci" ? true : false'],
  ['a check of the type', 'api_keys', 'type(obj.id) == string'],
  ['a regular expression', 'api_keys', 'obj.description.matches("A.*")'],
  ['an unknown field', 'api_keys', 'obj.name == "x"'],
  ['a list in a list', 'api_keys', 'obj.id in [["ak_ci"]]'],
  ['a list in a field', 'api_keys', '["a", "b"] in obj.description'],
  ['a list in an unknown field', 'ip_policies', '["agent", "cloud"] in obj.types'],
  ['startsWith on an id', 'api_keys', 'obj.id.startsWith("ak_")'],
  ['contains on an id', 'api_keys', 'obj.id.contains("ci")'],
  ['endsWith on an id', 'ip_policy_rules', 'obj.id.endsWith("lab")'],
  ['what cannot be read', 'api_keys', 'obj.id =='],
  ['what is neither true nor false', 'api_keys', 'obj.id'],
]
