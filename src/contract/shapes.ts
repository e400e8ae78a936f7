// Generated from the declarations by `npm run generate`. Do not edit.
import type { AssumedForm } from './assumptions.ts'

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
  active?: boolean
  admin?: boolean
}

/** One service user of a fixture. */
export interface ServiceUser {
  id: `service_${string}`
  created_at?: string
  name?: string
  active?: boolean
  admin?: boolean
}

/** One API key of a fixture. */
export interface ApiKey {
  id: `ak_${string}`
  created_at?: string
  description?: string
  metadata?: string
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
  owner_id?: `usr_${string}` | `bot_${string}` | `service_${string}`
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
  updated_at?: string
  created_by?: string
  last_updated_by?: string
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
  enforced?: boolean
  type: 'dashboard' | 'api' | 'agent' | 'endpoints'
  ip_policy_ids?: `ipp_${string}`[]
}

/** One reserved domain of a fixture. */
export interface ReservedDomain {
  id: `rd_${string}`
  created_at?: string
  description?: string
  metadata?: string
  domain: string
  region?: '' | 'us' | 'eu' | 'ap' | 'au' | 'sa' | 'jp' | 'in'
  certificate_id?: `cert_${string}`
  certificate_management_policy?: {
    authority: 'letsencrypt'
    private_key_type?: 'ecdsa' | 'rsa'
  }
  cname_target?: string
  acme_challenge_cname_target?: string
  http_endpoint_configuration_id?: string
  https_endpoint_configuration_id?: string
  resolves_to?: {
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
  addr?: string
  endpoint_configuration_id?: string
}

/** One TLS certificate of a fixture. */
export interface TlsCertificate {
  id: `cert_${string}`
  created_at?: string
  description?: string
  metadata?: string
  certificate_pem: string
  private_key_pem?: string
  private_key_pem_sha256?: string
}

/** One certificate authority of a fixture. */
export interface CertificateAuthority {
  id: `ca_${string}`
  created_at?: string
  description?: string
  metadata?: string
  ca_pem: string
}

/** One SSH certificate authority of a fixture. */
export interface SshCertificateAuthority {
  id: `sshca_${string}`
  created_at?: string
  description?: string
  metadata?: string
  private_key_type?: 'rsa' | 'ecdsa' | 'ed25519'
  elliptic_curve?: 'p256' | 'p384' | 'p521'
  key_size?: '2048' | '4096'
}

/** One SSH host certificate of a fixture. */
export interface SshHostCertificate {
  id: `shcrt_${string}`
  created_at?: string
  description?: string
  metadata?: string
  ssh_certificate_authority_id: `sshca_${string}`
  public_key: string
  principals?: string[]
  valid_after?: string
  valid_until?: string
  certificate?: string
}

/** One SSH user certificate of a fixture. */
export interface SshUserCertificate {
  id: `sucrt_${string}`
  created_at?: string
  description?: string
  metadata?: string
  ssh_certificate_authority_id: `sshca_${string}`
  public_key: string
  principals?: string[]
  valid_after?: string
  valid_until?: string
  critical_options?: Record<string, string>
  extensions?: Record<string, string>
  certificate?: string
}

/** One SSH credential of a fixture. */
export interface SshCredential {
  id: `sshcr_${string}`
  created_at?: string
  description?: string
  metadata?: string
  owner_id?: `usr_${string}` | `bot_${string}` | `service_${string}`
  acl?: string[]
  public_key: string
}

/** One endpoint of a fixture. */
export interface Endpoint {
  id: `ep_${string}`
  created_at?: string
  description?: string
  metadata?: string
  url: string
  type?: 'cloud' | 'agent' | 'ephemeral' | 'edge'
  traffic_policy?: string
  bindings?: ('public' | 'internal' | 'kubernetes')[]
  pooling_enabled?: boolean
  updated_at?: string
  name?: string
  region?: string
  principal?: string
  tunnel_session_id?: string
  edge?: string
  upstream_url?: string
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
  domain: string
  ns_targets?: string[]
  region_domains?: string[]
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
  enabled_features?: string[]
  region?: string
  deployment?: {
    name?: string
    namespace?: string
    version?: string
    cluster_name?: string
  }
  binding?: {
    endpoint_selectors?: string[]
    ingress_endpoint?: string
    csr?: string
  }
  principal?: string
  updated_at?: string
  ingress?: 'pending'
}

/** One vault of a fixture. */
export interface Vault {
  id: `vault_${string}`
  created_at?: string
  name: string
  description?: string
  metadata?: string
  updated_at?: string
  created_by?: string
  last_updated_by?: string
}

/** One secret of a fixture. */
export interface Secret {
  id: `secret_${string}`
  created_at?: string
  vault_id: `vault_${string}`
  name: string
  value?: string
  value_sha256?: string
  description?: string
  metadata?: string
  updated_at?: string
  created_by?: string
  last_updated_by?: string
}

/** One static backend of a fixture. */
export interface StaticBackend {
  id: `bkdsc_${string}`
  created_at?: string
  description?: string
  metadata?: string
  address: string
  tls?: {
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
  labels?: Record<string, string>
}

/** One failover backend of a fixture. */
export interface FailoverBackend {
  id: `bkdfo_${string}`
  created_at?: string
  description?: string
  metadata?: string
  backends?: (`bkdsc_${string}` | `bkdhr_${string}` | `bkdtg_${string}` | `bkdwd_${string}`)[]
}

/** One weighted backend of a fixture. */
export interface WeightedBackend {
  id: `bkdwd_${string}`
  created_at?: string
  description?: string
  metadata?: string
  backends?: Record<string, number>
}

/** One TCP edge of a fixture. */
export interface TcpEdge {
  id: `edgtcp_${string}`
  created_at?: string
  description?: string
  metadata?: string
  hostports?: string[]
  ip_restriction?: {
    enabled?: boolean
    ip_policy_ids?: `ipp_${string}`[]
  }
  backend?: {
    enabled?: boolean
    backend_id?: `bkdsc_${string}` | `bkdhr_${string}` | `bkdtg_${string}` | `bkdwd_${string}` | `bkdfo_${string}`
  }
  traffic_policy?: {
    enabled?: boolean
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
  hostports?: string[]
  ip_restriction?: {
    enabled?: boolean
    ip_policy_ids?: `ipp_${string}`[]
  }
  backend?: {
    enabled?: boolean
    backend_id?: `bkdsc_${string}` | `bkdhr_${string}` | `bkdtg_${string}` | `bkdwd_${string}` | `bkdfo_${string}`
  }
  mutual_tls?: {
    enabled?: boolean
    certificate_authority_ids?: `ca_${string}`[]
  }
  tls_termination?: {
    enabled?: boolean
    min_version?: '1.2' | '1.3'
    terminate_at?: 'edge' | 'upstream'
  }
  traffic_policy?: {
    enabled?: boolean
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
  hostports?: string[]
  mutual_tls?: {
    enabled?: boolean
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
  target: {
    firehose?: {
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
  sources?: {
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
  route_id?: `edghtsrt_${string}`
  last_active?: string
  expires_at?: string
}

/** One abuse report of a fixture. */
export interface AbuseReport {
  id: `abrp_${string}`
  created_at?: string
  urls: string[]
  metadata?: string
  hostnames?: {
    hostname: string
    status?: 'PENDING' | 'BANNED' | 'UNBANNED' | 'IGNORE'
  }[]
}

/** One IP policy rule by itself; in a fixture it stands inside its record. */
export interface IpPolicyRule {
  id: `ipr_${string}`
  created_at?: string
  ip_policy_id: `ipp_${string}`
  action: 'allow' | 'deny'
  cidr: string
  description?: string
  metadata?: string
}

/** One HTTPS edge route by itself; in a fixture it stands inside its record. */
export interface HttpsEdgeRoute {
  id: `edghtsrt_${string}`
  created_at?: string
  edge_id: `edghts_${string}`
  match_type?: 'exact_path' | 'path_prefix'
  match?: string
  description?: string
  metadata?: string
  ip_restriction?: {
    enabled?: boolean
    ip_policy_ids?: `ipp_${string}`[]
  }
  request_headers?: {
    enabled?: boolean
    add?: Record<string, string>
    remove?: string[]
  }
  backend?: {
    enabled?: boolean
    backend_id?: `bkdsc_${string}` | `bkdhr_${string}` | `bkdtg_${string}` | `bkdwd_${string}` | `bkdfo_${string}`
  }
  traffic_policy?: {
    enabled?: boolean
    value?: string
  }
  response_headers?: {
    enabled?: boolean
    add?: Record<string, string>
    remove?: string[]
  }
  compression?: {
    enabled?: boolean
  }
  circuit_breaker?: {
    enabled?: boolean
    tripped_duration?: number
    rolling_window?: number
    num_buckets?: number
    volume_threshold?: number
    error_threshold_percentage?: number
  }
  user_agent_filter?: {
    enabled?: boolean
    allow?: string[]
    deny?: string[]
  }
  webhook_verification?: {
    enabled?: boolean
    provider: string
    secret?: string
  }
  websocket_tcp_converter?: {
    enabled?: boolean
  }
  oauth?: {
    enabled?: boolean
    options_passthrough?: boolean
    cookie_prefix?: string
    inactivity_timeout?: number
    maximum_duration?: number
    auth_check_interval?: number
    provider: {
      github?: {
        client_id?: string
        client_secret?: string
        scopes?: string[]
        email_addresses?: string[]
        email_domains?: string[]
        teams?: string[]
        organizations?: string[]
      }
      facebook?: {
        client_id?: string
        client_secret?: string
        scopes?: string[]
        email_addresses?: string[]
        email_domains?: string[]
      }
      microsoft?: {
        client_id?: string
        client_secret?: string
        scopes?: string[]
        email_addresses?: string[]
        email_domains?: string[]
      }
      google?: {
        client_id?: string
        client_secret?: string
        scopes?: string[]
        email_addresses?: string[]
        email_domains?: string[]
      }
      linkedin?: {
        client_id?: string
        client_secret?: string
        scopes?: string[]
        email_addresses?: string[]
        email_domains?: string[]
      }
      gitlab?: {
        client_id?: string
        client_secret?: string
        scopes?: string[]
        email_addresses?: string[]
        email_domains?: string[]
      }
      twitch?: {
        client_id?: string
        client_secret?: string
        scopes?: string[]
        email_addresses?: string[]
        email_domains?: string[]
      }
      amazon?: {
        client_id?: string
        client_secret?: string
        scopes?: string[]
        email_addresses?: string[]
        email_domains?: string[]
      }
    }
  }
  oidc?: {
    enabled?: boolean
    options_passthrough?: boolean
    cookie_prefix?: string
    inactivity_timeout?: number
    maximum_duration?: number
    issuer: string
    client_id: string
    client_secret: string
    scopes?: string[]
  }
  saml?: {
    enabled?: boolean
    options_passthrough?: boolean
    cookie_prefix?: string
    inactivity_timeout?: number
    maximum_duration?: number
    idp_metadata?: string
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

/** The state a sandbox starts with. */
export interface Fixture extends Partial<Tables> {
  $schema?: string
  missing?: string[]
  order?: { [T in TableName | keyof PartTables]?: string[] }
  _edgesim?: Record<string, unknown>
}

/** What goes wrong, and for which calls. */
export interface Rule {
  /** Shown with its counts and in the journal */
  name?: string
  /** What the rule concerns; without it, every call */
  when?: {
    /** Calls of this operation, such as create_api_key */
    operation?: OperationName | OperationName[]
    /** Calls with this method */
    method?: 'POST' | 'GET' | 'PATCH' | 'DELETE' | 'PUT' | ('POST' | 'GET' | 'PATCH' | 'DELETE' | 'PUT')[]
    /** Calls of this path: /api_keys/ak_1, as a route /api_keys/{id}, with * for any part of a segment (/api_keys/ak_*) or ** for any number of segments (/edges/**) */
    path?: string | string[]
    /** Calls with a key of this user or bot */
    owner?: string | string[]
    /** Calls from this address or CIDR block */
    source_ip?: string | string[]
    /** Traffic of this edge, or of one of a list, instead of calls of the API */
    edge?: string | string[]
    /** Attempts to deliver events of this type, ip_policy_created.v0 or ip_policy_*, or of one of a list, instead of calls of the API */
    delivery?: string | string[]
    /** Only this number among the calls that the rule matches in its sandbox: 2, 2-3, 6- */
    calls?: number | string
    /** Only calls between these two times on the sandbox's clock; the second is not included */
    between?: string[]
  }
  /** How likely the rule fires, above 0 and up to 1 */
  probability?: number
  /** How often the rule fires at most */
  times?: number
  /** 200ms, { min: 50ms, max: 2s }, or { p50: 80ms, p95: 300ms, p99: 1s }. With after: true in the braces the call is carried out first, so that its write stays also if the client gives up */
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
  /** What goes wrong: one of the faults */
  fault?: {
    /** The client sees that error, in the vendor's shape. The call is not carried out. Settings (default): status, code (the status), msg, retry_after. */
    type: 'error'
    status: number
    code?: number
    msg?: string
    retry_after?: Duration
  } | {
    /** The client sees a connection reset (TCP RST). The call is not carried out. */
    type: 'reset'
  } | {
    /** The client sees a connection reset (TCP RST). The call is carried out. */
    type: 'lost-reply'
  } | {
    /** The client sees nothing, then the end of the connection. The call is not carried out. Settings (default): for (until the client leaves). */
    type: 'hang'
    for?: Duration
  } | {
    /** The client sees the promised Content-Length, fewer bytes, the end of the connection; if the answer has no body, part of its first line. The call is carried out. Settings (default): after (half) bytes. */
    type: 'truncate'
    after?: number
  } | {
    /** The client sees a 200 whose body is not JSON, or bytes that are not HTTP. The call is carried out. Settings (default): what: json or http (json). */
    type: 'garbage'
    what?: 'json' | 'http'
  } | {
    /** The client sees the whole answer, slowly. The call is carried out. Settings (default): bytes_per_second (1000). */
    type: 'slow-body'
    bytes_per_second?: number
  } | {
    /** The client sees the state as it was that long ago on the sandbox's clock, in reads; writes act on the present state. If the old state is no longer known, a warning says which state was read. Settings (default): delay. */
    type: 'stale-reads'
    delay: Duration
  }
  /** { requests: 120, per: 60s }, with window: fixed if it should not roll */
  rate_limit?: {
    requests: number
    per: Duration
    window?: 'rolling' | 'fixed'
  }
}

/** What goes wrong in a sandbox, and when. */
export interface Scenario {
  $schema?: string
  /** Shown wherever the scenario is named; the default name is that of the file */
  name?: string
  /** Shown wherever the scenario is named; the default name is that of the file */
  description?: string
  /** The name of a fixture that replaces the present state */
  fixture?: string
  /** The time in the sandbox. With frozen: true it stands still, otherwise it runs on from there */
  clock?: {
    now: string
    frozen?: boolean
  }
  /** Makes random choices repeatable, and new ids and tokens too */
  seed?: string | number
  /** Records to merge into the fixture: given fields replace those of a known id, a new id is added. */
  state?: { [T in TableName]?: (Partial<Tables[T][number]> & Pick<Tables[T][number], 'id'>)[] }
  /** Assumptions to change. */
  assume?: AssumedForm
  /** Tried in order. All latencies add up; the first fault wins. */
  rules?: Rule[]
}
