// Generated from the declarations by `npm run generate`. Do not edit.
import type { AssumedForm } from './assumed.ts'

export type Duration = `${number}${'ms' | 's' | 'm' | 'h' | 'd'}`

export type OperationName =
  | 'create_bot_user'
  | 'list_bot_users'
  | 'get_bot_user'
  | 'update_bot_user'
  | 'delete_bot_user'
  | 'create_service_user'
  | 'list_service_users'
  | 'get_service_user'
  | 'update_service_user'
  | 'delete_service_user'
  | 'create_api_key'
  | 'list_api_keys'
  | 'get_api_key'
  | 'update_api_key'
  | 'delete_api_key'
  | 'create_credential'
  | 'list_credentials'
  | 'get_credential'
  | 'update_credential'
  | 'delete_credential'
  | 'create_ai_gateway_api_key'
  | 'list_ai_gateway_api_keys'
  | 'get_ai_gateway_api_key'
  | 'update_ai_gateway_api_key'
  | 'delete_ai_gateway_api_key'
  | 'create_ip_policy'
  | 'list_ip_policies'
  | 'get_ip_policy'
  | 'update_ip_policy'
  | 'delete_ip_policy'
  | 'create_ip_policy_rule'
  | 'list_ip_policy_rules'
  | 'get_ip_policy_rule'
  | 'update_ip_policy_rule'
  | 'delete_ip_policy_rule'
  | 'create_ip_restriction'
  | 'list_ip_restrictions'
  | 'get_ip_restriction'
  | 'update_ip_restriction'
  | 'delete_ip_restriction'
  | 'create_reserved_domain'
  | 'list_reserved_domains'
  | 'get_reserved_domain'
  | 'update_reserved_domain'
  | 'delete_reserved_domain'
  | 'create_reserved_addr'
  | 'list_reserved_addrs'
  | 'get_reserved_addr'
  | 'update_reserved_addr'
  | 'delete_reserved_addr'
  | 'create_tls_certificate'
  | 'list_tls_certificates'
  | 'get_tls_certificate'
  | 'update_tls_certificate'
  | 'delete_tls_certificate'
  | 'create_certificate_authority'
  | 'list_certificate_authorities'
  | 'get_certificate_authority'
  | 'update_certificate_authority'
  | 'delete_certificate_authority'
  | 'create_ssh_certificate_authority'
  | 'list_ssh_certificate_authorities'
  | 'get_ssh_certificate_authority'
  | 'update_ssh_certificate_authority'
  | 'delete_ssh_certificate_authority'
  | 'create_ssh_host_certificate'
  | 'list_ssh_host_certificates'
  | 'get_ssh_host_certificate'
  | 'update_ssh_host_certificate'
  | 'delete_ssh_host_certificate'
  | 'create_ssh_user_certificate'
  | 'list_ssh_user_certificates'
  | 'get_ssh_user_certificate'
  | 'update_ssh_user_certificate'
  | 'delete_ssh_user_certificate'
  | 'create_ssh_credential'
  | 'list_ssh_credentials'
  | 'get_ssh_credential'
  | 'update_ssh_credential'
  | 'delete_ssh_credential'
  | 'create_endpoint'
  | 'list_endpoints'
  | 'get_endpoint'
  | 'update_endpoint'
  | 'delete_endpoint'
  | 'list_tunnel_sessions'
  | 'get_tunnel_session'
  | 'list_tunnels'
  | 'get_tunnel'
  | 'create_agent_ingress'
  | 'list_agent_ingresses'
  | 'get_agent_ingress'
  | 'update_agent_ingress'
  | 'delete_agent_ingress'
  | 'create_kubernetes_operator'
  | 'list_kubernetes_operators'
  | 'get_kubernetes_operator'
  | 'update_kubernetes_operator'
  | 'delete_kubernetes_operator'
  | 'create_vault'
  | 'list_vaults'
  | 'get_vault'
  | 'update_vault'
  | 'delete_vault'
  | 'create_secret'
  | 'list_secrets'
  | 'get_secret'
  | 'update_secret'
  | 'delete_secret'
  | 'create_static_backend'
  | 'list_static_backends'
  | 'get_static_backend'
  | 'update_static_backend'
  | 'delete_static_backend'
  | 'create_http_response_backend'
  | 'list_http_response_backends'
  | 'get_http_response_backend'
  | 'update_http_response_backend'
  | 'delete_http_response_backend'
  | 'create_tunnel_group_backend'
  | 'list_tunnel_group_backends'
  | 'get_tunnel_group_backend'
  | 'update_tunnel_group_backend'
  | 'delete_tunnel_group_backend'
  | 'create_failover_backend'
  | 'list_failover_backends'
  | 'get_failover_backend'
  | 'update_failover_backend'
  | 'delete_failover_backend'
  | 'create_weighted_backend'
  | 'list_weighted_backends'
  | 'get_weighted_backend'
  | 'update_weighted_backend'
  | 'delete_weighted_backend'
  | 'create_tcp_edge'
  | 'list_tcp_edges'
  | 'get_tcp_edge'
  | 'update_tcp_edge'
  | 'delete_tcp_edge'
  | 'create_tls_edge'
  | 'list_tls_edges'
  | 'get_tls_edge'
  | 'update_tls_edge'
  | 'delete_tls_edge'
  | 'create_https_edge'
  | 'list_https_edges'
  | 'get_https_edge'
  | 'update_https_edge'
  | 'delete_https_edge'
  | 'create_https_edge_route'
  | 'get_https_edge_route'
  | 'update_https_edge_route'
  | 'delete_https_edge_route'
  | 'create_event_destination'
  | 'list_event_destinations'
  | 'get_event_destination'
  | 'update_event_destination'
  | 'delete_event_destination'
  | 'create_event_subscription'
  | 'list_event_subscriptions'
  | 'get_event_subscription'
  | 'update_event_subscription'
  | 'delete_event_subscription'
  | 'list_application_users'
  | 'get_application_user'
  | 'delete_application_user'
  | 'list_application_sessions'
  | 'get_application_session'
  | 'delete_application_session'
  | 'create_abuse_report'
  | 'get_abuse_report'
  | 'delete_reserved_domain_certificate'
  | 'delete_reserved_domain_certificate_management_policy'
  | 'restart_tunnel_session'
  | 'stop_tunnel_session'
  | 'update_tunnel_session'
  | 'list_bound_endpoints'
  | 'list_secrets_by_vault'
  | 'create_event_source'
  | 'list_event_sources'
  | 'get_event_source'
  | 'update_event_source'
  | 'delete_event_source'
  | 'replace_tcp_edge_ip_restriction_module'
  | 'get_tcp_edge_ip_restriction_module'
  | 'delete_tcp_edge_ip_restriction_module'
  | 'replace_tls_edge_ip_restriction_module'
  | 'get_tls_edge_ip_restriction_module'
  | 'delete_tls_edge_ip_restriction_module'
  | 'replace_https_edge_route_ip_restriction_module'
  | 'get_https_edge_route_ip_restriction_module'
  | 'delete_https_edge_route_ip_restriction_module'
  | 'replace_https_edge_route_request_headers_module'
  | 'get_https_edge_route_request_headers_module'
  | 'delete_https_edge_route_request_headers_module'
  | 'replace_tcp_edge_backend_module'
  | 'get_tcp_edge_backend_module'
  | 'delete_tcp_edge_backend_module'
  | 'replace_tls_edge_backend_module'
  | 'get_tls_edge_backend_module'
  | 'delete_tls_edge_backend_module'
  | 'replace_https_edge_route_backend_module'
  | 'get_https_edge_route_backend_module'
  | 'delete_https_edge_route_backend_module'
  | 'replace_https_edge_mutual_tls_module'
  | 'get_https_edge_mutual_tls_module'
  | 'delete_https_edge_mutual_tls_module'
  | 'replace_tls_edge_mutual_tls_module'
  | 'get_tls_edge_mutual_tls_module'
  | 'delete_tls_edge_mutual_tls_module'
  | 'replace_https_edge_tls_termination_module'
  | 'get_https_edge_tls_termination_module'
  | 'delete_https_edge_tls_termination_module'
  | 'replace_tls_edge_tls_termination_module'
  | 'get_tls_edge_tls_termination_module'
  | 'delete_tls_edge_tls_termination_module'
  | 'replace_tcp_edge_traffic_policy_module'
  | 'get_tcp_edge_traffic_policy_module'
  | 'delete_tcp_edge_traffic_policy_module'
  | 'replace_tls_edge_traffic_policy_module'
  | 'get_tls_edge_traffic_policy_module'
  | 'delete_tls_edge_traffic_policy_module'
  | 'replace_https_edge_route_traffic_policy_module'
  | 'get_https_edge_route_traffic_policy_module'
  | 'delete_https_edge_route_traffic_policy_module'
  | 'replace_https_edge_route_response_headers_module'
  | 'get_https_edge_route_response_headers_module'
  | 'delete_https_edge_route_response_headers_module'
  | 'replace_https_edge_route_compression_module'
  | 'get_https_edge_route_compression_module'
  | 'delete_https_edge_route_compression_module'
  | 'replace_https_edge_route_circuit_breaker_module'
  | 'get_https_edge_route_circuit_breaker_module'
  | 'delete_https_edge_route_circuit_breaker_module'
  | 'replace_https_edge_route_user_agent_filter_module'
  | 'get_https_edge_route_user_agent_filter_module'
  | 'delete_https_edge_route_user_agent_filter_module'
  | 'replace_https_edge_route_webhook_verification_module'
  | 'get_https_edge_route_webhook_verification_module'
  | 'delete_https_edge_route_webhook_verification_module'
  | 'replace_https_edge_route_websocket_tcp_converter_module'
  | 'get_https_edge_route_websocket_tcp_converter_module'
  | 'delete_https_edge_route_websocket_tcp_converter_module'
  | 'replace_https_edge_route_oauth_module'
  | 'get_https_edge_route_oauth_module'
  | 'delete_https_edge_route_oauth_module'
  | 'replace_https_edge_route_oidc_module'
  | 'get_https_edge_route_oidc_module'
  | 'delete_https_edge_route_oidc_module'
  | 'replace_https_edge_route_saml_module'
  | 'get_https_edge_route_saml_module'
  | 'delete_https_edge_route_saml_module'

/** One user of a fixture. */
export interface User {
  id: `usr_${string}`
  created_at?: string
  name?: string
  admin?: boolean
}

/** One bot user of a fixture. */
export interface BotUser {
  id: `bot_${string}`
  created_at?: string
  name?: string
  /** Whether its API keys work */
  active?: boolean
  admin?: boolean
}

/** One service user of a fixture. */
export interface ServiceUser {
  id: `service_${string}`
  created_at?: string
  name?: string
  /** Whether its API keys work */
  active?: boolean
  admin?: boolean
}

/** One API key of a fixture. */
export interface ApiKey {
  id: `ak_${string}`
  created_at?: string
  description?: string
  metadata?: string
  /** The caller by default (only admins can set another owner) */
  owner_id?: `usr_${string}` | `bot_${string}` | `service_${string}`
  token?: string
  token_sha256?: string
}

/** One credential of a fixture. */
export interface Credential {
  id: `cr_${string}`
  created_at?: string
  description?: string
  metadata?: string
  /** The caller by default (only admins can set another owner) */
  owner_id?: `usr_${string}` | `bot_${string}` | `service_${string}`
  /** Rules: * or bind: followed by a domain, address or labels */
  acl?: string[]
  token?: string
  token_sha256?: string
}

/** One AI gateway API key of a fixture. */
export interface AiGatewayApiKey {
  id: `aigk_${string}`
  created_at?: string
  description?: string
  metadata?: string
  endpoint_id?: `ep_${string}`
  /** Time of the last change */
  updated_at?: string
  /** User that created it */
  created_by?: string
  /** User that changed it last */
  last_updated_by?: string
  /** Start of the token */
  display_name?: string
  token?: string
  token_sha256?: string
}

/** One IP policy of a fixture. */
export interface IpPolicy {
  id: `ipp_${string}`
  created_at?: string
  description?: string
  metadata?: string
  rules?: {
    id?: `ipr_${string}`
    created_at?: string
    action: 'allow' | 'deny'
    /** Lowest address and mask of an IPv4 or IPv6 block, unique in the policy */
    cidr: string
    description?: string
    metadata?: string
  }[]
}

/** One IP restriction of a fixture. */
export interface IpRestriction {
  id: `ipx_${string}`
  created_at?: string
  description?: string
  metadata?: string
  /** Block traffic that fails (false only adds a warning) */
  enforced?: boolean
  /** Kind of traffic */
  type: 'dashboard' | 'api' | 'agent' | 'endpoints'
  ip_policy_ids?: `ipp_${string}`[]
}

/** One reserved domain of a fixture. */
export interface ReservedDomain {
  id: `rd_${string}`
  created_at?: string
  description?: string
  metadata?: string
  /** Host name, or a wildcard such as *.example.com (stored in lower case) */
  domain: string
  /** Accepted, but always shown as an empty string */
  region?: '' | 'us' | 'eu' | 'ap' | 'au' | 'sa' | 'jp' | 'in'
  /** Uploaded certificate */
  certificate_id?: `cert_${string}`
  /** Requests a managed certificate */
  certificate_management_policy?: {
    authority: 'letsencrypt'
    private_key_type?: 'ecdsa' | 'rsa'
  }
  /** Target for the domain's DNS record (not for vendor domains) */
  cname_target?: string
  /** Target for the ACME challenge record (wildcards only) */
  acme_challenge_cname_target?: string
  /** Any id (edgesim has no endpoint configurations) */
  http_endpoint_configuration_id?: string
  /** Any id (edgesim has no endpoint configurations) */
  https_endpoint_configuration_id?: string
  resolves_to?: {
    /** Point of presence such as eu or global, or an IP address with an optional port */
    value: string
  }[]
  provisioning?: 'pending'
  provisioning_started_at?: string
  provisioning_retries_at?: string
  renews_at?: string
}

/** One reserved address of a fixture. */
export interface ReservedAddr {
  id: `ra_${string}`
  created_at?: string
  description?: string
  metadata?: string
  region?: 'us' | 'eu' | 'ap' | 'au' | 'sa' | 'jp' | 'in'
  /** Random host and port, such as 1.tcp.service.example:20123 */
  addr?: string
  /** Any id (edgesim has no endpoint configurations) */
  endpoint_configuration_id?: string
}

/** One TLS certificate of a fixture. */
export interface TlsCertificate {
  id: `cert_${string}`
  created_at?: string
  description?: string
  metadata?: string
  /** Certificate chain in PEM, the server certificate first, each signed by the next */
  certificate_pem: string
  /** Unencrypted RSA, ECDSA or Ed25519 key of the certificate */
  private_key_pem?: string
  private_key_pem_sha256?: string
}

/** One certificate authority of a fixture. */
export interface CertificateAuthority {
  id: `ca_${string}`
  created_at?: string
  description?: string
  metadata?: string
  /** One CA certificate in PEM */
  ca_pem: string
}

/** One SSH certificate authority of a fixture. */
export interface SshCertificateAuthority {
  id: `sshca_${string}`
  created_at?: string
  description?: string
  metadata?: string
  /** Shown as key_type */
  private_key_type?: 'rsa' | 'ecdsa' | 'ed25519'
  /** Only for ecdsa, p256 by default */
  elliptic_curve?: 'p256' | 'p384' | 'p521'
  /** Only for rsa, 2048 by default */
  key_size?: '2048' | '4096'
}

/** One SSH host certificate of a fixture. */
export interface SshHostCertificate {
  id: `shcrt_${string}`
  created_at?: string
  description?: string
  metadata?: string
  ssh_certificate_authority_id: `sshca_${string}`
  /** RSA, ECDSA or Ed25519 key in OpenSSH format */
  public_key: string
  /** Names of the host (empty means all) */
  principals?: string[]
  /** Now by default */
  valid_after?: string
  /** A year after valid_after by default */
  valid_until?: string
  /** One line, for a file such as id_ed25519-cert.pub */
  certificate?: string
}

/** One SSH user certificate of a fixture. */
export interface SshUserCertificate {
  id: `sucrt_${string}`
  created_at?: string
  description?: string
  metadata?: string
  ssh_certificate_authority_id: `sshca_${string}`
  /** RSA, ECDSA or Ed25519 key in OpenSSH format */
  public_key: string
  /** Names of the user (empty means all) */
  principals?: string[]
  /** Now by default */
  valid_after?: string
  /** 24 hours after valid_after by default */
  valid_until?: string
  /** Such as force-command and source-address */
  critical_options?: Record<string, string>
  /** By default, or if empty: permit-pty and permit-user-rc */
  extensions?: Record<string, string>
  /** One line, for a file such as id_ed25519-cert.pub */
  certificate?: string
}

/** One SSH credential of a fixture. */
export interface SshCredential {
  id: `sshcr_${string}`
  created_at?: string
  description?: string
  metadata?: string
  /** The caller by default (only admins can set another owner) */
  owner_id?: `usr_${string}` | `bot_${string}` | `service_${string}`
  /** Rules: * or bind: followed by a domain, address or labels */
  acl?: string[]
  /** OpenSSH format, unique in the account */
  public_key: string
}

/** One endpoint of a fixture. */
export interface Endpoint {
  id: `ep_${string}`
  created_at?: string
  description?: string
  metadata?: string
  /** URL with http, https, tcp or tls, without a path (stored in lower case, without the default port) */
  url: string
  /** Always cloud in requests */
  type?: 'cloud' | 'agent' | 'ephemeral' | 'edge'
  /** JSON or YAML object as a string, without effect */
  traffic_policy?: string
  bindings?: ('public' | 'internal' | 'kubernetes')[]
  /** Share the URL with other endpoints that pool */
  pooling_enabled?: boolean
  /** Time of the last change */
  updated_at?: string
  /** Only for agent endpoints */
  name?: string
  /** Only for agent endpoints */
  region?: string
  /** Only for agent endpoints */
  principal?: string
  /** Only for agent endpoints */
  tunnel_session_id?: string
  /** Only for agent endpoints */
  edge?: string
  /** Only for agent endpoints */
  upstream_url?: string
  /** Only for agent endpoints */
  upstream_protocol?: string
}

/** One tunnel session of a fixture. */
export interface TunnelSession {
  id: `ts_${string}`
  created_at?: string
  agent_version?: string
  credential_id?: `cr_${string}`
  ip?: string
  metadata?: string
  os?: string
  region?: string
  transport?: string
}

/** One tunnel of a fixture. */
export interface Tunnel {
  id: `tn_${string}`
  created_at?: string
  endpoint_id?: `ep_${string}`
  forwards_to?: string
  labels?: Record<string, string>
  metadata?: string
  proto?: 'http' | 'https' | 'tcp' | 'tls'
  public_url?: string
  region?: string
  tunnel_session_id: `ts_${string}`
}

/** One agent ingress of a fixture. */
export interface AgentIngress {
  id: `agin_${string}`
  created_at?: string
  description?: string
  metadata?: string
  /** Host name without a wildcard, stored in lower case */
  domain: string
  /** Name servers to delegate the domain to */
  ns_targets?: string[]
  region_domains?: string[]
  /** Requests a managed certificate */
  certificate_management_policy?: {
    authority: 'letsencrypt'
    private_key_type?: 'ecdsa' | 'rsa'
  }
  provisioning?: 'pending'
  provisioning_started_at?: string
  provisioning_retries_at?: string
  renews_at?: string
}

/** One Kubernetes operator of a fixture. */
export interface KubernetesOperator {
  id: string
  created_at?: string
  description?: string
  metadata?: string
  /** Any of bindings, ingress and gateway (case-insensitive) */
  enabled_features?: string[]
  region?: string
  deployment?: {
    name?: string
    namespace?: string
    version?: string
    cluster_name?: string
  }
  binding?: {
    /** Filters over endpoint */
    endpoint_selectors?: string[]
    ingress_endpoint?: string
    /** Signing request in PEM */
    csr?: string
  }
  /** User that created it */
  principal?: string
  /** Time of the last change */
  updated_at?: string
  ingress?: 'pending'
}

/** One vault of a fixture. */
export interface Vault {
  id: `vault_${string}`
  created_at?: string
  /** Characters A-Z a-z 0-9 _ / . - */
  name: string
  description?: string
  metadata?: string
  /** Time of the last change */
  updated_at?: string
  /** User that created it */
  created_by?: string
  /** User that changed it last */
  last_updated_by?: string
}

/** One secret of a fixture. */
export interface Secret {
  id: `secret_${string}`
  created_at?: string
  vault_id: `vault_${string}`
  /** Characters A-Z a-z 0-9 _ / . - */
  name: string
  value?: string
  value_sha256?: string
  description?: string
  metadata?: string
  /** Time of the last change */
  updated_at?: string
  /** User that created it */
  created_by?: string
  /** User that changed it last */
  last_updated_by?: string
}

/** One static backend of a fixture. */
export interface StaticBackend {
  id: `bkdsc_${string}`
  created_at?: string
  description?: string
  metadata?: string
  /** Upstream host and port, such as db.internal:5432 */
  address: string
  tls?: {
    /** Whether to connect with TLS */
    enabled?: boolean
  }
}

/** One HTTP response backend of a fixture. */
export interface HttpResponseBackend {
  id: `bkdhr_${string}`
  created_at?: string
  description?: string
  metadata?: string
  body?: string
  headers?: Record<string, string>
  status_code?: number
}

/** One tunnel group backend of a fixture. */
export interface TunnelGroupBackend {
  id: `bkdtg_${string}`
  created_at?: string
  description?: string
  metadata?: string
  /** Names and values of 1 to 255 bytes, without = */
  labels?: Record<string, string>
}

/** One failover backend of a fixture. */
export interface FailoverBackend {
  id: `bkdfo_${string}`
  created_at?: string
  description?: string
  metadata?: string
  /** In order of preference, up to 100 */
  backends?: (`bkdsc_${string}` | `bkdhr_${string}` | `bkdtg_${string}` | `bkdwd_${string}`)[]
}

/** One weighted backend of a fixture. */
export interface WeightedBackend {
  id: `bkdwd_${string}`
  created_at?: string
  description?: string
  metadata?: string
  /** Backend id to weight from 0 to 10000, up to 100 */
  backends?: Record<string, number>
}

/** One TCP edge of a fixture. */
export interface TcpEdge {
  id: `edgtcp_${string}`
  created_at?: string
  description?: string
  metadata?: string
  /** Addresses as host:port (edgesim listens on loopback addresses only) */
  hostports?: string[]
  ip_restriction?: {
    enabled?: boolean
    /** Policies for source addresses, up to 100 */
    ip_policy_ids?: `ipp_${string}`[]
  }
  backend?: {
    enabled?: boolean
    backend_id?: `bkdsc_${string}` | `bkdhr_${string}` | `bkdtg_${string}` | `bkdwd_${string}` | `bkdfo_${string}`
  }
  traffic_policy?: {
    enabled?: boolean
    /** JSON or YAML object, as a string */
    value?: string
  }
  listen?: string
  upstream?: string
}

/** One TLS edge of a fixture. */
export interface TlsEdge {
  id: `edgtls_${string}`
  created_at?: string
  description?: string
  metadata?: string
  /** Addresses as host:port (edgesim listens on loopback addresses only) */
  hostports?: string[]
  ip_restriction?: {
    enabled?: boolean
    /** Policies for source addresses, up to 100 */
    ip_policy_ids?: `ipp_${string}`[]
  }
  backend?: {
    enabled?: boolean
    backend_id?: `bkdsc_${string}` | `bkdhr_${string}` | `bkdtg_${string}` | `bkdwd_${string}` | `bkdfo_${string}`
  }
  mutual_tls?: {
    enabled?: boolean
    /** Accepted authorities, up to 10 */
    certificate_authority_ids?: `ca_${string}`[]
  }
  tls_termination?: {
    enabled?: boolean
    /** 1.2 if null, and always null with terminate_at: upstream */
    min_version?: '1.2' | '1.3'
    terminate_at?: 'edge' | 'upstream'
  }
  traffic_policy?: {
    enabled?: boolean
    /** JSON or YAML object, as a string */
    value?: string
  }
  listen?: string
  upstream?: string
}

/** One HTTPS edge of a fixture. */
export interface HttpsEdge {
  id: `edghts_${string}`
  created_at?: string
  description?: string
  metadata?: string
  /** Addresses as host:port (edgesim listens on loopback addresses only) */
  hostports?: string[]
  mutual_tls?: {
    enabled?: boolean
    /** Accepted authorities, up to 10 */
    certificate_authority_ids?: `ca_${string}`[]
  }
  tls_termination?: {
    enabled?: boolean
    min_version?: '1.2' | '1.3'
    terminate_at?: 'edge'
  }
  listen?: string
  routes?: Omit<HttpsEdgeRoute, 'edge_id'>[]
}

/** One event destination of a fixture. */
export interface EventDestination {
  id: `ed_${string}`
  created_at?: string
  description?: string
  metadata?: string
  format: 'json'
  /** An update cannot change the kind of target */
  target: {
    firehose?: {
      /** role or creds */
      auth: {
        role?: {
          role_arn: string
        }
        creds?: {
          aws_access_key_id: string
          aws_secret_access_key?: string
          aws_secret_access_key_sha256?: string
        }
      }
      delivery_stream_arn: string
    }
    kinesis?: {
      /** role or creds */
      auth: {
        role?: {
          role_arn: string
        }
        creds?: {
          aws_access_key_id: string
          aws_secret_access_key?: string
          aws_secret_access_key_sha256?: string
        }
      }
      stream_arn: string
    }
    cloudwatch_logs?: {
      /** role or creds */
      auth: {
        role?: {
          role_arn: string
        }
        creds?: {
          aws_access_key_id: string
          aws_secret_access_key?: string
          aws_secret_access_key_sha256?: string
        }
      }
      log_group_arn: string
    }
    datadog?: {
      api_key?: string
      api_key_sha256?: string
      ddtags?: string
      service?: string
      ddsite?: string
    }
    azure_logs_ingestion?: {
      tenant_id: string
      client_id: string
      client_secret?: string
      client_secret_sha256?: string
      logs_ingestion_uri: string
      data_collection_rule_id: string
      data_collection_stream_name: string
    }
  }
}

/** One event subscription of a fixture. */
export interface EventSubscription {
  id: `esb_${string}`
  created_at?: string
  description?: string
  metadata?: string
  destination_ids?: `ed_${string}`[]
  /** Each type once (an update replaces all sources) */
  sources?: {
    /** Event type, such as ip_policy_created.v0 */
    type: 'api_key_created.v0' | 'api_key_updated.v0' | 'api_key_deleted.v0' | 'certificate_authority_created.v0' | 'certificate_authority_updated.v0' | 'certificate_authority_deleted.v0' | 'domain_created.v0' | 'domain_updated.v0' | 'domain_deleted.v0' | 'event_destination_created.v0' | 'event_destination_updated.v0' | 'event_destination_deleted.v0' | 'event_subscription_created.v0' | 'event_subscription_updated.v0' | 'event_subscription_deleted.v0' | 'ip_policy_created.v0' | 'ip_policy_updated.v0' | 'ip_policy_deleted.v0' | 'ip_policy_rule_created.v0' | 'ip_policy_rule_updated.v0' | 'ip_policy_rule_deleted.v0' | 'ip_restriction_created.v0' | 'ip_restriction_updated.v0' | 'ip_restriction_deleted.v0' | 'secret_created.v0' | 'secret_updated.v0' | 'secret_deleted.v0' | 'ssh_certificate_authority_created.v0' | 'ssh_certificate_authority_updated.v0' | 'ssh_certificate_authority_deleted.v0' | 'ssh_host_certificate_created.v0' | 'ssh_host_certificate_updated.v0' | 'ssh_host_certificate_deleted.v0' | 'ssh_public_key_created.v0' | 'ssh_public_key_updated.v0' | 'ssh_public_key_deleted.v0' | 'ssh_user_certificate_created.v0' | 'ssh_user_certificate_updated.v0' | 'ssh_user_certificate_deleted.v0' | 'tcp_address_created.v0' | 'tcp_address_updated.v0' | 'tcp_address_deleted.v0' | 'tls_certificate_created.v0' | 'tls_certificate_updated.v0' | 'tls_certificate_deleted.v0' | 'tunnel_credential_created.v0' | 'tunnel_credential_updated.v0' | 'tunnel_credential_deleted.v0' | 'vault_created.v0' | 'vault_updated.v0' | 'vault_deleted.v0' | 'agent_session_start.v0' | 'agent_session_stop.v0' | 'http_request_complete.v0' | 'tcp_connection_closed.v0'
  }[]
}

/** One application user of a fixture. */
export interface ApplicationUser {
  id: `appusr_${string}`
  created_at?: string
  identity_provider?: {
    name?: string
    url?: string
  }
  provider_user_id?: string
  username?: string
  email?: string
  name?: string
  last_active?: string
  last_login?: string
}

/** One application session of a fixture. */
export interface ApplicationSession {
  id: `appsess_${string}`
  created_at?: string
  application_user_id: `appusr_${string}`
  public_url?: string
  browser_session?: {
    user_agent?: {
      raw?: string
      browser_name?: string
      browser_version?: string
      device_type?: string
      os_name?: string
      os_version?: string
    }
    ip_address?: string
    location?: {
      country_code?: string
      latitude?: number
      longitude?: number
      lat_long_radius_km?: number
    }
  }
  endpoint_id?: `ep_${string}`
  edge_id?: `edghts_${string}`
  /** Route of the edge, which may be deleted */
  route_id?: `edghtsrt_${string}`
  last_active?: string
  /** A day after creation by default (an expired session is not deleted) */
  expires_at?: string
}

/** One abuse report of a fixture. */
export interface AbuseReport {
  id: `abrp_${string}`
  created_at?: string
  urls: string[]
  metadata?: string
  /** One entry per host in urls */
  hostnames?: {
    /** Host and port, as in the URL */
    hostname: string
    status?: 'PENDING' | 'BANNED' | 'UNBANNED' | 'IGNORE'
  }[]
}

/** A single IP policy rule. Fixtures contain it inside its record. */
export interface IpPolicyRule {
  id: `ipr_${string}`
  created_at?: string
  ip_policy_id: `ipp_${string}`
  action: 'allow' | 'deny'
  /** Lowest address and mask of an IPv4 or IPv6 block, unique in the policy */
  cidr: string
  description?: string
  metadata?: string
}

/** A single HTTPS edge route. Fixtures contain it inside its record. */
export interface HttpsEdgeRoute {
  id: `edghtsrt_${string}`
  created_at?: string
  edge_id: `edghts_${string}`
  match_type?: 'exact_path' | 'path_prefix'
  /** Path or path prefix */
  match?: string
  description?: string
  metadata?: string
  ip_restriction?: {
    enabled?: boolean
    /** Policies for source addresses, up to 100 */
    ip_policy_ids?: `ipp_${string}`[]
  }
  request_headers?: {
    enabled?: boolean
    /** Header name to value, added to requests */
    add?: Record<string, string>
    /** Headers removed from requests */
    remove?: string[]
  }
  backend?: {
    enabled?: boolean
    backend_id?: `bkdsc_${string}` | `bkdhr_${string}` | `bkdtg_${string}` | `bkdwd_${string}` | `bkdfo_${string}`
  }
  traffic_policy?: {
    enabled?: boolean
    /** JSON or YAML object, as a string */
    value?: string
  }
  response_headers?: {
    enabled?: boolean
    /** Header name to value, added to responses (names in lower case) */
    add?: Record<string, string>
    /** Headers removed from responses */
    remove?: string[]
  }
  compression?: {
    enabled?: boolean
  }
  circuit_breaker?: {
    enabled?: boolean
    /** Seconds until the next attempt */
    tripped_duration?: number
    /** Seconds to measure errors over */
    rolling_window?: number
    /** Parts of the rolling window */
    num_buckets?: number
    /** Minimum requests in the window before the circuit can open */
    volume_threshold?: number
    /** Share of errors that opens the circuit */
    error_threshold_percentage?: number
  }
  user_agent_filter?: {
    enabled?: boolean
    /** RE2 patterns for the User-Agent header */
    allow?: string[]
    /** RE2 patterns for the User-Agent header */
    deny?: string[]
  }
  webhook_verification?: {
    enabled?: boolean
    /** Case-insensitive provider name, such as github */
    provider: string
    /** Required, except for sns (for sendgrid, an ECDSA public key in base64) */
    secret?: string
  }
  websocket_tcp_converter?: {
    enabled?: boolean
  }
  oauth?: {
    enabled?: boolean
    options_passthrough?: boolean
    /** Letters, digits and periods */
    cookie_prefix?: string
    /** Seconds, 0 for none */
    inactivity_timeout?: number
    /** Seconds, 0 for none */
    maximum_duration?: number
    /** Seconds between checks of the identity */
    auth_check_interval?: number
    provider: {
      github?: {
        /** With client_secret, your own OAuth app instead of the vendor's */
        client_id?: string
        client_secret?: string
        /** Only with client_id */
        scopes?: string[]
        /** Addresses in lower case */
        email_addresses?: string[]
        /** Domains in lower case */
        email_domains?: string[]
        /** Numbers, or organization/team */
        teams?: string[]
        organizations?: string[]
      }
      facebook?: {
        /** With client_secret, your own OAuth app instead of the vendor's */
        client_id?: string
        client_secret?: string
        /** Only with client_id */
        scopes?: string[]
        /** Addresses in lower case */
        email_addresses?: string[]
        /** Domains in lower case */
        email_domains?: string[]
      }
      microsoft?: {
        /** With client_secret, your own OAuth app instead of the vendor's */
        client_id?: string
        client_secret?: string
        /** Only with client_id */
        scopes?: string[]
        /** Addresses in lower case */
        email_addresses?: string[]
        /** Domains in lower case */
        email_domains?: string[]
      }
      google?: {
        /** With client_secret, your own OAuth app instead of the vendor's */
        client_id?: string
        client_secret?: string
        /** Only with client_id */
        scopes?: string[]
        /** Addresses in lower case */
        email_addresses?: string[]
        /** Domains in lower case */
        email_domains?: string[]
      }
      linkedin?: {
        /** With client_secret, your own OAuth app instead of the vendor's */
        client_id?: string
        client_secret?: string
        /** Only with client_id */
        scopes?: string[]
        /** Addresses in lower case */
        email_addresses?: string[]
        /** Domains in lower case */
        email_domains?: string[]
      }
      gitlab?: {
        /** With client_secret, your own OAuth app instead of the vendor's */
        client_id?: string
        client_secret?: string
        /** Only with client_id */
        scopes?: string[]
        /** Addresses in lower case */
        email_addresses?: string[]
        /** Domains in lower case */
        email_domains?: string[]
      }
      twitch?: {
        /** With client_secret, your own OAuth app instead of the vendor's */
        client_id?: string
        client_secret?: string
        /** Only with client_id */
        scopes?: string[]
        /** Addresses in lower case */
        email_addresses?: string[]
        /** Domains in lower case */
        email_domains?: string[]
      }
      amazon?: {
        /** With client_secret, your own OAuth app instead of the vendor's */
        client_id?: string
        client_secret?: string
        /** Only with client_id */
        scopes?: string[]
        /** Addresses in lower case */
        email_addresses?: string[]
        /** Domains in lower case */
        email_domains?: string[]
      }
    }
  }
  oidc?: {
    enabled?: boolean
    options_passthrough?: boolean
    /** Letters, digits and periods */
    cookie_prefix?: string
    /** Seconds, 0 for none */
    inactivity_timeout?: number
    /** Seconds, 0 for none */
    maximum_duration?: number
    issuer: string
    client_id: string
    client_secret: string
    scopes?: string[]
  }
  saml?: {
    enabled?: boolean
    options_passthrough?: boolean
    /** Letters, digits and periods */
    cookie_prefix?: string
    /** Seconds, 0 for none */
    inactivity_timeout?: number
    /** Seconds, 0 for none */
    maximum_duration?: number
    /** EntityDescriptor XML, required unless idp_metadata_url is set */
    idp_metadata?: string
    /** Never fetched */
    idp_metadata_url?: string
    force_authn?: boolean
    allow_idp_initiated?: boolean
    authorized_groups?: string[]
    nameid_format?: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent' | 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' | 'urn:oasis:names:tc:SAML:2.0:nameid-format:entity' | 'urn:oasis:names:tc:SAML:2.0:nameid-format:kerberos' | 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified' | 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress' | 'urn:oasis:names:tc:SAML:1.1:nameid-format:X509SubjectName' | 'urn:oasis:names:tc:SAML:1.1:nameid-format:WindowsDomainQualifiedName'
  }
  upstream?: string
}

/** Records by table. */
export interface Tables {
  users: User[]
  bots: BotUser[]
  service_users: ServiceUser[]
  api_keys: ApiKey[]
  credentials: Credential[]
  ai_gateway_api_keys: AiGatewayApiKey[]
  ip_policies: IpPolicy[]
  ip_restrictions: IpRestriction[]
  reserved_domains: ReservedDomain[]
  reserved_addrs: ReservedAddr[]
  tls_certificates: TlsCertificate[]
  certificate_authorities: CertificateAuthority[]
  ssh_certificate_authorities: SshCertificateAuthority[]
  ssh_host_certificates: SshHostCertificate[]
  ssh_user_certificates: SshUserCertificate[]
  ssh_credentials: SshCredential[]
  endpoints: Endpoint[]
  tunnel_sessions: TunnelSession[]
  tunnels: Tunnel[]
  agent_ingresses: AgentIngress[]
  kubernetes_operators: KubernetesOperator[]
  vaults: Vault[]
  vault_secrets: Secret[]
  backends: StaticBackend[]
  http_response_backends: HttpResponseBackend[]
  tunnel_group_backends: TunnelGroupBackend[]
  failover_backends: FailoverBackend[]
  weighted_backends: WeightedBackend[]
  tcp_edges: TcpEdge[]
  tls_edges: TlsEdge[]
  https_edges: HttpsEdge[]
  event_destinations: EventDestination[]
  event_subscriptions: EventSubscription[]
  application_users: ApplicationUser[]
  application_sessions: ApplicationSession[]
  abuse_reports: AbuseReport[]
}

export type TableName = keyof Tables

/** Records that stand inside others in a fixture, by the table they have to themselves. */
export interface PartTables {
  ip_policy_rules: IpPolicyRule[]
  https_edge_routes: HttpsEdgeRoute[]
}

type Repeatable = { [T in TableName]?: (Tables[T][number] & Repeated)[] }

interface Repeated {
  /** Number of copies of this record. In each copy, {n} in strings is replaced by 1, 2, 3 and so on */
  repeat?: number
}

/** The state a sandbox starts with. */
export interface Fixture extends Repeatable {
  $schema?: string
  /** Name or path of a fixture. Records of this file are added to it, or replace fields of records with the same ID */
  extends?: string
  missing?: string[]
  order?: { [T in TableName | keyof PartTables]?: string[] }
  _edgesim?: Record<string, unknown>
}

/** Latency, a fault or a rate limit, and the calls it applies to. */
export interface Rule {
  /** Shown with the rule's counters and in the request log */
  name?: string
  /** Calls that the rule applies to (default: every call) */
  when?: {
    /** Calls of this operation, such as create_api_key */
    operation?: OperationName | OperationName[]
    /** Calls with this method */
    method?: 'POST' | 'GET' | 'PATCH' | 'DELETE' | 'PUT' | ('POST' | 'GET' | 'PATCH' | 'DELETE' | 'PUT')[]
    /** Calls of this path: exact (/api_keys/ak_1), as a route (/api_keys/{id}), with * for any part of a segment (/api_keys/ak_*), or with ** for any number of segments (/edges/**) */
    path?: string | string[]
    /** Calls with a key of this user or bot */
    owner?: string | string[]
    /** Calls from this address or CIDR block */
    source_ip?: string | string[]
    /** Traffic of this edge, instead of API calls */
    edge?: string | string[]
    /** Attempts to deliver events of this type (ip_policy_created.v0 or ip_policy_*), instead of API calls */
    delivery?: string | string[]
    /** Calls with these numbers, counting the calls that the rule matches in its sandbox: 2, 2-3, 6- */
    calls?: number | string
    /** Calls between these two times on the sandbox clock, excluding the second */
    between?: string[]
  }
  /** Probability that the rule fires, above 0 and up to 1 */
  probability?: number
  /** Maximum number of times the rule fires */
  times?: number
  /** 200ms, { min: 50ms, max: 2s }, or { p50: 80ms, p95: 300ms, p99: 1s }. With after: true in the braces, the call is executed before the wait, so its write is applied even if the client gives up */
  latency?: Duration | {
    min: Duration
    max: Duration
    after?: boolean
  } | {
    p50: Duration
    p95: Duration
    p99: Duration
    after?: boolean
  }
  /** One of the faults */
  fault?: {
    /** The client sees this error, in the vendor's format. The call is not executed. Settings (default): status, code (the status), msg, retry_after. */
    type: 'error'
    status: number
    code?: number
    msg?: string
    retry_after?: Duration
  } | {
    /** The client sees a connection reset (TCP RST). The call is not executed. */
    type: 'reset'
  } | {
    /** The client sees a connection reset (TCP RST). The call is executed. */
    type: 'lost-reply'
  } | {
    /** The client sees no data, then a closed connection. The call is not executed. Settings (default): for (until the client disconnects). */
    type: 'hang'
    for?: Duration
  } | {
    /** The client sees fewer bytes than Content-Length, then a closed connection. The call is executed. Settings (default): after bytes (half). */
    type: 'truncate'
    after?: number
  } | {
    /** The client sees a 200 with a body that isn't JSON, or bytes that aren't HTTP. The call is executed. Settings (default): what: json or http (json). */
    type: 'garbage'
    what?: 'json' | 'http'
  } | {
    /** The client sees the complete response, slowly. The call is executed. Settings (default): bytes_per_second (1000). */
    type: 'slow-body'
    bytes_per_second?: number
  } | {
    /** The client sees the state from delay ago on the sandbox clock, in reads. Settings (default): delay. */
    type: 'stale-reads'
    delay: Duration
  }
  /** { requests: 120, per: 60s }, see rate limits */
  rate_limit?: {
    requests: number
    per: Duration
    window?: 'rolling' | 'fixed'
  }
}

/** Faults, latency, state, clock and assumptions of a sandbox. */
export interface Scenario {
  $schema?: string
  /** Shown with the scenario. The default name is the file name */
  name?: string
  /** Shown with the scenario. The default name is the file name */
  description?: string
  /** Name of a fixture that replaces the current state */
  fixture?: string
  /** Time in the sandbox. The clock runs on from now, unless frozen is true */
  clock?: {
    now: string
    frozen?: boolean
  }
  /** Makes random choices, new IDs and new tokens repeatable */
  seed?: string | number
  /** Records to merge into the fixture. Fields of an existing ID are replaced, and a new ID is added. */
  state?: { [T in TableName]?: (Partial<Tables[T][number]> & Pick<Tables[T][number], 'id'>)[] }
  /** Assumptions to change. */
  assume?: AssumedForm
  /** Checked in order. All latencies add up, and the first fault wins. */
  rules?: Rule[]
}
